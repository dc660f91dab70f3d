// A tape as a table, row by row, with the numbers known at the moment.

/** @typedef {import("./picture.js").TapeScene} TapeScene */
/** @typedef {import("./steps.js").TapeArtifact} TapeArtifact */
/** @typedef {{row: HTMLTableRowElement, value: HTMLDataElement, slope: HTMLDataElement, chunk: HTMLDataElement[], from: HTMLElement}} Line */

import { format } from "../../model/numbers.js";
import { nameElement, operationElements, setSentence } from "./operation.js";
import { numberAt, sumOf } from "./steps.js";
import * as texts from "./texts.js";

export class TapeTable {
  /** @param {HTMLTableElement} table with a head and a body */
  constructor(table) {
    this.table = table;
    /** @type {TapeArtifact | null} */
    this.tape = null;
    /** @type {Line[]} */
    this.lines = [];
  }

  /** @param {TapeScene} scene */
  draw(scene) {
    const { tape, numbers, moment, mode } = scene;
    if (tape !== this.tape) this.make(tape);
    this.table.dataset.mode = mode;
    setText(/** @type {HTMLElement} */ (this.table.querySelector(".slope-name")), texts.SLOPE_NAMES[mode]);
    tape.nodes.forEach(({ value, tangent, chunk, contributions }, node) => {
      const line = this.lines[node];
      const isKnown = moment.values.has(node);
      show(line.value, isKnown ? numberAt(numbers, value) : null);
      const count = moment.sums.get(node);
      const isTangent = mode === "tangents";
      const isSum = mode === "gradient" && count !== undefined;
      show(line.slope, isTangent && isKnown ? numberAt(numbers, tangent) : isSum ? sumOf(tape, numbers, node, count) : null);
      chunk.forEach((one, k) => show(line.chunk[k], mode === "chunk" && isKnown ? numberAt(numbers, one) : null));
      const terms = isSum ? contributions.slice(0, count) : [];
      const from = terms.map((one) => texts.termFrom(format(numberAt(numbers, one.term)), tape.nodes[one.user].name));
      setSentence(line.from, isSum && node === tape.result && count === 0 ? texts.SEED : from.join(" + ").replaceAll("+ \u2212", "\u2212 "));
      line.row.classList.toggle("is-now", "node" in moment.step && moment.step.node === node);
    });
  }

  /** @private @param {TapeArtifact} tape */
  make(tape) {
    this.tape = tape;
    const body = document.createElement("tbody");
    this.lines = tape.nodes.map((node, k) => {
      const row = body.insertRow();
      row.dataset.node = node.name;
      const head = document.createElement("th");
      head.scope = "row";
      head.append(nameElement(node.name));
      row.append(head);
      const operation = row.insertCell();
      if (node.op === "input") operation.textContent = texts.INPUT;
      else operation.append(...operationElements(tape.nodes, k));
      const value = document.createElement("data");
      row.insertCell().append(value);
      const slope = document.createElement("data");
      const slopeCell = row.insertCell();
      slopeCell.className = "is-slope";
      slopeCell.append(slope);
      const chunk = node.chunk.map(() => {
        const one = document.createElement("data");
        const cell = row.insertCell();
        cell.className = "is-slope chunk";
        cell.append(one);
        return one;
      });
      const from = row.insertCell();
      from.className = "from";
      return { row, value, slope, chunk, from };
    });
    this.table.tBodies[0].replaceWith(body);
  }
}

/** @param {HTMLDataElement} element @param {number | null} value null while it is unknown */
function show(element, value) {
  element.value = value === null ? "" : String(value);
  setText(element, value === null ? "" : format(value));
}

/** @param {HTMLElement} element @param {string} text */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
