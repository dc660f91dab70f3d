// The list of programs: the examples, the program in the editor if it is your own, and your own program before it.

import * as texts from "./texts.js";

/** The values of two entries. CURRENT: your own program in the editor. OWN: your own program that was in the editor before. */
const CURRENT = "current";
const OWN = "own";

export class ProgramList {
  /** @param {HTMLSelectElement} root @param {{onExample: (name: string) => void, onOwn: () => void}} events */
  constructor(root, { onExample, onOwn }) {
    this.root = root;
    root.append(...Object.entries(texts.PROGRAMS).map(([name, title]) => new Option(title, name)));
    root.addEventListener("change", () => {
      if (root.value === OWN) onOwn();
      else if (root.value !== CURRENT) onExample(root.value);
    });
  }

  /** Shows which program is in the editor. @param {string} name of an example, or "" for your own */
  show(name) {
    this.offer(CURRENT, texts.YOUR_PROGRAM, name === "");
    this.root.value = name === "" ? CURRENT : name;
  }

  /** Adds or removes the entry for your stored program that is not in the editor.
   * @param {boolean} isThere true if there is such a program */
  offerOwn(isThere) {
    this.offer(OWN, texts.OWN_PROGRAM, isThere);
  }

  /** @private @param {string} value @param {string} title @param {boolean} isThere */
  offer(value, title, isThere) {
    const shown = this.root.querySelector(`[value=${value}]`);
    if (!isThere) shown?.remove();
    else if (shown === null) this.root.prepend(new Option(title, value));
  }
}
