// Sentences for who hears the page: the newest one, at most one in a while, none for how the page begins.

const EVERY_MS = 1000;

export class Speaker {
  /** @param {HTMLElement} place with aria-live @param {number} everyMs */
  constructor(place, everyMs = EVERY_MS) {
    this.place = place;
    this.everyMs = everyMs;
    /** What was to be said last. @type {string | null} */
    this.wanted = null;
    this.timer = 0;
  }

  /** @param {string} text */
  say(text) {
    if (text === this.wanted) return;
    const isFirst = this.wanted === null;
    this.wanted = text;
    if (isFirst || this.timer !== 0) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.place.textContent = this.wanted;
    }, this.everyMs);
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
