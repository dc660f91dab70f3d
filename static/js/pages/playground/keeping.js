// Stores your own program on this device while you type. A program from a link or from the list of examples becomes your own
// program when you edit it. We then store it in the first of two places, and move your previous program to the second place.

import { sharedFragment } from "../../page/shell.js";

const LAST = "eglantine-playground-1";
const BEFORE = "eglantine-playground-before-1";
const PAUSE_MS = 400;

export class ProgramKeeping {
  /** @param {() => string} read the program in the editor */
  constructor(read) {
    this.read = read;
    /** True if the editor contains an example or a linked program that you have not edited yet. @private */
    this.isForeign = false;
    /** @private */
    this.timer = 0;
    /** @private */
    this.onLeave = () => this.save();
    window.addEventListener("pagehide", this.onLeave);
    document.addEventListener("visibilitychange", this.onLeave);
  }

  /** The program that you last wrote here, or null. @returns {string | null} */
  get last() {
    return stored(LAST);
  }

  /** Your own stored program that is not in the editor, or null if there is none. @returns {string | null} */
  get other() {
    return stored(this.isForeign ? LAST : BEFORE);
  }

  /** True if the link in the address was copied here. */
  get isOwnLink() {
    return history.state?.isOwnProgram === true;
  }

  /** Notes that another program is in the editor now. @param {string} text */
  taken(text) {
    this.isForeign = text !== stored(LAST);
  }

  /** Called after an edit. Saves the program after a pause. Removes the fragment of the address, because the fragment contains
   * the old program. */
  edited() {
    if (sharedFragment() !== "") history.replaceState(null, "", location.pathname + location.search);
    if (this.isForeign) this.moveLast();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.save(), PAUSE_MS);
  }

  /** Saves an edit that is not saved yet. */
  save() {
    if (this.timer === 0) return;
    clearTimeout(this.timer);
    this.timer = 0;
    store(LAST, this.read());
  }

  /** Exchanges the last program and `other`. @returns {string | null} the new last program */
  swap() {
    this.save();
    const { other } = this;
    if (other !== null && !this.isForeign) this.moveLast(other);
    return other;
  }

  /** Writes a link to the program into the address. @param {string} fragment */
  link(fragment) {
    this.save();
    history.replaceState({ isOwnProgram: true }, "", `#${fragment}`);
  }

  destroy() {
    this.save();
    window.removeEventListener("pagehide", this.onLeave);
    document.removeEventListener("visibilitychange", this.onLeave);
  }

  /** @private @param {string | null} text that becomes the last program */
  moveLast(text = null) {
    const last = stored(LAST);
    this.isForeign = false;
    if (last !== null) store(BEFORE, last);
    if (text !== null) store(LAST, text);
  }
}

/** @param {string} key @param {string} text */
function store(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Without storage the program lasts only while the page is open.
  }
}

/** @param {string} key @returns {string | null} null also for a blank program */
function stored(key) {
  try {
    const text = localStorage.getItem(key);
    return text === null || text.trim() === "" ? null : text;
  } catch {
    return null;
  }
}
