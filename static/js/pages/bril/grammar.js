// The grammar by which the editor colours a Bril program. It knows only words. The compiler's reader finds the mistakes.

/** @typedef {import("../../widgets/code-parts.js").CodeMirror} CodeMirror */
/** @typedef {import("@codemirror/language").StringStream} Stream */

/** Pairs of a pattern and a highlighting tag, one for each kind of word. We use the first pattern that matches.
 * @type {readonly [RegExp, string][]} */
const WORDS = [
  [/#.*/, "comment"],
  [/'(?:\\.|[^\\])'/u, "string"],
  [/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])/, "number"],
  [/-?(?:NaN|Infinity)\b/, "number"],
  [/(?:true|false)\b/, "bool"],
  [/@[\w.]+/, "variableName.function"],
  [/\.\w+/, "labelName"],
  [/(?:jmp|br|ret|call|from|import|as)\b/, "controlKeyword"],
];
const TYPE = /(?:int|bool|float|char|ptr\b)/;
/** Matches the operation of an instruction. It is the first word after `=`, or the first word of a line without `=`. */
const OPERATION = /[a-z_]\w*\b(?!\s*[:=])/;
const NAME = /[\w%$]+(?:\.\w+)*/;

/** What the next word of a program can be. `isOperation`: true if it can be the operation of an instruction. `isType`: true if
 * it can be a type. @typedef {{isOperation: boolean, isType: boolean}} Place */

/** @param {Stream} stream @param {Place} place @returns {string | null} */
function tokenOf(stream, place) {
  if (stream.sol()) Object.assign(place, { isOperation: true, isType: false });
  if (stream.eatSpace()) return null;
  if (place.isType && stream.match(TYPE)) return "typeName";
  for (const [word, tag] of WORDS) {
    if (!stream.match(word)) continue;
    place.isOperation = false;
    return tag;
  }
  if (place.isOperation && stream.match(OPERATION)) {
    place.isOperation = false;
    return "operatorKeyword";
  }
  if (stream.match(NAME)) {
    place.isOperation = false;
    return "variableName";
  }
  const sign = stream.next();
  if (sign === ":") place.isType = true;
  if (sign === "=" || sign === ";" || sign === "{") Object.assign(place, { isOperation: true, isType: false });
  if (sign === "," || sign === ")") place.isType = false;
  return sign === "{" || sign === "}" || sign === "(" || sign === ")" ? "bracket" : "punctuation";
}

/** @param {CodeMirror} cm @returns {import("@codemirror/state").Extension} */
export const brilLanguage = ({ StreamLanguage }) =>
  StreamLanguage.define({
    name: "bril",
    startState: () => /** @type {Place} */ ({ isOperation: true, isType: false }),
    token: tokenOf,
    languageData: { commentTokens: { line: "#" } },
  });
