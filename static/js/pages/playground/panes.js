// Shows a function's operations and its WebAssembly beside the program. If you choose a part of the program, of the operations
// or of the WebAssembly, the page also highlights the parts of the other panes that belong to it.

import { BytesView } from "./bytes-view.js";
import { Listing } from "./listing.js";
import { counted, meantAt, placesAt, rowsFrom } from "./provenance.js";
import * as texts from "./texts.js";

/** @typedef {import("./provenance.js").Row} Row */
/** @typedef {import("./provenance.js").Span} Span */
/** The listing of a function at one stage of its compilation. `rows`: links from lines to places in the program, as described
 * in app/playground/showing.py. `more`: the number of lines that were left out.
 * @typedef {{name: string, lines: string[], rows: number[][], more?: number}} Stage */
/** @typedef {{lines: string[], rows: number[][], folds: [number, number][], more?: number}} Wat */
/** @typedef {import("./provenance.js").Token} Token */
/** @typedef {{stages: Stage[], wat: Wat, places: [number, number][], tokens: Token[]}} Shown */
/** @typedef {"program" | "rows" | "wat"} Origin the pane in which you chose a part */

const ANNOUNCE_MS = 400;

export class Panes {
  /** @param {HTMLElement} root @param {(spans: readonly Span[], reveal: boolean) => void} lightProgram */
  constructor(root, lightProgram) {
    this.root = root;
    this.lightProgram = lightProgram;
    this.live = /** @type {HTMLElement} */ (root.querySelector(".live"));
    this.stageNames = /** @type {HTMLElement} */ (root.querySelector(".stages"));
    this.rows = new Listing(part(root, "#rows"), this.eventsOf("rows"));
    this.wat = new Listing(part(root, "#wat"), this.eventsOf("wat"));
    this.bytes = new BytesView(part(root, "#bytes"), this.eventsOf("wat"));
    /** @type {Shown} */
    this.shown = { stages: [], wat: { lines: [], rows: [], folds: [] }, places: [], tokens: [] };
    /** @type {Row[]} */
    this.watRows = [];
    /** The name of the stage that is shown. It stays the same when you choose another function. */
    this.stage = "";
    /** @type {readonly number[]} */
    this.held = [];
    /** @type {readonly number[] | null} */
    this.hovered = null;
    this.timer = 0;
    for (const button of root.querySelectorAll("button[data-form]")) {
      button.addEventListener("click", () => this.showForm(/** @type {HTMLElement} */ (button).dataset.form ?? ""));
    }
  }

  /** @param {Shown} shown @param {Uint8Array} bytes */
  show(shown, bytes) {
    this.shown = shown;
    this.held = [];
    this.hovered = null;
    this.watRows = rowsFrom(shown.wat.rows);
    const names = shown.stages.map((stage) => stage.name);
    if (!names.includes(this.stage)) this.stage = names.includes("derivative") ? "derivative" : names[names.length - 1];
    this.stageNames.replaceChildren(...names.map((name) => this.stageButton(name)));
    this.wat.show({ lines: shown.wat.lines, rows: this.watRows, folds: shown.wat.folds, more: shown.wat.more ?? 0 });
    this.bytes.show(bytes, this.watRows);
    this.showStage(this.stage);
  }

  /** In the listings, highlights the lines that come from the text at the caret or in the selection.
   * @param {number} from @param {number} to */
  hold(from, to) {
    this.held = this.placesOf(from, to);
    this.light("program", true);
  }

  /** Called with the pointer's position in the program, or null if the pointer is elsewhere. @param {number | null} at */
  hover(at) {
    const places = at === null ? null : this.placesOf(at, at);
    this.setHovered(places, "program");
  }

  /** Finds the places of the program in a selection or at the caret. Adds the places that the words there refer to, such as the
   * definition of a parameter. @private @param {number} from the start of the selection @param {number} to the end
   * @returns {number[]} */
  placesOf(from, to) {
    const { places, tokens } = this.shown;
    return [...new Set([...placesAt(places, from, to), ...meantAt(tokens, from, to)])];
  }

  /** Chooses nothing. */
  release() {
    this.held = [];
    this.hovered = null;
    this.light(null, false);
  }

  /** @private @param {Origin} origin @returns {import("./listing.js").ListingEvents} */
  eventsOf(origin) {
    return {
      onPick: (places) => {
        this.held = places;
        this.hovered = null;
        this.light(origin, true);
      },
      onHover: (places) => this.setHovered(places, origin),
    };
  }

  /** @private @param {readonly number[] | null} places @param {Origin} origin */
  setHovered(places, origin) {
    const next = places !== null && places.length > 0 ? places : null;
    if (String(next) === String(this.hovered)) return;
    this.hovered = next;
    this.light(origin, false);
  }

  /** @private @param {Origin | null} origin @param {boolean} reveal whether the other panes scroll to the lit parts */
  light(origin, reveal) {
    const places = new Set(this.hovered ?? this.held);
    this.lightProgram([...places].map((place) => this.shown.places[place]), reveal && origin !== "program");
    this.rows.light(places, reveal && origin !== "rows");
    this.wat.light(places, reveal && origin !== "wat");
    this.bytes.light(places, reveal && origin !== "wat");
    if (reveal) this.announce(places);
  }

  /** Announces the number of highlighted lines to screen readers, after a short pause.
   * @private @param {ReadonlySet<number>} places */
  announce(places) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const stage = this.shown.stages.find(({ name }) => name === this.stage);
      if (stage === undefined) return;
      const rows = counted(rowsFrom(stage.rows), places);
      const wat = counted(this.watRows, places);
      this.live.textContent = places.size === 0 ? "" : texts.litLines(rows.own, rows.derived, wat.own + wat.derived);
    }, ANNOUNCE_MS);
  }

  /** @private @param {string} name */
  stageButton(name) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.stage = name;
    button.textContent = texts.STAGES[name] ?? name;
    button.addEventListener("click", () => this.showStage(name));
    return button;
  }

  /** @private @param {string} name */
  showStage(name) {
    this.stage = name;
    for (const button of this.stageNames.children) button.ariaPressed = String(/** @type {HTMLElement} */ (button).dataset.stage === name);
    const stage = this.shown.stages.find((candidate) => candidate.name === name);
    if (stage !== undefined) this.rows.show({ lines: stage.lines, rows: rowsFrom(stage.rows), folds: [], more: stage.more ?? 0 });
    this.light(null, true);
  }

  /** @private @param {string} form "wat" or "bytes" */
  showForm(form) {
    for (const button of this.root.querySelectorAll("button[data-form]")) {
      button.ariaPressed = String(/** @type {HTMLElement} */ (button).dataset.form === form);
    }
    this.wat.root.hidden = form !== "wat";
    this.bytes.root.hidden = form !== "bytes";
    this.light(null, true);
  }
}

/** @param {HTMLElement} root @param {string} selector @returns {HTMLElement} */
function part(root, selector) {
  return /** @type {HTMLElement} */ (root.querySelector(selector));
}
