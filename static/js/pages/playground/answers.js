// Checks the structure of the answers from the playground's Python, because a visitor's program can forge any answer. The page
// shows only answers with the right structure, and shows them as text, numbers and bytes. So a forged answer can do no more
// harm than a text that the program prints.

/** @typedef {(value: any) => boolean} Is */

// The largest sizes of an answer's parts. Python already cuts a value after 4,000 characters, a message after about 2,000
// characters, and a listing after 3,000 lines. Our largest programs have listings of 2,400 rows, functions with 5 stages, and
// 30 places. All limits here are larger than these numbers.
const LONGEST_FILE = 1 << 25;
const LONGEST_SHOWN = 20_000;
const LONGEST_NAME = 1000;
const MOST_NAMES = 10_000;
const MOST_LINES = 4000;
const MOST_STAGES = 100;
/** Long lists in an answer have at most this many items. Examples are the rows of a listing and the places in a program. */
const MOST_ITEMS = 50_000;
/** An error may list at most this many calls that led to it. Python itself sends fewer. */
const MOST_CALLS = 100;
/** The extensions of all files in an export except the module. */
const EXPORTED = [".js", ".d.ts", ".html"];

/** @type {Is} */
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
/** @type {Is} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
/** @type {Is} */
const isInteger = (value) => Number.isSafeInteger(value);
/** @type {Is} */
const isText = (value) => typeof value === "string" && value.length <= LONGEST_FILE;
/** A text that the page lays out as a whole. @type {Is} */
const isShown = (value) => typeof value === "string" && value.length <= LONGEST_SHOWN;
/** One line. The page cuts it when it shows it. @type {Is} */
const isLine = (value) => isText(value) && !/[\n\v\f\r\u0085\u2028\u2029]/.test(value);
/** @type {Is} */
const isName = (value) => typeof value === "string" && value.length <= LONGEST_NAME;
/** A word that the editor can insert into a program, such as `math.sin`. @type {Is} */
const isWord = (value) => isName(value) && /^[\p{L}\p{N}_.]+$/u.test(value);
/** A file's name that leads to no other folder. @type {Is} */
const isFile = (value) => isName(value) && /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(value);

/** @param {Is} is @returns {Is} */
const orNull = (is) => (value) => value === null || is(value);
/** @param {Is} is @returns {Is} */
const orNone = (is) => (value) => value === undefined || is(value);
/** @param {Is} is @param {number} [most] @returns {Is} */
const listOf = (is, most = MOST_ITEMS) => (value) => Array.isArray(value) && value.length <= most && value.every(is);
/** @param {...Is} items @returns {Is} */
const tupleOf = (...items) => (value) => Array.isArray(value) && value.length === items.length && items.every((is, k) => is(value[k]));
/** @param {Record<string, Is>} fields the record may have others too @returns {Is} */
const record = (fields) => (value) =>
  typeof value === "object" && value !== null && Object.entries(fields).every(([name, is]) => is(Object.hasOwn(value, name) ? value[name] : undefined));

/** A position in a text. @param {number} length of the text @returns {Is} */
const offset = (length) => (value) => isCount(value) && value <= length;
/** @param {number} length @returns {Is} */
const span = (length) => (value) => tupleOf(offset(length), offset(length))(value) && value[0] <= value[1];

/** @param {number} length of the program @returns {Is} */
const troubleIn = (length) => record({
  message: isShown,
  kind: isName,
  line: orNull(isCount),
  from: orNull(offset(length)),
  to: orNull(offset(length)),
  trace: orNone(listOf(tupleOf(isCount, isName), MOST_CALLS)),
});
/** Checks a row of a listing. A row consists of three or five numbers: a line's number, the index of a place in the program,
 * the order of a derivative, and perhaps the start and end of the line's bytes. No number may be negative. The place must
 * exist.
 * @param {number} places the number of places @returns {Is} */
const rowOf = (places) => (value) => listOf(isCount, 5)(value) && [3, 5].includes(value.length) && value[1] < places;
const parameter = record({ name: isName, type: isName, sample: isName });
const described = record({
  name: isName,
  params: listOf(parameter, LONGEST_NAME),
  result: isName,
  kinds: listOf(isName, LONGEST_NAME),
  size: isNumber,
});
/** @param {number} places @returns {Record<string, Is>} */
const listingOf = (places) => ({ lines: listOf(isLine, MOST_LINES), rows: listOf(rowOf(places)), more: orNone(isInteger) });
/** Checks the folds, which are ranges of lines that the listing hides. They must be in order, must not overlap, and must end
 * within the listing.
 * @param {{lines: string[], folds: [number, number][]}} listed */
const foldsFit = ({ lines, folds }) =>
  folds.every(([first, last], k) => first <= last && last < lines.length && (k === 0 || first > folds[k - 1][1]));
/** @param {number} places @returns {Is} */
const watOf = (places) => {
  const isListing = record({ ...listingOf(places), folds: listOf(tupleOf(isCount, isCount), MOST_LINES) });
  return (value) => isListing(value) && foldsFit(value);
};
/** @param {[number, number, number[]][]} tokens @returns {boolean} */
const meanFew = (tokens) => tokens.reduce((sum, [, , meant]) => sum + meant.length, 0) <= MOST_ITEMS;
/** @param {number} length of the program @param {number} places the number of its places @returns {Is} */
const tokensOf = (length, places) => {
  const areTokens = listOf(tupleOf(offset(length), offset(length), listOf((place) => isCount(place) && place < places)));
  return (value) => areTokens(value) && meanFew(value);
};
/** @param {number} length of the program @param {number} places the number of its places @returns {Is} */
const listingsOf = (length, places) => record({
  stages: listOf(record({ name: isName, ...listingOf(places) }), MOST_STAGES),
  wat: watOf(places),
  tokens: tokensOf(length, places),
  cost: record({ ms: isNumber, bytes: isNumber }),
});
/** @param {number} length of the program @returns {Is} */
const shownOf = (length) => (value) => record({ places: listOf(span(length)) })(value) && listingsOf(length, value.places.length)(value);

/** Returns true if an answer has the structure that belongs to the method that was asked.
 * @param {"run" | "show" | "call" | "names" | "export"} method @param {any} answer @param {number} modules the number of
 *   modules that came with the answer
 * @param {number} length of the program in UTF-16 units @returns {boolean} */
export function isAnswer(method, answer, modules, length) {
  if (method === "names") return listOf(record({ name: isWord, kind: isName, signature: isShown, about: isShown }), MOST_NAMES)(answer);
  if (answer?.ok === false) return record({ error: troubleIn(length), argument: orNone(orNull(isInteger)) })(answer);
  if (answer?.ok !== true) return false;
  switch (method) {
    case "run":
      return record({ ms: isNumber, value: orNull(isShown), functions: listOf(described, LONGEST_NAME) })(answer);
    case "show":
      return modules === 1 && shownOf(length)(answer);
    case "call":
      return record({ value: isShown, us: orNull(isNumber) })(answer);
    case "export":
      return modules === 1 && record({ name: isFile, files: record({}) })(answer) && areFiles(answer);
    default:
      return false;
  }
}

/** Returns true if a note that Python sent while a program runs has the right structure. Each part of a note must be a string,
 * even a picture. Only the picture's sandboxed frame parses that string. @param {any} note @returns {boolean} */
export function isNote(note) {
  if (typeof note !== "object" || note === null) return false;
  const said = [note.printed, note.shown, note.loading, note.loaded];
  return said.every((text, k) => orNone(k < 2 ? isText : isName)(text)) && said.some(isText);
}

/** True if the files are the texts of one export.
 * @param {{name: string, files: Record<string, unknown>}} answer @returns {boolean} */
function areFiles({ name, files }) {
  const names = EXPORTED.map((end) => name + end);
  return Object.entries(files).every(([file, content]) => names.includes(file) && isText(content));
}
