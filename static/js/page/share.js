// The page's state as the fragment of its address.

import * as texts from "../texts.js";
import { sharedFragment } from "./shell.js";

const LINK_MS = 300;

/**
 * @typedef {object} LinkEvents
 * @property {() => string} encode the present state, without the #
 * @property {(fragment: string) => string | null} open returns null, or a sentence why the fragment cannot be opened
 * @property {(message: string) => void} notify
 * @property {() => string} [copied] the message after a link was copied
 */

export class Link {
  /** @param {LinkEvents} events */
  constructor(events) {
    this.events = events;
    this.timer = 0;
    /** The fragment read or written last. */
    this.known = location.hash;
    this.onHash = () => this.open();
    window.addEventListener("hashchange", this.onHash);
  }

  /** Goes to the state in the address, if there is one. */
  open() {
    this.known = location.hash;
    const fragment = sharedFragment();
    if (fragment === "" || fragment === this.events.encode()) return;
    const refused = this.events.open(fragment);
    if (refused !== null) this.events.notify(refused);
  }

  /** Writes the present state into the address, soon and not too often. @param {boolean} rests otherwise cancels the write */
  plan(rests) {
    clearTimeout(this.timer);
    if (rests) this.timer = window.setTimeout(() => this.write(), LINK_MS);
  }

  /** Writes the address, unless a new one was just opened: its event comes after this timer. @private */
  write() {
    if (location.hash !== this.known) return;
    const fragment = `#${this.events.encode()}`;
    if (location.hash !== fragment) history.replaceState(null, "", fragment);
    this.known = location.hash;
  }

  /** Copies the address of the present state. @param {string | null} instead the formula in it if you are typing another one,
   * else null */
  async share(instead = null) {
    this.write();
    try {
      await navigator.clipboard.writeText(location.href);
      this.events.notify(texts.insteadOfTyped(this.events.copied?.() ?? texts.COPIED, instead));
    } catch {
      this.events.notify(texts.NOT_COPIED);
    }
  }

  destroy() {
    clearTimeout(this.timer);
    window.removeEventListener("hashchange", this.onHash);
  }
}
