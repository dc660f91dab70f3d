// Finds the places of a program to which a selection refers, and the lines that come from them.

/** A part of a text: the positions of its start and its end. @typedef {readonly [number, number]} Span */
/** Connects a line of a listing with the place in the program that the line comes from. `line` and `place`: their numbers.
 * `order`: the order of the derivative that the line computes. `start` and `end`: the range of the line's bytes in the module.
 * @typedef {{line: number, place: number, order: number, start?: number, end?: number}} Row */

/** Finds the places within a selection. If there are none, finds the smallest places that contain the selection.
 * @param {readonly Span[]} spans the program's places @param {number} from the start of the selection
 * @param {number} to the end of the selection, which equals `from` for a caret @returns {number[]} indices of places */
export function placesAt(spans, from, to) {
  const within = (/** @type {Span} */ span) => span[0] >= from && span[1] <= to;
  const inside = from === to ? [] : indices(spans, within);
  if (inside.length > 0) return inside;
  const around = indices(spans, (span) => span[0] <= from && span[1] >= to);
  const tightest = Math.min(...around.map((k) => spans[k][1] - spans[k][0]));
  return around.filter((k) => spans[k][1] - spans[k][0] === tightest);
}

/** The start and end of a word in the program, and the places that the word refers to. For example, a use of a parameter
 * refers to the parameter's definition.
 * @typedef {[number, number, number[]]} Token */

/** Finds the places that words refer to: the words within a selection, and a word that contains the selection.
 * @param {readonly Token[]} tokens @param {number} from the start of the selection
 * @param {number} to the end of the selection, which equals `from` for a caret @returns {number[]} indices of places */
export function meantAt(tokens, from, to) {
  const isMeant = (/** @type {Token} */ [start, end]) => (start <= from && end >= to) || (from < to && start >= from && end <= to);
  return tokens.filter(isMeant).flatMap(([, , places]) => places);
}

/** @param {readonly Span[]} spans @param {(span: Span) => boolean} test */
function indices(spans, test) {
  return spans.flatMap((span, k) => (test(span) ? [k] : []));
}

/** @param {readonly number[][]} rows as Python gives them @returns {Row[]} */
export function rowsFrom(rows) {
  return rows.map(([line, place, order, start, end]) => ({ line, place, order, start, end }));
}

/** @param {readonly Row[]} rows @returns {Map<number, Row[]>} the rows by place */
export function byPlace(rows) {
  /** @type {Map<number, Row[]>} */
  const rowsOfPlaces = new Map();
  for (const row of rows) {
    const there = rowsOfPlaces.get(row.place);
    if (there === undefined) rowsOfPlaces.set(row.place, [row]);
    else there.push(row);
  }
  return rowsOfPlaces;
}

/** Counts the lines of a listing that come from some of the program's places. `derived`: the number of these lines that compute
 * derivatives. `own`: the number of the other lines.
 * @param {readonly Row[]} rows @param {ReadonlySet<number>} places */
export function counted(rows, places) {
  const lit = rows.filter((row) => places.has(row.place));
  const derived = new Set(lit.filter((row) => row.order > 0).map((row) => row.line));
  return { own: new Set(lit.map((row) => row.line)).size - derived.size, derived: derived.size };
}
