// The program of a diagram, line by line. Pointing at a line lights up the shapes and relations that it makes.

export class ProgramText {
  /** @param {HTMLElement} place @param {(line: number) => void} light called with a line, or 0 for none */
  constructor(place, light) {
    this.place = place;
    this.text = "";
    place.addEventListener("pointerover", ({ target }) => {
      const line = target instanceof Element ? target.closest("[data-line]") : null;
      light(line instanceof HTMLElement ? Number(line.dataset.line) : 0);
    });
    place.addEventListener("pointerleave", () => light(0));
  }

  /** @param {string} text */
  show(text) {
    if (text === this.text) return;
    this.text = text;
    const lines = text.trimEnd().split("\n").map((line, k) => {
      const element = document.createElement("span");
      element.dataset.line = String(k + 1);
      element.textContent = `${line}\n`;
      return element;
    });
    this.place.replaceChildren(...lines);
  }

  /** Marks lines, and no others. @param {readonly number[]} lines */
  light(lines) {
    for (const element of /** @type {Iterable<HTMLElement>} */ (this.place.children)) {
      element.classList.toggle("is-lit", lines.includes(Number(element.dataset.line)));
    }
  }
}
