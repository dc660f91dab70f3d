// A field for a program. At first it is a plain text area. CodeMirror replaces the text area as soon as CodeMirror has loaded.
// The field has no undo of its own, because the page undoes changes of the text. The Tab key leaves the field, so that people
// who use only keys cannot get stuck in it.

import { diagnosticOf, replaceSelected } from "./code-parts.js";
import { codeTheme } from "./code-theme.js";

/** @typedef {import("./code-parts.js").CodeMirror} CodeMirror */
/** @typedef {import("./code-parts.js").Mistake} Mistake */
/** @typedef {import("@codemirror/view").EditorView} EditorView */
/** Functions that the field calls. `typed`: called after a change by the visitor. `done`: called when the focus leaves the
 * field.
 * @typedef {{typed: (text: string) => void, done: () => void}} CodeAreaEvents */

/** This label marks a change by the page. A change by the visitor has a different label. */
const GIVEN = "given";

export class CodeArea {
  /** @param {HTMLTextAreaElement} area @param {(cm: CodeMirror) => import("@codemirror/state").Extension} language
   * @param {CodeAreaEvents} events */
  constructor(area, language, events) {
    this.area = area;
    this.language = language;
    this.events = events;
    /** @type {EditorView | null} */
    this.view = null;
    /** @type {((mistakes: readonly Mistake[]) => void) | null} */
    this.mark = null;
    /** @type {Mistake[]} */
    this.mistakes = [];
    area.addEventListener("input", () => events.typed(area.value));
    area.addEventListener("blur", events.done);
  }

  get text() {
    return this.view === null ? this.area.value : this.view.state.doc.toString();
  }

  /** Sets the text. Replaces only the part that differs from the old text, so that the caret stays in its place.
   * @param {string} text */
  set text(text) {
    const old = this.text;
    if (text === old) return;
    if (this.view === null) {
      this.area.value = text;
      return;
    }
    const [from, to, insert] = difference(old, text);
    this.view.dispatch({ changes: { from, to, insert }, userEvent: GIVEN });
  }

  /** @param {Mistake[]} mistakes */
  showMistakes(mistakes) {
    this.mistakes = mistakes;
    const isWrong = String(mistakes.length > 0);
    this.area.setAttribute("aria-invalid", isWrong);
    this.view?.contentDOM.setAttribute("aria-invalid", isWrong);
    this.mark?.(mistakes);
  }

  /** @param {number} from @param {number} to selects this part, shows it and moves the focus there */
  select(from, to) {
    if (this.view === null) this.area.setSelectionRange(from, to);
    else this.view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    (this.view ?? this.area).focus();
  }

  /** Loads the code editor after the page has been painted. If the editor does not load, the plain text area stays. */
  upgradeSoon() {
    requestAnimationFrame(() => setTimeout(() => this.upgrade().catch(() => {})));
  }

  /** Replaces the text area by CodeMirror, with the same text, caret and focus. */
  async upgrade() {
    const cm = await import("../../vendor/codemirror.js");
    const { area } = this;
    const host = document.createElement("div");
    host.className = "code-host";
    const shadow = host.attachShadow({ mode: "open" }); // here it adopts style sheets; in the page it would insert <style>
    const hadFocus = document.activeElement === area;
    const selection = { anchor: area.selectionStart, head: area.selectionEnd };
    const state = cm.EditorState.create({ doc: area.value, selection, extensions: this.extensions(cm) });
    const view = new cm.EditorView({ state, root: shadow, parent: shadow });
    this.mark = (mistakes) => view.dispatch(cm.setDiagnostics(view.state, mistakes.map((one) => diagnosticOf(one, view.state.doc.length))));
    this.view = view;
    this.showMistakes(this.mistakes);
    area.hidden = true;
    area.after(host);
    if (hadFocus) view.focus();
  }

  destroy() {
    this.view?.destroy();
  }

  /** @private @param {CodeMirror} cm @returns {import("@codemirror/state").Extension} */
  extensions(cm) {
    const { area, events } = this;
    return [
      cm.lineNumbers(),
      cm.lintGutter(),
      cm.drawSelection(),
      cm.highlightSpecialChars(),
      cm.indentUnit.of("  "),
      cm.bracketMatching(),
      this.language(cm),
      cm.keymap.of(cm.defaultKeymap),
      cm.EditorView.contentAttributes.of({ "aria-label": area.getAttribute("aria-label") ?? "", autocapitalize: "off", autocorrect: "off", spellcheck: "false", tabindex: "0" }),
      cm.EditorView.updateListener.of((update) => {
        if (update.transactions.some((one) => one.docChanged && !one.isUserEvent(GIVEN))) events.typed(this.text);
      }),
      cm.EditorView.domEventHandlers({
        blur: () => events.done(),
        beforeinput: (event, view) => replaceSelected(cm, event, view),
      }),
      codeTheme(cm),
    ];
  }
}

/** Finds the smallest part of the old text whose replacement gives the new text.
 * @param {string} old the old text @param {string} text the new text
 * @returns {[from: number, to: number, insert: string]} the start and end of the part, and the text that replaces it */
function difference(old, text) {
  const least = Math.min(old.length, text.length);
  let head = 0;
  while (head < least && old[head] === text[head]) head++;
  let tail = 0;
  while (tail < least - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  return [head, old.length - tail, text.slice(head, text.length - tail)];
}
