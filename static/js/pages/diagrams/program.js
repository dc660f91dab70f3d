// The editor for the program of a diagram. If you point at a line, the page highlights the shapes and relations that this line
// makes. A short time after you have changed the program, it runs in the sandbox. The page then shows the new diagram. A program
// from a link runs only when you press Run.

/** @typedef {import("./sandboxed.js").Ran} Ran */
/** The functions that the editor calls. `light`: highlights the shapes and relations that a line of the program makes. Lines
 * count from 1, and line 0 highlights nothing. `run`: runs the changed program. `isEdit` is true if the text is an edit of the
 * program that ran last.
 * @typedef {{light: (line: number) => void, run: (text: string, isEdit: boolean) => void}} ProgramEvents */

import { CodeEditor } from "../../widgets/code-editor.js";
import * as texts from "./texts.js";

const PAUSE_MS = 600;

export class ProgramEditor {
  /** @param {HTMLElement} place a `details` element with the editor in it @param {ProgramEvents} events */
  constructor(place, events) {
    this.place = place;
    this.events = events;
    this.told = /** @type {HTMLElement} */ (place.querySelector(".trouble"));
    /** The program of the document that was shown last. */
    this.shown = "";
    /** The program that ran last. */
    this.ran = "";
    /** True if the page has put another program into the editor since the last run. */
    this.isOther = true;
    /** True if the program came from a link and has not run yet. Edits do not run it. */
    this.waits = false;
    this.timer = 0;
    this.isUpgraded = false;
    this.editor = new CodeEditor(/** @type {HTMLElement} */ (place.querySelector(".code")), texts.PROGRAM_OF_DIAGRAM, {
      onChange: () => {},
      onEdit: () => this.plan(),
      onSelect: (from) => events.light(lineAt(this.editor.text, from)),
      onHover: (at) => events.light(at === null ? 0 : lineAt(this.editor.text, at)),
      onRun: () => this.run(),
      names: async () => [],
    });
    place.addEventListener("toggle", () => this.upgrade());
    place.querySelector(".run")?.addEventListener("click", () => {
      this.ran = "";
      this.run();
    });
  }

  /** Shows the program of a document. If it is the program that was shown or run last, leaves the editor's text as it is,
   * because the visitor may have changed the text since then.
   * @param {string} text @param {boolean} isLinked true if the program came from a link and has not run yet */
  show(text, isLinked) {
    if (text === this.shown) return;
    this.shown = text;
    if (text === this.ran) return;
    this.ran = text;
    [this.isOther, this.waits] = [true, isLinked];
    clearTimeout(this.timer);
    if (text !== this.editor.text) this.editor.text = text;
    this.tell([], "");
  }

  /** Opens the editor for a program from a link, with a note on how to run it. */
  offer() {
    /** @type {HTMLDetailsElement} */ (this.place).open = true;
    this.say(texts.PROGRAM_OF_LINK);
  }

  /** @param {readonly number[]} lines to mark */
  light(lines) {
    const spans = lines.filter((line) => line > 0).map((line) => spanOf(this.editor.text, line));
    this.editor.light(spans.filter(([from, to]) => to > from), false);
  }

  /** Says why a program did not run. @param {Extract<Ran, {trouble: any}>["trouble"]} trouble */
  refuse({ message, line, from, to }) {
    const place = from === null || to === null ? null : { from, to, message };
    this.tell(place === null ? [] : [place], line === null ? message : texts.troubleInLine(line, message));
  }

  /** @param {string} message of the page itself, or "" */
  say(message) {
    this.told.textContent = message;
  }

  /** @private @param {{from: number, to: number, message: string}[]} mistakes @param {string} message */
  tell(mistakes, message) {
    this.editor.showMistakes(mistakes);
    this.say(message);
  }

  /** @private */
  plan() {
    clearTimeout(this.timer);
    if (!this.waits) this.timer = window.setTimeout(() => this.run(), PAUSE_MS);
  }

  /** @private */
  run() {
    clearTimeout(this.timer);
    const { text } = this.editor;
    if (text === this.ran) return;
    const isEdit = !this.isOther;
    [this.ran, this.isOther, this.waits] = [text, false, false];
    this.tell([], "");
    this.events.run(text, isEdit);
  }

  /** Replaces the plain text area by a code editor. Called when somebody opens the section. @private */
  async upgrade() {
    if (this.isUpgraded) return;
    this.isUpgraded = true;
    await this.editor.upgrade().catch(() => {}); // the text area is enough
  }
}

/** @param {string} text @param {number} at @returns {number} the line, from 1 */
function lineAt(text, at) {
  return text.slice(0, at).split("\n").length;
}

/** @param {string} text @param {number} line from 1 @returns {[number, number]} */
function spanOf(text, line) {
  const lines = text.split("\n");
  const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return [from, from + (lines[line - 1] ?? "").length];
}
