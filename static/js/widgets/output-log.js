// What a program said: pieces of text as they come, its value, and its mistake with the way to its line.

import * as texts from "../texts.js";

/** A line of the program, if one is known, and the lines and functions on the way to it.
 * @typedef {{line: number | null, trace?: readonly (readonly [number, string])[]}} Place */

const MOST_CHARACTERS = 200_000;

export class OutputLog {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.size = 0;
  }

  clear() {
    this.root.replaceChildren();
    this.size = 0;
  }

  /** @param {string} text as the program printed it */
  print(text) {
    const room = MOST_CHARACTERS - this.size;
    if (room <= 0) return;
    this.size += text.length;
    const last = this.root.lastChild;
    if (last instanceof HTMLElement && last.className === "printed") last.append(text.slice(0, room));
    else this.add("printed", text.slice(0, room));
    this.root.scrollTop = this.root.scrollHeight;
  }

  /** @param {string} text of the value in the program's last line */
  value(text) {
    this.add("value", text);
  }

  /** @param {string} text said by the page */
  remark(text) {
    this.add("remark", text);
  }

  /** @param {string} message @param {Place} place @param {(line: number) => void} onGo */
  mistake(message, place, onGo) {
    this.placed("mistake-note", message, place, onGo);
  }

  /** @param {string} text why the program was ended @param {Place} place @param {(line: number) => void} onGo */
  ended(text, place, onGo) {
    this.placed("remark", text, place, onGo);
  }

  /** @private @param {string} kind @param {string} text @param {Place} place @param {(line: number) => void} onGo */
  placed(kind, text, { line, trace = [] }, onGo) {
    const element = this.add(kind, text);
    if (line === null) return;
    for (const [at, name] of trace.slice(0, -1)) element.append(document.createElement("br"), this.button(texts.calledAt(at, name), at, onGo));
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
    const element = document.createElement("div");
    element.className = kind;
    element.textContent = text;
    this.root.append(element);
    this.root.scrollTop = this.root.scrollHeight;
    return element;
  }
}
