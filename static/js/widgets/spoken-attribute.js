// An attribute that a screen reader may read aloud when it changes, such as the label of the focused element.

const EVERY_MS = 1000;

export class SpokenAttribute {
  /** @param {HTMLElement} element @param {string} name */
  constructor(element, name) {
    this.element = element;
    this.name = name;
    this.wanted = "";
    this.timer = 0;
  }

  /** Sets the attribute's text. If the element has the focus while a descent or a training runs, the text changes at most once
   * per second. A screen reader can then follow.
   * @param {string} text @param {boolean} runs */
  set(text, runs) {
    this.wanted = text;
    const waits = runs && document.activeElement === this.element && this.element.hasAttribute(this.name);
    if (!waits) this.write();
    else if (this.timer === 0) this.timer = window.setTimeout(() => this.write(), EVERY_MS);
  }

  /** @private */
  write() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.element.getAttribute(this.name) !== this.wanted) this.element.setAttribute(this.name, this.wanted);
  }

  destroy() {
    clearTimeout(this.timer);
  }
}
