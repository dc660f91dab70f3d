// Shows everything around the picture on a page with a simulation: figures, fields, the moment and messages.

/** @typedef {import("../engine/compiler.js").Status} Status */
/** @typedef {import("./player.js").Player} Player */
/** @typedef {{ms: number, bytes: number, memory: number}} Cost */
/**
 * The functions that a page's fields call when the visitor uses the fields.
 * @typedef {object} FieldEvents
 * @property {(place: any, axis: 0 | 1, value: number) => void} typed - called with a new coordinate of a place
 * @property {(name: any, value: number) => void} set - called with a new value of a setting
 * @property {() => void} done - called when the focus leaves a field
 */

import { format, formatBytes, formatShort } from "../model/numbers.js";
import { numberField } from "../widgets/fields.js";
import { PlaceSpeaker } from "../widgets/place-speaker.js";
import { SpokenAttribute } from "../widgets/spoken-attribute.js";
import * as texts from "../texts.js";

const NOTICE_MS = 4000;

export class SimulationView {
  /** @param {HTMLElement} root @param {string} noPython the message if Python does not load */
  constructor(root, noPython) {
    this.root = root;
    this.noPython = noPython;
    /** Functions that show a number, by field name. @type {Map<string, (value: number) => void>} */
    this.show = new Map();
    this.noticeTimer = 0;
    /** The page's pictures, destroyed with it. @type {{repalette?: () => void, destroy: () => void}[]} */
    this.pictures = [];
    this.speaker = new PlaceSpeaker(this.find(".live"));
    const moment = this.find("[name=moment]");
    this.momentWords = moment === null ? null : new SpokenAttribute(moment, "aria-valuetext");
  }

  /** @param {string} selector @returns {any} the element, which the page's HTML has */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** @param {readonly string[]} places with fields for x and y @param {readonly string[]} settings with a field and perhaps a
   * slider @param {FieldEvents} events */
  attachFields(places, settings, events) {
    for (const place of places) {
      for (const axis of /** @type {const} */ ([0, 1])) {
        const name = `${place}-${"xy"[axis]}`;
        const input = this.find(`[name=${name}]`);
        input.setAttribute("aria-label", `${texts.PLACES[place]}, ${"xy"[axis]}`);
        this.show.set(name, numberField(input, (value) => events.typed(place, axis, value), events.done));
      }
    }
    for (const name of settings) {
      this.show.set(name, numberField(this.find(`[name=${name}]`), (value) => events.set(name, value), events.done));
      const range = this.find(`[name=${name}-range]`);
      range?.addEventListener("input", () => events.set(name, Number(range.value)));
      range?.addEventListener("change", events.done);
    }
  }

  /** @param {string} name of a setting @param {number} value */
  showSetting(name, value) {
    this.show.get(name)?.(value);
    const range = this.find(`[name=${name}-range]`);
    if (range !== null) range.value = String(value);
  }

  /** @param {{canUndo: boolean, canRedo: boolean, pending: unknown}} journey */
  showJourney({ canUndo, canRedo, pending }) {
    this.root.classList.toggle("is-pending", pending !== null);
    this.find(".undo").disabled = !canUndo;
    this.find(".redo").disabled = !canRedo;
  }

  /** @param {Player} player @param {number} step to show */
  showMoment({ steps, dt, playing }, step) {
    const range = this.find("[name=moment]");
    range.max = String(steps);
    range.value = String(step);
    this.text(".clock", texts.clock(step, steps, step * dt));
    this.momentWords?.set(texts.momentSpoken(step, steps, step * dt), playing);
    this.text(".play", playing ? texts.PAUSE : texts.PLAY);
  }

  /** @param {Cost} cost @param {number} fastestMs of a gradient; infinite if unknown @param {boolean} isCompiledHere */
  showCost({ ms, bytes, memory }, fastestMs, isCompiledHere) {
    const call = Number.isFinite(fastestMs) ? formatShort(fastestMs) : null;
    const mebibytes = `${(memory / 2 ** 20).toFixed(2)}\u00a0MiB`;
    this.text(".cost", texts.tableCost(isCompiledHere ? formatShort(ms) : null, formatBytes(bytes), mebibytes, call));
  }

  /** Shows a sentence about the state of a descent or training, and a button if there is a remedy.
   * @param {string} outcome the sentence @param {string | null} remedy the button's label, or null for no button */
  showOutcome(outcome, remedy) {
    this.text(".outcome", outcome);
    this.find(".remedy").hidden = remedy === null;
    if (remedy !== null) this.text(".remedy", remedy);
  }

  /** Announces the loss to screen readers, and the new place of the handle that has just been moved.
   * @param {readonly import("../widgets/handles.js").Handle<any>[]} handles
   * @param {unknown} focused the id of the handle with the focus @param {number} loss @param {number} iteration */
  speak(handles, focused, loss, iteration) {
    this.speaker.say(handles, texts.lossSpoken(format(Number(loss.toPrecision(3))), iteration), focused);
  }

  /** @param {Status} status of the compiler */
  showStatus(status) {
    this.root.dataset.python = status.phase;
    this.find(".retry").hidden = status.phase !== "failed";
    const share = "share" in status ? status.share : 0;
    this.text(".python", { loading: texts.loading(share), ready: "", failed: this.noPython }[status.phase]);
  }

  /** @param {string} message @param {boolean} stays until the next message */
  notify(message, stays = false) {
    this.text(".notice", message);
    clearTimeout(this.noticeTimer);
    if (!stays) this.noticeTimer = window.setTimeout(() => this.text(".notice", ""), NOTICE_MS);
  }

  /** Removes a message unless another has replaced it. @param {string} message */
  retract(message) {
    if (this.find(".notice").textContent === message) this.notify("");
  }

  /** @param {string} selector @param {number | null} value null if there is none yet @param {number} digits to show */
  data(selector, value, digits = 5) {
    this.find(selector).value = value === null ? "" : String(value);
    this.text(selector, value === null ? "\u2013" : format(Number(value.toPrecision(digits))));
  }

  /** @param {string} selector @param {string} text */
  text(selector, text) {
    const element = this.find(selector);
    if (element.textContent !== text) element.textContent = text;
  }

  /** Lets the pictures read their colours again, after the theme has changed. */
  repalette() {
    for (const picture of this.pictures) picture.repalette?.();
  }

  destroy() {
    clearTimeout(this.noticeTimer);
    for (const picture of this.pictures) picture.destroy();
    this.speaker.destroy();
    this.momentWords?.destroy();
  }
}
