// The parts that all editors of programs share.

/** @typedef {typeof import("../../vendor/codemirror.js")} CodeMirror */
/** @typedef {import("@codemirror/view").EditorView} EditorView */
/** @typedef {{from: number, to: number, message: string}} Mistake */

/** Replaces the selected text by the text that you type, and returns true. We do not leave this to the browser, because the
 * browser would add a style attribute to keep the look of the old text. The page's security policy forbids style attributes.
 * Returns false if the event is not typing over a selection.
 * @param {CodeMirror} cm @param {InputEvent} event @param {EditorView} view */
export function replaceSelected({ EditorView: View }, event, view) {
  const { from, to, empty } = view.state.selection.main;
  const { data } = event;
  if (empty || data === null || event.inputType !== "insertText" || view.composing) return false;
  event.preventDefault();
  const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
  const isHandled = view.state.facet(View.inputHandler).some((handler) => handler(view, from, to, data, insert));
  if (!isHandled) view.dispatch(insert());
  return true;
}

/** @param {Mistake} mistake @param {number} length @returns {import("@codemirror/lint").Diagnostic} */
export function diagnosticOf({ from, to, message }, length) {
  const start = Math.min(from, length);
  return { from: start, to: Math.min(Math.max(to, start + 1), length), severity: "error", message };
}
