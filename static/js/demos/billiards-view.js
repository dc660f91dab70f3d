// What the page "Billiards" shows of a table and its shot.

/** @typedef {import("../engine/compiler.js").Status} Status */
/** @typedef {import("../engine/table-source.js").TableSource} TableSource */
/** @typedef {import("../model/types.js").Beginning} Beginning */
/** @typedef {import("../model/types.js").Table} Table */
/** @typedef {import("../model/types.js").TableSetting} TableSetting */
/** @typedef {import("../widgets/table-scene.js").TableScene} TableScene */
/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./shooting.js").Shooting} Shooting */
/** @typedef {"cue" | "velocity" | "goal" | "target"} Place a row of the numbers */
/**
 * @typedef {object} ViewEvents
 * @property {() => void} resized
 * @property {(place: Place, axis: 0 | 1, value: number) => void} typed
 * @property {(name: "friction" | "steps" | "rate", value: number) => void} set
 * @property {() => void} done a field was left
 * @property {(element: HTMLElement, grip: import("../model/table.js").Grip) => void} newGrip
 */

import { format, formatBytes, formatShort } from "../model/numbers.js";
import { numberField } from "../widgets/fields.js";
import { Grips } from "../widgets/grips.js";
import { LossCurve } from "../widgets/loss-curve.js";
import { TablePicture } from "../widgets/table-picture.js";
import * as texts from "../texts.js";

const NOTICE_MS = 4000;
const SPEAK_MS = 1500;
const PLACES = /** @type {const} */ (["cue", "velocity", "goal", "target"]);

export class BilliardsView {
  /** @param {HTMLElement} root @param {Beginning} beginning @param {ViewEvents} events */
  constructor(root, beginning, events) {
    this.root = root;
    this.beginning = beginning;
    this.picture = new TablePicture(this.find(".table"), beginning, events.resized);
    this.grips = new Grips(this.find(".grips"), events.newGrip);
    this.curve = new LossCurve(this.find(".curve"), events.resized);
    /** Shows a coordinate, by its field's name. @type {Map<string, (value: number) => void>} */
    this.show = new Map();
    for (const place of PLACES) {
      for (const axis of /** @type {const} */ ([0, 1])) {
        const name = `${place}-${"xy"[axis]}`;
        const input = this.find(`[name=${name}]`);
        input.setAttribute("aria-label", `${texts.TEXTS[place]}, ${"xy"[axis]}`);
        this.show.set(name, numberField(input, (value) => events.typed(place, axis, value), events.done));
      }
    }
    for (const name of /** @type {const} */ (["friction", "steps", "rate"])) {
      this.show.set(name, numberField(this.find(`[name=${name}]`), (value) => events.set(name, value), events.done));
      const range = this.root.querySelector(`[name=${name}-range]`);
      range?.addEventListener("input", () => events.set(name, Number(/** @type {HTMLInputElement} */ (range).value)));
      range?.addEventListener("change", events.done);
    }
    this.noticeTimer = 0;
    this.spokenAtMs = 0;
    this.spoken = "";
  }

  /** @param {string} selector @returns {any} the element, which billiards.html has */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** @param {TableScene} scene @param {Table} wanted what the controls say: it may still be compiled
   * @param {Shooting} shooting @param {Player} player @param {TableSource} source */
  draw(scene, wanted, shooting, player, source) {
    const { table, jet } = scene;
    this.picture.draw(scene);
    this.grips.show(table, this.picture.frame);
    const [xPx, yPx] = this.picture.frame.toPx(table.goal);
    this.find(".hint").style.transform = `translate(${xPx}px, ${yPx}px)`;
    this.curve.draw(shooting.losses, this.picture.palette);
    this.data(".loss", jet.loss);
    this.data(".slope", Math.hypot(...jet.x, ...jet.v));
    this.data(".iteration", shooting.iteration);
    for (const k of /** @type {const} */ ([0, 1])) {
      this.data(`.by-x${k}`, jet.x[k], 3);
      this.data(`.by-v${k}`, jet.v[k], 3);
    }
    this.showPlaces(table);
    this.showControls(wanted);
    this.showMoment(player);
    this.showCost(source, shooting);
    this.speak(jet.loss, shooting);
  }

  /** @private @param {Table} table */
  showPlaces({ cue, goal, rack, target }) {
    const points = { cue: cue.x, velocity: cue.v, goal, target: target === 0 ? cue.x : rack[target - 1] };
    for (const place of PLACES) {
      points[place].forEach((value, axis) => this.show.get(`${place}-${"xy"[axis]}`)?.(Number(value.toPrecision(5))));
    }
    this.text(".target-number", String(target));
    const select = this.find("[name=target]");
    while (select.length > rack.length) select.remove(select.length - 1);
    while (select.length < rack.length) select.add(new Option(String(select.length + 1), String(select.length + 1)));
    select.value = String(target);
  }

  /** @private @param {Table} table */
  showControls({ rack, target, settings }) {
    for (const name of /** @type {const} */ (["friction", "steps", "rate"])) {
      this.show.get(name)?.(settings[name]);
      const range = this.find(`[name=${name}-range]`);
      if (range !== null) range.value = String(settings[name]);
    }
    this.find("[name=optimiser]").value = settings.optimiser;
    this.find("[name=cushions]").checked = settings.cushions;
    this.find("[name=impact]").checked = settings.timeOfImpact;
    const racks = Object.entries(this.beginning.racks);
    this.find("[name=rack]").value = racks.find(([, balls]) => JSON.stringify(balls) === JSON.stringify(rack))?.[0] ?? "own";
    this.find(".remove").disabled = rack.length === 1 || target === 0;
    this.find(".add").disabled = rack.length + 1 >= this.beginning.mostBalls;
  }

  /** @private @param {Player} player */
  showMoment({ step, steps, dt, playing }) {
    const range = this.find("[name=moment]");
    range.max = String(steps);
    range.value = String(step);
    this.text(".clock", texts.clock(step, steps, step * dt));
    this.text(".play", playing ? texts.PAUSE : texts.PLAY);
  }

  /** @private @param {TableSource} source @param {Shooting} shooting */
  showCost({ shot: { artifact }, isCompiledHere }, { fastestMs }) {
    const { ms, bytes, memory } = artifact.cost;
    const call = fastestMs === Infinity ? null : formatShort(fastestMs);
    const mebibytes = `${(memory / 2 ** 20).toFixed(2)}\u00a0MiB`;
    this.text(".cost", texts.tableCost(formatShort(ms), formatBytes(bytes), mebibytes, call, isCompiledHere));
  }

  /** Shows how a descent stands, and what may be done about it.
   * @param {string} outcome @param {string | null} remedy its button's words */
  showOutcome(outcome, remedy) {
    this.text(".outcome", outcome);
    const button = this.find(".remedy");
    button.hidden = remedy === null;
    if (remedy !== null) this.text(".remedy", remedy);
  }

  /** Says the loss aloud, not too often. @private @param {number} loss @param {Shooting} shooting */
  speak(loss, shooting) {
    const now = performance.now();
    const text = texts.lossSpoken(format(Number(loss.toPrecision(3))), shooting.iteration);
    if (text === this.spoken || (shooting.running && now - this.spokenAtMs < SPEAK_MS)) return;
    if (this.spoken !== "") this.text(".live", text);
    this.spoken = text;
    this.spokenAtMs = now;
  }

  /** @param {Status} status of the compiler */
  showStatus(status) {
    this.root.dataset.python = status.phase;
    this.find(".retry").hidden = status.phase !== "failed";
    const text = { loading: () => texts.loading("share" in status ? status.share : 0), ready: () => "", failed: () => texts.NO_PYTHON_TABLE };
    this.text(".python", text[status.phase]());
  }

  /** @param {string} message @param {boolean} stays until the next one */
  notify(message, stays = false) {
    this.text(".notice", message);
    clearTimeout(this.noticeTimer);
    if (!stays) this.noticeTimer = window.setTimeout(() => this.text(".notice", ""), NOTICE_MS);
  }

  /** @private @param {string} selector @param {number} value @param {number} digits that are shown */
  data(selector, value, digits = 5) {
    const element = this.find(selector);
    element.value = String(value);
    this.text(selector, format(Number(value.toPrecision(digits))));
  }

  /** @private @param {string} selector @param {string} text */
  text(selector, text) {
    const element = this.find(selector);
    if (element.textContent !== text) element.textContent = text;
  }

  destroy() {
    clearTimeout(this.noticeTimer);
    this.picture.destroy();
    this.curve.destroy();
  }
}
