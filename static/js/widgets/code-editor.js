// The playground's editor. At first it is a plain text area. CodeMirror replaces the text area as soon as CodeMirror has
// loaded. We put CodeMirror into a shadow root, because there it adopts style sheets. In the page itself it would insert
// <style> elements, and the page's security policy forbids these.

import { offeredNames } from "./code-names.js";
import { diagnosticOf, replaceSelected } from "./code-parts.js";
import { codeTheme } from "./code-theme.js";

/** @typedef {typeof import("../../vendor/codemirror.js")} CodeMirror */
/** @typedef {import("@codemirror/view").EditorView} EditorView */
/** @typedef {import("./code-parts.js").Mistake} Mistake */
/** A part of the text, from its start to its end. @typedef {readonly [number, number]} Span */
/** Functions that the editor calls. `onChange`: called after every change of the text. `onEdit`: called after a change by the
 * visitor. `onSelect`: called with the selection. `onHover`: called with the pointer's position in the text, or with null when
 * the pointer leaves the text. `onRun`: called when the visitor presses Ctrl and Enter.
 * @typedef {{onChange: () => void, onEdit: () => void, onSelect: (from: number, to: number) => void, onHover: (at: number | null) => void,
 *   onRun: () => void, names: () => Promise<import("./code-names.js").EditorName[]>}} EditorEvents */

/** This label marks a change by the page. A change by the visitor has a different label. */
const GIVEN = "given";

export class CodeEditor {
  /** @param {HTMLElement} root with a textarea @param {string} label @param {EditorEvents} events */
  constructor(root, label, events) {
    this.root = root;
    this.label = label;
    this.events = events;
    this.area = /** @type {HTMLTextAreaElement} */ (root.querySelector("textarea"));
    /** @type {EditorView | null} */
    this.view = null;
    /** @type {((spans: readonly Span[]) => void) | null} */
    this.paint = null;
    /** @type {((mistakes: readonly Mistake[]) => void) | null} */
    this.mark = null;
    /** @type {Mistake[]} */
    this.mistakes = [];
    this.area.addEventListener("input", () => {
      events.onEdit();
      events.onChange();
    });
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        events.onRun();
      }
    });
    for (const name of ["keyup", "click", "select"]) {
      this.area.addEventListener(name, () => events.onSelect(this.area.selectionStart, this.area.selectionEnd));
    }
  }

  get text() {
    return this.view === null ? this.area.value : this.view.state.doc.toString();
  }

  /** @param {string} text replaces the whole program, which you can undo */
  set text(text) {
    if (this.view === null) this.area.value = text;
    else if (text !== this.text) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true, userEvent: GIVEN });
  }

  /** @returns {Span} the selection, or the caret */
  get selection() {
    if (this.view === null) return [this.area.selectionStart, this.area.selectionEnd];
    const { from, to } = this.view.state.selection.main;
    return [from, to];
  }

  get hasFocus() {
    return this.view === null ? document.activeElement === this.area : this.view.hasFocus;
  }

  /** Finds where a place of the text is in the window. Returns null if this is unknown.
   * @param {number} at a place in the text @returns {{left: number, top: number, bottom: number} | null} */
  coordinatesAt(at) {
    return this.view === null || at > this.view.state.doc.length ? null : this.view.coordsAtPos(at);
  }

  focus() {
    (this.view ?? this.area).focus();
  }

  /** @param {number} at moves the caret there and scrolls to it */
  goTo(at) {
    if (this.view === null) this.area.setSelectionRange(at, at);
    else this.view.dispatch({ selection: { anchor: Math.min(at, this.view.state.doc.length) }, scrollIntoView: true });
    this.focus();
  }

  /** @param {readonly Span[]} spans to light in the text @param {boolean} reveal whether to scroll to the first */
  light(spans, reveal) {
    this.paint?.(spans);
    if (reveal && spans.length > 0 && this.view !== null) {
      const { EditorView: View } = /** @type {CodeMirror} */ (this.modules);
      this.view.dispatch({ effects: View.scrollIntoView(Math.min(spans[0][0], this.view.state.doc.length), { y: "nearest", yMargin: 24 }) });
    }
  }

  /** @param {Mistake[]} mistakes */
  showMistakes(mistakes) {
    this.mistakes = mistakes;
    this.area.setAttribute("aria-invalid", String(mistakes.length > 0));
    this.mark?.(mistakes);
  }

  /** Replaces the text area by CodeMirror, with the same text, caret and focus. */
  async upgrade() {
    const cm = await import("../../vendor/codemirror.js");
    /** @private */
    this.modules = cm;
    const host = document.createElement("div");
    host.className = "code-host";
    const shadow = host.attachShadow({ mode: "open" });
    const hadFocus = document.activeElement === this.area;
    const selection = { anchor: this.area.selectionStart, head: this.area.selectionEnd };
    const lit = litField(cm);
    const view = new cm.EditorView({
      state: cm.EditorState.create({ doc: this.area.value, selection, extensions: [this.extensions(cm), lit.field] }),
      root: shadow,
      parent: shadow,
    });
    this.view = view;
    this.paint = (spans) => view.dispatch({ effects: lit.set.of(spans) });
    this.mark = (mistakes) => view.dispatch(cm.setDiagnostics(view.state, mistakes.map((mistake) => diagnosticOf(mistake, view.state.doc.length))));
    this.mark(this.mistakes);
    this.area.hidden = true;
    this.root.append(host);
    if (hadFocus) view.focus();
  }

  destroy() {
    this.view?.destroy();
  }

  /** @private @param {CodeMirror} cm @returns {import("@codemirror/state").Extension} */
  extensions(cm) {
    const { events } = this;
    const leave = () => events.onHover(null);
    return [
      cm.lineNumbers(),
      cm.lintGutter(),
      cm.history(),
      cm.drawSelection(),
      cm.highlightSpecialChars(),
      cm.indentOnInput(),
      cm.indentUnit.of("    "),
      cm.bracketMatching(),
      cm.closeBrackets(),
      cm.python(),
      cm.autocompletion({ override: [offeredNames(events.names), cm.localCompletionSource, cm.globalCompletion], icons: false }),
      cm.Prec.highest(cm.keymap.of([{ key: "Mod-Enter", run: () => (events.onRun(), true) }])),
      cm.keymap.of([
        ...cm.closeBracketsKeymap,
        ...cm.completionKeymap,
        { key: "Tab", run: cm.acceptCompletion },
        { key: "Tab", run: cm.indentMore, shift: cm.indentLess },
        ...cm.historyKeymap,
        ...cm.defaultKeymap,
      ]),
      cm.EditorView.contentAttributes.of({ "aria-label": this.label, autocapitalize: "off", autocorrect: "off", spellcheck: "false", tabindex: "0" }),
      cm.EditorView.updateListener.of((update) => {
        if (update.transactions.some((one) => one.docChanged && !one.isUserEvent(GIVEN))) events.onEdit();
        if (update.docChanged) events.onChange();
        const { from, to } = update.state.selection.main;
        if (update.selectionSet || update.docChanged) events.onSelect(from, to);
      }),
      cm.EditorView.domEventHandlers({
        pointermove: (event, view) => events.onHover(event.pointerType === "mouse" ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null),
        pointerleave: leave,
        beforeinput: (event, view) => replaceSelected(cm, event, view),
      }),
      codeTheme(cm),
    ];
  }
}

/** Makes a `StateField` of CodeMirror that stores which parts of the text are highlighted. When text is inserted or deleted,
 * the highlighted parts move with their text.
 * @param {CodeMirror} cm */
function litField({ Decoration, EditorView, StateEffect, StateField }) {
  /** @type {import("@codemirror/state").StateEffectType<readonly Span[]>} */
  const set = StateEffect.define();
  const mark = Decoration.mark({ class: "cm-lit" });
  const field = StateField.define({
    create: () => Decoration.none,
    update(lit, transaction) {
      let next = lit.map(transaction.changes);
      const { length } = transaction.newDoc;
      for (const effect of transaction.effects) {
        if (!effect.is(set)) continue;
        const shown = effect.value.filter(([from, to]) => from < to && to <= length);
        next = Decoration.set(shown.map(([from, to]) => mark.range(from, to)), true);
      }
      return next;
    },
    provide: (self) => EditorView.decorations.from(self),
  });
  return { set, field };
}
