// Shows the output of a program: the text that it prints, its value, its error and its pictures. An error contains links to
// lines of the program. The pictures are drawn in sandboxed frames.

import { PictureFrame } from "../../widgets/picture-frame.js";
import * as texts from "./texts.js";

/** The place of an error. `line`: the number of the program's line, or null if it is unknown. `trace`: the calls that led to
 * the error. Each call consists of a line's number and a function's name.
 * @typedef {{line: number | null, trace?: readonly (readonly [number, string])[]}} Place */

const MOST_CHARACTERS = 200_000;
/** The approximate length of a piece of the output, in characters. We divide the output into pieces, because the browser lays
 * out a whole piece again whenever the piece grows. A piece ends at the end of a line. */
const LONG_PIECE = 4_000;
/** The largest number of frames for pictures. When there are this many frames, the last frame shows all further pictures. */
const MOST_FRAMES = 20;

export class OutputLog {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.size = 0;
    /** Printed text that is not on the page yet. The next frame shows it. */
    this.waiting = "";
    this.frame = 0;
    /** @type {PictureFrame[]} */
    this.pictures = [];
  }

  clear() {
    for (const frame of this.pictures.splice(0)) frame.destroy();
    this.root.replaceChildren();
    this.root.classList.remove("has-pictures");
    this.size = 0;
    this.waiting = "";
  }

  /** @param {string} text as the program printed it */
  print(text) {
    const room = MOST_CHARACTERS - this.size;
    if (room <= 0) return;
    this.size += text.length;
    this.waiting += text.slice(0, room);
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.flush());
  }

  /** Draws a picture below the text that was printed so far. Pictures without text between them share a frame.
   * @param {string} shown its JSON */
  picture(shown) {
    this.flush();
    let last = this.pictures.at(-1);
    const follows = last !== undefined && this.root.lastElementChild === last.frame;
    if (last === undefined || !(follows || this.pictures.length >= MOST_FRAMES)) {
      last = new PictureFrame(this.root, texts.PICTURES_SHOWN, () => this.remark(texts.PICTURE_LOST));
      this.pictures.push(last);
    }
    last.draw(shown);
    this.root.classList.add("has-pictures");
    this.root.scrollTop = this.root.scrollHeight;
  }

  /** @private */
  flush() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const text = this.waiting;
    this.waiting = "";
    if (text === "") return;
    const last = this.root.lastChild;
    let end = 0;
    if (last instanceof HTMLElement && last.className === "printed") {
      const shown = last.textContent ?? "";
      // A line never continues in a new piece.
      if (shown.length < LONG_PIECE || !shown.endsWith("\n")) end = pieceEnd(text, 0, LONG_PIECE - shown.length);
      last.append(text.slice(0, end));
    }
    while (end < text.length) {
      const start = end;
      end = pieceEnd(text, start, LONG_PIECE);
      this.append("printed", text.slice(start, end));
    }
    this.root.scrollTop = this.root.scrollHeight;
  }

  /** @param {string} text of the value of the program's last line */
  value(text) {
    this.add("value", text);
  }

  /** @param {string} text that the page says about the program */
  remark(text) {
    this.add("remark", text);
  }

  /** @param {string} message @param {Place} place @param {(line: number) => void} onGo */
  mistake(message, place, onGo) {
    this.placed("mistake-note", message, place, onGo);
  }

  /** @param {string} text why the program ended @param {Place} place @param {(line: number) => void} onGo */
  ended(text, place, onGo) {
    this.placed("remark", text, place, onGo);
  }

  /** @private @param {string} kind @param {string} text @param {Place} place @param {(line: number) => void} onGo */
  placed(kind, text, { line, trace = [] }, onGo) {
    const element = this.add(kind, text);
    if (line === null) return;
    const calls = trace.slice(0, -1).map(([at, name]) => ({ at, text: texts.calledAt(at, name) }));
    for (const [k, { at, text: called }] of calls.entries()) {
      if (called === calls[k - 1]?.text) continue;
      element.append(document.createElement("br"), this.button(called, at, onGo));
      if (called === calls[k + 1]?.text) element.append(" ", texts.AGAIN);
    }
    element.prepend(this.button(texts.lineOf(line), line, onGo), " ");
  }

  /** @private @param {string} text @param {number} line @param {(line: number) => void} onGo */
  button(text, line, onGo) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "go";
    button.textContent = text;
    button.addEventListener("click", () => onGo(line));
    return button;
  }

  /** @private @param {string} kind @param {string} text */
  add(kind, text) {
    this.flush();
    const element = this.append(kind, text);
    this.root.scrollTop = this.root.scrollHeight;
    return element;
  }

  /** @private @param {string} kind @param {string} text */
  append(kind, text) {
    const element = document.createElement("div");
    element.className = kind;
    element.textContent = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
    this.root.append(element);
    return element;
  }
}

/** Finds the end of a piece of the output: the first end of a line after at least `least` characters.
 * @param {string} text the output @param {number} start the start of the piece @param {number} least the smallest length */
function pieceEnd(text, start, least) {
  return text.indexOf("\n", start + Math.max(0, least - 1)) + 1 || text.length;
}
