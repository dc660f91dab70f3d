// The section for Penrose's own programs: three texts that you type, paste or drop, and the results of Penrose's optimiser and
// of ours.

/** @typedef {import("../../model/types.js").Trio} Trio */
/** @typedef {import("./diagrams.js").Diagrams} Diagrams */
/** @typedef {import("./trio-sandbox.js").Theirs} Theirs */

import { format, formatShort } from "../../model/numbers.js";
import { OF_TRIO } from "./registry.js";
import { TrioSandbox } from "./trio-sandbox.js";
import { EXAMPLES, TRIOS } from "./trios.js";
import * as texts from "./trio-texts.js";

const PARTS = /** @type {const} */ (["domain", "substance", "style"]);
/** We show energies and errors of constraints with this many digits. */
const DIGITS = 6;
/** If the error of a constraint is smaller than this, we show it as 0, as in the list of relations. */
const SHOWN_FROM = 1e-6;

export class TrioPanel {
  /** @param {Diagrams} diagrams @param {HTMLDetailsElement} place */
  constructor(diagrams, place) {
    this.diagrams = diagrams;
    this.place = place;
    /** @type {TrioSandbox | null} */
    this.sandbox = null;
    /** Penrose's results. Each key is the data of a diagram that Penrose has compiled. @type {Map<string, Theirs>} */
    this.theirs = new Map();
    /** The three Penrose programs that are shown now, or null. @type {Trio | null} */
    this.shown = null;
    /** The layout whose comparison is shown. @type {import("./layout.js").Layout | null} */
    this.compared = null;
    const examples = /** @type {HTMLSelectElement} */ (this.find("[name=trio]"));
    for (const name of TRIOS) examples.add(new Option(texts.TRIO_EXAMPLES[name], name));
    examples.add(new Option(texts.OWN_TRIO, ""));
    examples.addEventListener("change", () => examples.value !== "" && this.fill(EXAMPLES[/** @type {keyof typeof EXAMPLES} */ (examples.value)]));
    this.fill(EXAMPLES[TRIOS[0]]);
    for (const part of PARTS) this.find(`[name=${part}]`).addEventListener("input", () => (examples.value = ""));
    this.button(".trio-run").addEventListener("click", () => this.run());
    this.button(".trio-stop").addEventListener("click", () => this.sandbox?.stop());
    place.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
    place.addEventListener("drop", (event) => this.drop(event));
  }

  /** Shows the Penrose programs of the present document, and a comparison of the two optimisers' results. */
  show() {
    const { doc, source: { made: layout } } = this.diagrams;
    if (doc.trio !== null && doc.trio !== this.shown) {
      this.fill(doc.trio);
      const isExample = TRIOS.find((name) => PARTS.every((part) => EXAMPLES[name][part] === doc.trio?.[part]));
      /** @type {HTMLSelectElement} */ (this.find("[name=trio]")).value = isExample ?? "";
      if (doc.data === null) {
        this.place.open = true;
        this.say(texts.TRIO_OF_LINK);
      }
    }
    this.shown = doc.trio;
    const theirs = doc.id === OF_TRIO && doc.data !== null ? this.theirs.get(doc.data) : undefined;
    this.find(".trio-compared").hidden = theirs === undefined;
    if (theirs !== undefined && layout !== this.compared) this.compare(theirs, layout);
  }

  /** @private */
  async run() {
    const trio = this.trio;
    if (PARTS.some((part) => trio[part].trim() === "")) {
      this.say(texts.NO_DOMAIN);
      return;
    }
    this.sandbox ??= new TrioSandbox(this.diagrams.compiler.python.manifest, ({ phase }) => {
      if (this.button(".trio-run").disabled) this.say(phase === "ready" ? texts.COMPILING_TRIO : texts.LOADING_PENROSE);
    });
    this.busy = true;
    this.say(this.sandbox.worker.ready ? texts.COMPILING_TRIO : texts.LOADING_PENROSE);
    const ran = await this.sandbox.run(trio);
    this.busy = false;
    if ("superseded" in ran) return;
    if ("refused" in ran) this.say(ran.refused);
    else if ("failed" in ran) this.say(ran.failed === "stopped" ? texts.TRIO_STOPPED : ran.failed === "slow" ? texts.TRIO_SLOW : texts.TRIO_DIED);
    else {
      this.say("");
      this.theirs.set(ran.data, ran.theirs);
      this.shown = trio;
      this.diagrams.showTrio(trio, ran.data);
      this.diagrams.display.find(".place").scrollIntoView({ block: "nearest" });
    }
  }

  /** Enables the button Stop while Penrose works, and the button Run otherwise. @private @param {boolean} isBusy */
  set busy(isBusy) {
    this.button(".trio-run").disabled = isBusy;
    this.button(".trio-stop").disabled = !isBusy;
  }

  /** Reads dropped files whose names end in .domain, .substance or .style. @private @param {DragEvent} event */
  async drop(event) {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    for (const file of files) {
      const part = PARTS.find((name) => file.name.endsWith(`.${name}`));
      if (part === undefined) {
        this.say(texts.noTrioFile(file.name));
        return;
      }
      this.field(part).value = await file.text();
      /** @type {HTMLSelectElement} */ (this.find("[name=trio]")).value = "";
    }
    this.say("");
  }

  /** Compares the results of our optimiser and Penrose's optimiser for the same energy. @private @param {Theirs} theirs
   * @param {import("./layout.js").Layout} layout */
  compare(theirs, layout) {
    this.compared = layout;
    const { artifact: { starts, cost, shapes } } = layout;
    const counted = new Set(theirs.last);
    const ours = layout.first();
    const penrose = layout.at(starts[starts.length - 1]); // the import puts the end of Penrose's layout last
    const energy = (/** @type {import("./layout.js").Placed} */ placed) => short(layout.energyOf(placed, counted, theirs.weight));
    const worst = (/** @type {import("./layout.js").Placed} */ placed) => short(layout.worst(placed));
    const words = texts.trioRows(format(theirs.weight));
    const moving = shapes.filter(({ moves }) => moves).length;
    const rows = [
      [words.compile, texts.milliseconds(formatShort(theirs.compileMs)), texts.afterPenrose(formatShort(cost.ms))],
      [words.layout, texts.milliseconds(formatShort(theirs.optimiseMs)), texts.milliseconds(formatShort(layout.firstMs))],
      [words.energy, energy(penrose), energy(ours)],
      [words.worst, worst(penrose), worst(ours)],
      [words.drag, texts.outOf(theirs.inputs, theirs.positioned), texts.outOf(moving, shapes.length)],
    ];
    this.find(".trio-compared tbody").replaceChildren(...rows.map(([head, ...cells]) => {
      const row = document.createElement("tr");
      row.append(Object.assign(document.createElement("th"), { scope: "row", textContent: head }), ...cells.map((textContent) => Object.assign(document.createElement("td"), { textContent })));
      return row;
    }));
    this.find(".trio-compared p").textContent = texts.trioCompared(theirs.isOptimised);
  }

  /** The programs in the text fields. @private @returns {Trio} */
  get trio() {
    const [domain, substance, style] = PARTS.map((part) => this.field(part).value);
    return { domain, substance, style, variation: /** @type {HTMLInputElement} */ (this.find("[name=variation]")).value };
  }

  /** @private @param {Trio} trio */
  fill(trio) {
    for (const part of PARTS) this.field(part).value = trio[part];
    /** @type {HTMLInputElement} */ (this.find("[name=variation]")).value = trio.variation;
    this.say("");
  }

  /** @private @param {string} message */
  say(message) {
    this.find(".trio-said").textContent = message;
  }

  /** @private @param {string} name @returns {HTMLTextAreaElement} */
  field(name) {
    return /** @type {HTMLTextAreaElement} */ (this.find(`[name=${name}]`));
  }

  /** @private @param {string} selector @returns {HTMLButtonElement} */
  button(selector) {
    return /** @type {HTMLButtonElement} */ (this.find(selector));
  }

  /** @private @param {string} selector @returns {HTMLElement} */
  find(selector) {
    return /** @type {HTMLElement} */ (this.place.querySelector(selector));
  }
}

/** @param {number} value @returns {string} */
function short(value) {
  return format(Math.abs(value) < SHOWN_FROM ? 0 : Number(value.toPrecision(DIGITS)));
}
