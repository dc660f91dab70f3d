// The search of the documentation. Its index lists every section with its text, and loads when you first reach for the field.

import { BUILD, loadManifest } from "../../engine/manifest.js";
import { isTyping } from "../../page/controls.js";
import * as texts from "./texts.js";
import { found, pieces } from "./sections.js";

const MOST_SHOWN = 20;

export class Search {
  /** @param {HTMLFormElement} form @param {HTMLElement} results */
  constructor(form, results) {
    this.results = results;
    this.field = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
    /** @type {Promise<import("./sections.js").Section[]> | null} */
    this.index = null;
    this.field.addEventListener("focus", () => this.load());
    this.field.addEventListener("input", () => this.show());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      /** @type {HTMLElement | null} */ (results.querySelector("a"))?.click();
    });
    form.addEventListener("keydown", (event) => this.key(event));
    results.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      this.field.focus();
      event.preventDefault();
    });
  }

  /** @private */
  load() {
    this.index ??= loadManifest()
      .then(({ search }) => fetch(new URL(search, BUILD)))
      .then((response) => (response.ok ? response.json() : Promise.reject(new Error(String(response.status)))));
    return this.index;
  }

  /** Shows the sections that match the text in the search field. @private */
  async show() {
    const query = this.field.value.trim();
    if (query === "") {
      this.results.hidden = true;
      return;
    }
    try {
      const sections = found(await this.load(), query);
      if (query === this.field.value.trim()) this.list(sections, query);
    } catch {
      this.index = null;
      this.tell(texts.NO_INDEX);
    }
  }

  /** @private @param {import("./sections.js").Section[]} sections @param {string} query */
  list(sections, query) {
    if (sections.length === 0) {
      this.tell(texts.nothingFound(query));
      return;
    }
    const items = sections.slice(0, MOST_SHOWN).map(([address, page, title, text]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = address;
      link.append(...marked(title === "" ? page : title, query));
      const where = Object.assign(document.createElement("span"), { className: "where", textContent: title === "" ? "" : page });
      const about = document.createElement("p");
      about.append(...marked(text, query, true));
      item.append(link, " ", where, about);
      return item;
    });
    const list = document.createElement("ol");
    list.lang = "en";
    list.append(...items);
    const count = Object.assign(document.createElement("p"), { className: "small", textContent: texts.sectionsFound(sections.length) });
    this.results.replaceChildren(count, list);
    this.results.hidden = false;
  }

  /** @private @param {string} sentence */
  tell(sentence) {
    const line = Object.assign(document.createElement("p"), { className: "small", textContent: sentence });
    this.results.replaceChildren(line);
    this.results.hidden = false;
  }

  /** Responds to a key: the arrow keys move between the field and the results, and Escape clears the field. @private
   * @param {KeyboardEvent} event */
  key(event) {
    const places = [this.field, .../** @type {NodeListOf<HTMLElement>} */ (this.results.querySelectorAll("a"))];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const at = places.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      places[Math.min(Math.max(at + step, 0), places.length - 1)].focus();
      event.preventDefault();
    } else if (event.key === "Escape") {
      this.field.value = "";
      this.results.hidden = true;
      this.field.focus();
    }
  }
}

/** Divides a text into strings and `<mark>` elements. Each `<mark>` element contains a word of the query.
 * @param {string} text @param {string} query @param {boolean} isCut true to keep only the part around the first match
 * @returns {(string | HTMLElement)[]} */
function marked(text, query, isCut = false) {
  return pieces(text, query, isCut).map(({ text: piece, isMatch }) => (isMatch ? Object.assign(document.createElement("mark"), { textContent: piece }) : piece));
}
