// Makes the completions that the editor offers for a program: the names after `eg.`, and Python's own names.

/** @typedef {import("@codemirror/autocomplete").CompletionContext} CompletionContext */
/** @typedef {import("@codemirror/autocomplete").CompletionResult} CompletionResult */
/** @typedef {import("./session.js").EditorName} EditorName */

const AFTER_EG = /\beg\.(math\.)?(\w*)$/;
/** CodeMirror's type for each kind of name. It shows an icon for each type. @type {Record<string, string>} */
const SIGNS = { constant: "constant", namespace: "namespace", class: "class", type: "type", function: "function" };

/** @param {() => Promise<EditorName[]>} names @returns {(context: CompletionContext) => Promise<CompletionResult | null>} */
export function offeredNames(names) {
  return async (context) => {
    const typed = context.matchBefore(/[\w.]+$/);
    const match = typed === null ? null : AFTER_EG.exec(typed.text);
    if (typed === null || match === null) return null;
    const [, space = "", word] = match;
    const known = await names();
    const options = known.flatMap((entry) => optionOf(entry, space));
    return { from: typed.to - word.length, options, validFor: /^\w*$/ };
  };
}

/** @param {EditorName} entry @param {string} space "math." or ""
 * @returns {import("@codemirror/autocomplete").Completion[]} none if the name is not in the space */
function optionOf({ name, kind, signature, about }, space) {
  const inside = name.startsWith("math.") ? "math." : "";
  if (inside !== space) return [];
  return [{ label: name.slice(space.length), type: SIGNS[kind] ?? "function", detail: signature, info: about || undefined }];
}
