// The example programs, which are files of the site.

import { BUILD } from "../../engine/manifest.js";

const PROGRAMS = new URL("../programs/", BUILD);

/** Fetches the texts of examples. If a new request comes before the previous text has arrived, the previous text is ignored. */
export class Examples {
  constructor() {
    /** The text that is on its way. @type {Promise<string | null> | null} */
    this.coming = null;
  }

  /** @param {string} name @param {(text: string | null) => void} onText is given null if the text cannot be fetched */
  async fetch(name, onText) {
    const coming = fetchText(name);
    this.coming = coming;
    const text = await coming;
    if (this.coming !== coming) return;
    this.coming = null;
    onText(text);
  }

  /** Drops the text that is on its way. */
  drop() {
    this.coming = null;
  }

  /** Waits until no text is on its way. */
  async arrived() {
    while (this.coming !== null) await this.coming;
  }
}

/** @param {string} name @returns {Promise<string | null>} */
async function fetchText(name) {
  try {
    const response = await fetch(new URL(`${encodeURIComponent(name)}.py`, PROGRAMS));
    return response.ok ? await response.text() : null;
  } catch {
    return null; // there is no connection
  }
}
