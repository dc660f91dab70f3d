// The sliders of a formula's letters. Each has a number field, and a range, a step and a player that can be opened.

/** @typedef {import("../model/types.js").Param} Param */
/**
 * Functions that a page passes to its sliders. The sliders call them with the name of a letter.
 * @typedef {object} SliderEvents
 * @property {(name: string, value: number) => void} slid called when the visitor changes the letter's value
 * @property {() => void} done called when a change of a value or of a field ends
 * @property {(name: string, field: "min" | "max" | "step", value: number) => void} ranged called when a field
 *   of the slider's range changes
 * @property {(name: string) => void} played called when the visitor starts or stops a slider's movement
 * @property {(name: string, speed: number) => void} sped called when the visitor chooses the speed of the movement
 */
/** @typedef {{range: HTMLInputElement, show: (value: number) => void, play: HTMLButtonElement, fields: {min: Show, max: Show, step: Show}}} Row */
/** @typedef {(value: number) => void} Show */

import { numberField } from "./fields.js";
import * as texts from "../formula-texts.js";

const RANGE_FIELDS = /** @type {const} */ (["min", "max", "step"]);
const SPEEDS = [0.25, 0.5, 1, 2, 4];

export class Sliders {
  /** @param {HTMLElement} place @param {SliderEvents} events */
  constructor(place, events) {
    this.place = place;
    this.events = events;
    this.names = "";
    /** @type {Map<string, Row>} */
    this.rows = new Map();
  }

  /** @param {readonly Param[]} params */
  show(params) {
    const names = params.map((param) => param.name).join(" ");
    if (names !== this.names) {
      this.names = names;
      this.place.replaceChildren();
      this.rows = new Map(params.map((param) => [param.name, this.addRow(param.name)]));
    }
    for (const param of params) {
      const { range, show, fields } = /** @type {Row} */ (this.rows.get(param.name));
      range.min = String(param.min);
      range.max = String(param.max);
      range.step = String(param.step);
      range.value = String(param.value);
      show(param.value);
      for (const field of RANGE_FIELDS) fields[field](param[field]);
    }
  }

  /** @param {(name: string) => boolean} isPlaying */
  showPlaying(isPlaying) {
    for (const [name, { play }] of this.rows) {
      const plays = isPlaying(name);
      play.textContent = plays ? texts.SLIDER_PAUSE : texts.SLIDER_PLAY;
      play.setAttribute("aria-label", texts.sliderPlayLabel(name, plays));
    }
  }

  /** @private @param {string} name @returns {Row} */
  addRow(name) {
    const { events } = this;
    const row = document.createElement("div");
    row.className = "slider";
    const label = document.createElement("i");
    label.textContent = name;
    const range = document.createElement("input");
    range.type = "range";
    range.setAttribute("aria-label", texts.sliderLabel(name));
    range.addEventListener("input", () => events.slid(name, Number(range.value)));
    range.addEventListener("change", events.done);
    const number = document.createElement("input");
    number.setAttribute("aria-label", texts.sliderNumberLabel(name));
    const show = numberField(number, (value) => events.slid(name, value), events.done);

    const play = button(texts.SLIDER_PLAY, texts.sliderPlayLabel(name, false), () => events.played(name));
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = texts.SLIDER_RANGE;
    summary.setAttribute("aria-label", texts.sliderRangeLabel(name));
    const box = document.createElement("div");
    box.className = "slider-range";
    const fields = /** @type {Row["fields"]} */ (Object.fromEntries(RANGE_FIELDS.map((field) => [field, this.addField(box, name, field)])));
    box.append(this.speedOf(name));
    details.append(summary, box);
    row.append(label, range, number, play, details);
    this.place.append(row);
    return { range, show, play, fields };
  }

  /** @private @param {HTMLElement} box @param {string} name @param {"min" | "max" | "step"} field */
  addField(box, name, field) {
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.setAttribute("aria-label", texts.sliderFieldLabel(name, texts.SLIDER_FIELDS[field]));
    label.append(texts.SLIDER_FIELDS[field], " ", input);
    box.append(label);
    return numberField(input, (value) => this.events.ranged(name, field, value), this.events.done);
  }

  /** @private @param {string} name */
  speedOf(name) {
    const label = document.createElement("label");
    const select = document.createElement("select");
    select.setAttribute("aria-label", texts.sliderFieldLabel(name, texts.SLIDER_FIELDS.speed));
    for (const speed of SPEEDS) select.add(new Option(`${speed}\u00d7`, String(speed), speed === 1, speed === 1));
    select.addEventListener("change", () => this.events.sped(name, Number(select.value)));
    label.append(texts.SLIDER_FIELDS.speed, " ", select);
    return label;
  }
}

/** @param {string} text @param {string} label @param {() => void} action */
function button(text, label, action) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.setAttribute("aria-label", label);
  element.addEventListener("click", action);
  return element;
}
