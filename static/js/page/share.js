// Keeps the page's state in the fragment of its address.

import * as texts from "../texts.js";
import { sharedFragment } from "./shell.js";

const LINK_MS = 300;

/**
 * The functions that a page supplies for its links. A link has the page's state in its fragment, which is the part after the #.
 * @typedef {object} LinkEvents
 * @property {() => string} encode - returns the page's present state as a fragment, without the #
 * @property {(fragment: string) => string | null} open - shows the state that a fragment describes. Returns null, or an
 *   error message if the fragment is invalid
 * @property {(message: string) => void} notify
 * @property {() => string} [copied] - returns the message to show after a link was copied
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

  /** Writes the present state into the address after a short pause.
   * @param {boolean} rests false to only cancel a planned write */
  plan(rests) {
    clearTimeout(this.timer);
    if (rests) this.timer = window.setTimeout(() => this.write(), LINK_MS);
  }

  /** Writes the present state into the address. Does nothing if the address has just changed and its `hashchange` event has not
   * arrived yet.
   * @private */
  write() {
    if (location.hash !== this.known) return;
    const fragment = `#${this.events.encode()}`;
    if (location.hash !== fragment) history.replaceState(null, "", fragment);
    this.known = location.hash;
  }

  /** Copies a link to the page's present state. A formula that is still being typed is not part of this state. If there is such
   * a formula, a message says which formula the link contains instead.
   * @param {string | null} instead the formula in the link if the visitor is typing another one. Otherwise null */
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
