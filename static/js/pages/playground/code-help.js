// Describes names of the program: the one that you point at, and the function whose arguments you are writing.

import { callAt, helpAt, parametersOf } from "../../widgets/code-names.js";

/** @typedef {import("../../widgets/code-editor.js").CodeEditor} CodeEditor */
/** @typedef {import("../../widgets/code-names.js").CodeHelp} Help */
/** @typedef {import("../../widgets/code-names.js").EditorName} EditorName */

const HOVER_MS = 350;
const GAP_PX = 4;

export class CodeHelp {
  /** @param {HTMLElement} root the element that shows a description @param {CodeEditor} editor
   * @param {() => Promise<EditorName[]>} names */
  constructor(root, editor, names) {
    this.root = root;
    this.editor = editor;
    this.names = names;
    this.timer = 0;
    /** The place in the text under the pointer, or null if the pointer is elsewhere. @type {number | null} */
    this.pointed = null;
    /** The kind of description that is shown. "name": the description of the name under the pointer. "call": the description of
     * the call at the caret. Null: no description is shown.
     * @type {"name" | "call" | null} */
    this.shown = null;
    editor.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
    editor.root.addEventListener("focusout", () => this.hide());
    for (const [target, options] of /** @type {const} */ ([[window, {}], [editor.root, { capture: true }]])) {
      target.addEventListener("scroll", () => this.hide(), { passive: true, ...options });
    }
  }

  /** @param {number | null} at the place that you point at, or null */
  point(at) {
    clearTimeout(this.timer);
    this.pointed = at;
    if (this.shown === "name") this.hide();
    if (at !== null) this.timer = window.setTimeout(() => this.describe(at), HOVER_MS);
  }

  /** @param {number} at the caret's place after an edit or a move */
  async write(at) {
    const names = await this.names();
    if (this.editor.selection[0] !== at || !this.editor.hasFocus) return;
    const help = callAt(this.editor.text, at, names);
    if (help !== null) this.show(help, "call");
    else if (this.shown === "call") this.hide();
  }

  hide() {
    this.shown = null;
    this.root.hidden = true;
  }

  /** @private @param {number} at */
  async describe(at) {
    const help = helpAt(this.editor.text, at, await this.names());
    if (help !== null && this.pointed === at && this.shown !== "call") this.show(help, "name");
  }

  /** @private @param {Help} help @param {"name" | "call"} kind */
  show({ from, name, signature, about, argument }, kind) {
    const place = this.editor.coordinatesAt(from);
    if (place === null) return;
    const code = document.createElement("code");
    code.append(name, ...signatureParts(signature, argument));
    this.root.replaceChildren(code, ...(about === "" ? [] : [Object.assign(document.createElement("p"), { textContent: about })]));
    this.root.hidden = false;
    this.shown = kind;
    const { width, height } = this.root.getBoundingClientRect();
    const above = place.top - height - GAP_PX;
    const left = Math.max(GAP_PX, Math.min(place.left, document.documentElement.clientWidth - width - GAP_PX));
    this.root.style.left = `${left}px`;
    this.root.style.top = `${above >= 0 ? above : place.bottom + GAP_PX}px`;
  }
}

/** Splits a signature into parts, and writes parameter number `argument` in bold. @param {string} signature
 * @param {number | null} argument
 * @returns {(string | HTMLElement)[]} */
function signatureParts(signature, argument) {
  if (signature === "" || argument === null) return [signature];
  const parameters = parametersOf(signature);
  const plain = parameters.filter((parameter) => parameter !== "*" && parameter !== "/");
  const rest = plain.findIndex((parameter) => parameter.startsWith("*"));
  const current = plain[rest >= 0 ? Math.min(argument, rest) : argument];
  const parts = parameters.map((parameter) =>
    (parameter === current ? Object.assign(document.createElement("b"), { textContent: parameter }) : parameter));
  return ["(", ...parts.flatMap((part, k) => (k === 0 ? [part] : [", ", part])), ")"];
}
