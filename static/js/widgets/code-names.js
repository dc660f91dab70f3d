// Finds the meaning of names in a program. The editor uses it for completions, to describe the name under the pointer, and to
// show the signature of the function whose call you are writing.

/** @typedef {import("@codemirror/autocomplete").Completion} Completion */
/** @typedef {import("@codemirror/autocomplete").CompletionContext} CompletionContext */
/** @typedef {import("@codemirror/autocomplete").CompletionResult} CompletionResult */
/** A name that the editor can complete. `about`: a description of its meaning.
 * @typedef {{name: string, kind: string, signature: string, about: string}} EditorName */
/** The description of a name in the program. `from`: the name's place in the text. `argument`: if you are writing a call, the
 * index of the argument at the caret; otherwise null.
 * @typedef {{from: number, name: string, signature: string, about: string, argument: number | null}} CodeHelp */

/** CodeMirror's type for each kind of name. The type determines the icon. @type {Record<string, string>} */
const SIGNS = { constant: "constant", namespace: "namespace", class: "class", type: "type", function: "function" };
/** The prefixes of the package's names. */
const SPACES = ["", "math.", "numpy.", "random."];
/** In the list of names, a name that needs no import begins with this sign. */
const GIVEN = ".";
const DOTTED = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu;
/** Matches `import eglantine as eg` and similar lines. The groups are the imported part of the package and the name that the
 * line defines. */
const IMPORTS = /^[ \t]*(?:import[ \t]+eglantine(?:\.(\w+))?[ \t]+as[ \t]+(\w+)|from[ \t]+eglantine[ \t]+import[ \t]+(math|numpy|random)(?:[ \t]+as[ \t]+(\w+))?)/gm;
const FROM_IMPORT = /^[ \t]*from[ \t]+eglantine(?:\.(math|numpy|random))?[ \t]+import[ \t]+([\w, \t]+)/gm;
const DEFINITION = /^[ \t]*def[ \t]+(\w+)[ \t]*(\([^()]*(?:\([^()]*\)[^()]*)*\))[^:\n]*:[ \t]*(?:\n[ \t]*(?:"""|''')[ \t]*([^\n"']*))?/gm;
/** For each closing bracket, the opening bracket that belongs to it. */
const CLOSING = { ")": "(", "]": "[", "}": "{" };
/** We search for the beginning of a call in at most this many characters before the caret. */
const LONGEST_CALL = 2000;

/** @param {() => Promise<EditorName[]>} names @returns {(context: CompletionContext) => Promise<CompletionResult | null>} */
export function offeredNames(names) {
  return async (context) => {
    const typed = context.matchBefore(/[\p{L}\p{N}_.]+$/u);
    if (typed === null) return null;
    const dot = typed.text.lastIndexOf(".") + 1;
    const word = typed.text.slice(dot);
    const space = dot === 0 ? GIVEN : spaceOf(typed.text.slice(0, dot - 1), context.state.doc.toString());
    if (space === null || (space === GIVEN && word === "")) return null;
    const inside = (await names()).filter(({ name }) => isIn(name, space));
    // Python's own names come from other sources, which rank these names themselves. Names of the package are ranked here.
    const options = ranked(inside.map((entry) => optionOf(entry, space)), word);
    return options.length === 0 ? null : { from: typed.from + dot, options, filter: false };
  };
}

/** Finds the names that contain a word. First come names that begin with the word, then names with a part that begins with it,
 * such as "arc_sin" for "sin", and then the others. Within each of these groups, shorter names come before longer names.
 * @template {{label: string}} T @param {readonly T[]} options @param {string} word @returns {T[]} */
export function ranked(options, word) {
  const wanted = word.toLowerCase();
  const rank = (/** @type {string} */ label) => {
    if (label.startsWith(word)) return 0;
    const at = label.toLowerCase().indexOf(wanted);
    return at === 0 ? 1 : at > 0 && "._".includes(label[at - 1]) ? 2 : at > 0 ? 3 : 4;
  };
  return options
    .map((option) => ({ option, at: rank(option.label) }))
    .filter(({ at }) => at < 4)
    .sort((a, b) => a.at - b.at || (wanted === "" ? 0 : a.option.label.length - b.option.label.length) || (a.option.label < b.option.label ? -1 : 1))
    .map(({ option }) => option);
}

/** Describes the name at a place in a program. Returns null if there is no known name.
 * @param {string} text the program @param {number} at the place
 * @param {readonly EditorName[]} names @returns {CodeHelp | null} */
export function helpAt(text, at, names) {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(start, (text.indexOf("\n", at) + 1 || text.length + 1) - 1);
  for (const { 0: dotted, index } of line.matchAll(DOTTED)) {
    if (start + index > at || start + index + dotted.length < at) continue;
    // Pointing at `math` of `eg.math.sin` asks for eg.math.
    const rest = dotted.slice(at - start - index);
    const whole = dotted.slice(0, dotted.length - rest.length) + (/^[\p{L}\p{N}_]*/u.exec(rest)?.[0] ?? "");
    return found(whole, start + index, text, names, null);
  }
  return null;
}

/** The call whose arguments contain a place, or null. @param {string} text @param {number} at
 * @param {readonly EditorName[]} names
 * @returns {CodeHelp | null} */
export function callAt(text, at, names) {
  /** @type {string[]} */
  const open = [];
  let argument = 0;
  const before = withoutTexts(text.slice(Math.max(0, at - LONGEST_CALL), at));
  for (let k = before.length - 1; k >= 0; k--) {
    const sign = before[k];
    if (sign in CLOSING) open.push(CLOSING[/** @type {keyof typeof CLOSING} */ (sign)]);
    else if ("([{".includes(sign)) {
      if (open.length > 0) {
        if (open.pop() !== sign) return null;
      } else if (sign !== "(") argument = 0; // a list or a dict within an argument
      else {
        const callee = /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(before.slice(0, k));
        if (callee !== null && !/\b(?:def|class)\s+$/.test(before.slice(0, callee.index))) {
          const help = found(callee[0], at - before.length + callee.index, text, names, argument);
          if (help !== null && help.signature !== "") return help;
        }
        argument = 0;
      }
    } else if (sign === "," && open.length === 0) argument += 1;
  }
  return null;
}

/** Splits a signature into its parameters.
 * @param {string} signature such as "(f, argnums=0)"
 * @returns {string[]} */
export function parametersOf(signature) {
  const inner = signature.slice(1, signature.lastIndexOf(")"));
  /** @type {string[]} */
  const parameters = [];
  let [depth, start] = [0, 0];
  for (let k = 0; k <= inner.length; k++) {
    if (k === inner.length || (inner[k] === "," && depth === 0)) {
      parameters.push(inner.slice(start, k).trim());
      start = k + 1;
    } else if ("([{".includes(inner[k])) depth += 1;
    else if (")]}".includes(inner[k])) depth -= 1;
  }
  return parameters.filter((parameter) => parameter !== "");
}

/** @param {string} dotted @param {number} from @param {string} text @param {readonly EditorName[]} names @param {number | null} argument
 * @returns {CodeHelp | null} */
function found(dotted, from, text, names, argument) {
  const [own] = [...text.matchAll(DEFINITION)].filter(([, name]) => name === dotted);
  if (own !== undefined) return { from, name: dotted, signature: own[2].replaceAll(/\s+/g, " "), about: own[3] ?? "", argument };
  const dot = dotted.lastIndexOf(".") + 1;
  const word = dotted.slice(dot);
  const space = dot === 0 ? importedFrom(word, text) : spaceOf(dotted.slice(0, dot - 1), text);
  const entry = space === null ? undefined : names.find(({ name }) => name === space + word);
  return entry === undefined ? null : { from, name: dotted, signature: entry.signature, about: entry.about, argument };
}

/** Finds the part of the package that a dotted name refers to. Returns the prefix of this part's names. For example, `eg.math`
 * gives "math.". Returns null if the name does not refer to a part of the package.
 * @param {string} dotted @param {string} text the program, whose imports define names */
function spaceOf(dotted, text) {
  const [first, ...rest] = dotted.split(".");
  const known = [...text.matchAll(IMPORTS)].find(([, , as, part, partAs]) => first === (as ?? partAs ?? part));
  const root = known === undefined ? (first === "eg" ? "" : null) : (known[1] ?? known[3] ?? "");
  if (root === null) return null;
  const space = [root, ...rest].filter((name) => name !== "").map((name) => `${name}.`).join("");
  return SPACES.includes(space) ? space : null;
}

/** Finds the part of the package from which a program imports a name. Returns the prefix of this part's names. For example,
 * `from eglantine.math import sin` gives "math." for "sin". Returns "." if the program does not import the name.
 * @param {string} word the name @param {string} text the program */
function importedFrom(word, text) {
  const imported = [...text.matchAll(FROM_IMPORT)].find(([, , list]) => list.split(",").some((name) => name.trim() === word));
  return imported === undefined ? GIVEN : imported[1] === undefined ? "" : `${imported[1]}.`;
}

/** @param {string} name @param {string} space */
function isIn(name, space) {
  return name.startsWith(space) && (space === "" ? !name.includes(".") || name === "math" : !name.slice(space.length).includes("."));
}

/** @param {EditorName} entry @param {string} space @returns {Completion} */
function optionOf({ name, kind, signature, about }, space) {
  return { label: name.slice(space.length), type: SIGNS[kind] ?? "function", detail: signature, info: about || undefined };
}

/** Replaces the strings and comments in a program by blanks. @param {string} text */
function withoutTexts(text) {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g, (hidden) => " ".repeat(hidden.length));
}
