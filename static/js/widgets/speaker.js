// Speaks sentences to screen readers: at most one per second, always the newest one, and none for the page's first state.

const EVERY_MS = 1000;

export class Speaker {
  /** @param {HTMLElement} place with aria-live @param {() => void} onSaid called when a sentence has been said */
  constructor(place, onSaid = () => {}) {
    this.place = place;
    this.onSaid = onSaid;
    /** The newest sentence, whether already said or not. @type {string | null} */
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
      if (this.place.textContent !== this.wanted) this.place.textContent = this.wanted;
      this.onSaid();
    }, EVERY_MS);
  }

  destroy() {
    clearTimeout(this.timer);
    this.timer = 0;
  }
}
