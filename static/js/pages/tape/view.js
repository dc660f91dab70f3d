// Shows a formula's tape at a moment on the page "Tape".

/** @typedef {import("../../engine/compiler.js").Status} Status */
/** @typedef {import("./steps.js").TapeDoc} TapeDoc */
/** @typedef {import("./picture.js").TapeScene} TapeScene */
/** @typedef {import("../../page/player.js").Player} Player */
/**
 * Functions that the view calls when you use its fields and boxes.
 * @typedef {object} TapeEvents
 * @property {() => void} resized called when the size of a picture has changed
 * @property {(node: number) => void} chosen called when you choose a box
 * @property {(pair: "point" | "direction", axis: 0 | 1, value: number) => void} set called when you have typed a number
 * @property {() => void} done called when the focus leaves a field
 */

import { format, formatBytes, formatShort } from "../../model/numbers.js";
import { SimulationView } from "../../page/simulation-view.js";
import { Badge } from "../../widgets/badge.js";
import { numberField } from "../../widgets/fields.js";
import { TapeDetail } from "./detail.js";
import { setSentence } from "./operation.js";
import { TapePicture } from "./picture.js";
import { numberAt } from "./steps.js";
import { TapeTable } from "./table.js";
import * as texts from "./texts.js";

const FIELDS = /** @type {const} */ ([["point", 0, "x"], ["point", 1, "y"], ["direction", 0, "dx"], ["direction", 1, "dy"]]);

export class TapeView extends SimulationView {
  /** @param {HTMLElement} root @param {TapeEvents} events */
  constructor(root, events) {
    super(root, "");
    this.picture = new TapePicture(this.find(".graph"), events.chosen, events.resized);
    this.pictures = [this.picture];
    this.table = new TapeTable(this.find(".tape-table"));
    this.detail = new TapeDetail(this.find(".detail"));
    this.badge = new Badge(this.find(".badge"));
    for (const [pair, axis, name] of FIELDS) {
      const range = this.find(`[name=${name}-range]`);
      const input = this.find(`[name=${name}]`);
      range.setAttribute("aria-label", texts.INPUTS[name]);
      input.setAttribute("aria-label", texts.inputNumber(name));
      const showNumber = numberField(input, (value) => events.set(pair, axis, value), events.done);
      range.addEventListener("input", () => events.set(pair, axis, Number(range.value)));
      range.addEventListener("change", events.done);
      this.show.set(name, (value) => {
        range.min = String(Math.min(Number(range.min), Math.floor(value)));
        range.max = String(Math.max(Number(range.max), Math.ceil(value)));
        range.value = String(value);
        showNumber(value);
      });
    }
  }

  /** @param {TapeDoc} doc @param {TapeScene} scene @param {Player} player @param {boolean} isCompiledHere */
  draw(doc, scene, player, isCompiledHere) {
    this.picture.draw(scene);
    this.table.draw(scene);
    this.detail.draw(scene);
    for (const [pair, axis, name] of FIELDS) this.show.get(name)?.(doc[pair][axis]);
    this.root.dataset.mode = doc.mode;
    this.find(`[name=mode][value=${doc.mode}]`).checked = true;
    const range = this.find("[name=step]");
    range.max = String(player.steps);
    range.value = String(player.step);
    range.setAttribute("aria-valuetext", this.sentence(scene));
    this.text(".clock", texts.tapeClock(player.step, player.steps));
    this.text(".play", player.playing ? texts.PAUSE : texts.PLAY);
    setSentence(this.find(".now"), this.sentence(scene));
    this.showResult(scene);
    const { ms, bytes } = scene.tape.cost;
    this.text(".cost", texts.tapeCost(isCompiledHere ? formatShort(ms) : null, formatBytes(bytes), scene.numbers.length));
    if (!player.playing) this.speaker.say([], this.sentence(scene));
  }

  /** The sentence about the last step. @private @param {TapeScene} scene @returns {string} */
  sentence({ tape, numbers, moment: { step }, mode }) {
    if (step.kind === "inputs") return texts.STEP_INPUTS;
    const { name, value, cotangent, tangent, chunk, operands } = tape.nodes[step.node];
    if (step.kind === "seed") return texts.stepSeed(name);
    if (step.kind === "back") {
      const to = operands.flatMap((operand) => ("node" in operand ? [tape.nodes[operand.node].name] : []));
      return texts.stepBack(name, format(numberAt(numbers, cotangent)), [...new Set(to)]);
    }
    const shown = format(numberAt(numbers, value));
    if (mode === "chunk") return texts.stepChunk(name, shown, chunk.map((one) => format(numberAt(numbers, one))));
    return mode === "tangents" ? texts.stepTangent(name, shown, format(numberAt(numbers, tangent))) : texts.stepForward(name, shown);
  }

  /** Shows the final value and the gradient, even if the present step does not know them yet.
   * @private @param {TapeScene} scene */
  showResult({ tape, numbers, mode }) {
    const { value, tangent } = tape.nodes[tape.result];
    const f = numberAt(numbers, value);
    const slopes = { x: tape.nodes[0].cotangent, y: tape.nodes[1].cotangent, d: tangent };
    this.data(".result-f", f);
    for (const [name, place] of Object.entries(slopes)) {
      this.data(`.result-${name}`, Number.isFinite(f) ? numberAt(numbers, place) : null);
    }
    this.text(".why", texts.noDerivatives(f) ?? "");
    this.find(".result-tangent").hidden = mode !== "tangents";
  }

  /** @override @param {Status} status of the compiler */
  showStatus(status) {
    super.showStatus(status);
    const bar = this.find(".loading");
    bar.hidden = status.phase !== "loading";
    if ("share" in status) bar.value = status.share;
  }
}
