// The page "Bril": a program of a small language with jumps, and its derivative beside it.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../engine/kernel.js").Kernel} Kernel */
/** @typedef {import("./descent.js").DescentScene} DescentScene */
/** @typedef {import("./doc.js").BrilProgram} BrilProgram */
/** @typedef {import("./doc.js").Doc} Doc */
/** The result of compiling the document `of`. `analysis`: what Python says about the program. `kernel`: computes the program's
 * result and the gradient of the result.
 * @typedef {{of: Doc, analysis: import("./doc.js").Analysis, kernel: Kernel | null, wasm: Uint8Array<ArrayBuffer>}} Shown */

import { instantiate } from "../../engine/kernel.js";
import { clamp, format } from "../../model/numbers.js";
import { attachControls } from "../../page/controls.js";
import { plainJourney } from "../../page/journey.js";
import { SimulationPage } from "../../page/simulation-page.js";
import { download, plotDownloads } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import { descend, evaluate, paintDescent, sceneOf } from "./descent.js";
import { decodeBril, encodeBril } from "./link.js";
import { BrilView } from "./view.js";
import * as texts from "./texts.js";
import * as docs from "./doc.js";

const TYPING_MS = 150;
const NO_RUN = { running: false, follows: true, pause() {}, forget() {} };
const MOST_COUNT = 100;
/** The largest total number of loop rounds in all runs of the kernel for one picture. */
const MOST_ROUNDS = 5_000_000;

export class BrilPage {
  /** @param {HTMLElement} root @param {readonly BrilProgram[]} programs the default first @param {Compiler} compiler */
  constructor(root, programs, compiler) {
    this.programs = programs;
    this.compiler = compiler;
    this.first = docs.docOf(programs[0]);
    this.journey = plainJourney(this.first, () => this.page.refresh());
    /** @type {Shown} */
    this.shown = this.madeOf(programs[0]);
    /** The document that was asked about last. @type {Doc | null} */
    this.asked = null;
    /** @type {docs.Mistake | null} */
    this.mistake = null;
    this.how = { step: 0.2, decay: 1, count: 10 };
    this.at = this.shown.analysis.steps.length - 1;
    this.timer = 0;
    /** @type {DescentScene | null} */
    this.scene = null;
    /** True if there is no picture because the program's runs needed more than MOST_ROUNDS rounds of loops. */
    this.isEndless = false;
    this.display = new BrilView(root, {
      resized: () => this.page.refresh(),
      typed: (text) => this.edit((doc) => docs.setText(doc, text), "text"),
      done: () => this.journey.settle(),
      pointed: () => this.page.hideHint(),
      set: (k, value) => this.edit((doc) => docs.setValue(doc, k, value), `value ${k}`),
      tuned: (name, value) => {
        this.how[name] = name === "count" ? clamp(Math.round(value), 1, MOST_COUNT) : value;
        this.page.refresh();
      },
    });
    this.page = this.pageOn(root);
    this.page.begin([this.attachPanel()]);
  }

  /** @private @param {HTMLElement} root @returns {SimulationPage<Doc>} */
  pageOn(root) {
    return new SimulationPage(root, {
      first: this.first,
      journey: this.journey,
      display: this.display,
      run: NO_RUN,
      start: () => {},
      draw: () => this.draw(),
      hint: "eglantine-bril-hint-seen",
      encode: () => encodeBril(this.doc, this.programs),
      decode: (fragment) => {
        const opened = decodeBril(fragment, this.programs);
        return "refused" in opened ? { refused: texts.BRIL_REFUSED[opened.refused] } : opened;
      },
      ready: () => {
        this.asked = null;
        this.page.refresh();
      },
    });
  }

  /** @private @returns {() => void} removes the listeners */
  attachPanel() {
    const { display, page } = this;
    const select = display.find("[name=program]");
    for (const { id } of this.programs) select.add(new Option(texts.brilTitle(id), id));
    select.add(Object.assign(new Option(texts.RACKS.own, "own"), { hidden: true }));
    const moment = display.find("[name=moment]");
    moment.addEventListener("input", () => this.goTo(Number(moment.value)));
    const modules = () => (this.shown.kernel === null ? null : { bril: { wasm: this.shown.wasm, abi: this.shown.analysis.abi } });
    attachExport(display.find(".export"), "bril", modules, (message) => display.notify(message));
    return attachControls({
      find: (selector) => display.find(selector),
      refresh: () => page.refresh(),
      actions: {
        ...page.actions,
        ".back": () => this.goTo(this.at - 1),
        ".forward": () => this.goTo(this.at + 1),
        ...plotDownloads("bril", () => this.plots, () => display.descent.palette),
        ".csv": () => download("bril.csv", new Blob([this.csv()], { type: "text/csv" })),
      },
      changes: { program: ({ value }) => this.choose(value) },
      keys: { ",": () => this.goTo(this.at - 1), ".": () => this.goTo(this.at + 1) },
    });
  }

  get doc() {
    return this.journey.present;
  }

  /** @private */
  get plots() {
    const { scene } = this;
    if (scene === null) return [];
    return [{ region: scene.region, paint: (/** @type {any} */ pen, /** @type {any} */ frame, /** @type {any} */ palette) => paintDescent(pen, frame, palette, scene) }];
  }

  // Your actions.

  /** @private @param {(doc: Doc) => Doc} change @param {string | null} tag */
  edit(change, tag) {
    this.journey.change(change, tag);
    this.page.refresh();
  }

  /** @private @param {string} id of a program */
  choose(id) {
    const program = this.programs.find((one) => one.id === id);
    if (program === undefined) return;
    this.journey.settle();
    this.edit(() => docs.docOf(program), null);
  }

  /** @private @param {number} k a step of the run */
  goTo(k) {
    this.at = clamp(k, 0, Math.max(0, this.shown.analysis.steps.length - 1));
    this.page.refresh();
  }

  // The consequences of a change.

  /** @private @param {BrilProgram} program @returns {Shown} */
  madeOf(program) {
    const { analysis, wasm } = program;
    return { of: docs.docOf(program), analysis, wasm, kernel: wasm.length === 0 ? null : instantiate(wasm, analysis.abi) };
  }

  /** @private */
  draw() {
    const { display, doc } = this;
    this.follow(doc);
    const { analysis, of } = this.shown;
    const isCurrent = of.text === doc.text;
    display.showText(doc.text);
    display.showMistake(this.mistake);
    display.root.classList.toggle("is-stale", !isCurrent || this.mistake !== null);
    display.showAnalysis(analysis, isCurrent ? doc.values : of.values);
    this.showNumbers();
    display.showStep(analysis, Math.min(this.at, Math.max(0, analysis.steps.length - 1)));
    display.showBrilCost(analysis.cost);
    display.showJourney(this.journey);
    const known = this.programs.find(({ id, text }) => id === doc.id && text === doc.text);
    display.find("[name=program]").value = known?.id ?? "own";
    this.page.link.plan(true);
  }

  /** Computes and shows the value, the gradient and a descent for the document's values. @private */
  showNumbers() {
    const { display, doc, shown: { analysis, kernel, of } } = this;
    const floats = analysis.parameters.map(({ name, type }, k) => ({ name, type, k })).filter(({ type }) => type === "float");
    const values = of.text === doc.text ? doc.values : of.values;
    const start = floats.map(({ k }) => Number(values[k] ?? analysis.parameters[k].value));
    this.scene = null;
    this.isEndless = false;
    display.showResult(null, new Map());
    if (kernel !== null && sameRest(analysis, values)) this.compute(kernel, start, floats.map(({ name }) => name));
    for (const name of /** @type {const} */ (["step", "decay", "count"])) display.showSetting(name, this.how[name]);
    display.showDescent(this.scene);
    this.showOutcome();
  }

  /** Runs the kernel, which computes the program's result and the descent. We limit the total number of loop rounds, because a
   * loop in the program may never end for some values. @private @param {Kernel} kernel @param {readonly number[]} start
   * @param {readonly string[]} names */
  compute(kernel, start, names) {
    kernel.refuel(MOST_ROUNDS);
    try {
      const results = new Float64Array(1 + start.length);
      evaluate(kernel, start, results);
      this.display.showResult(results[0], new Map(names.map((name, i) => [name, results[1 + i]])));
      if (names.length <= 2) this.scene = sceneOf(kernel, descend(kernel, start, this.how), names);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.isEndless = true;
    }
  }

  /** Shows the outcome of the descent. @private */
  showOutcome() {
    const { scene, how } = this;
    if (this.isEndless) this.page.showOutcome({ sentence: texts.BRIL_ENDLESS, words: null, remedy: null });
    if (scene === null) return;
    const [from, to] = [scene.rows[0].value, scene.rows[scene.rows.length - 1].value];
    const climbs = !(to <= from);
    const short = (/** @type {number} */ value) => format(Number(value.toPrecision(5)));
    const halve = () => {
      how.step /= 2;
      this.page.refresh();
    };
    this.page.showOutcome({ sentence: texts.brilDescent(short(from), short(to), climbs), words: climbs ? texts.HALF_RATE : null, remedy: climbs ? halve : null });
  }

  /** Gets the analysis of a new document. The page has the analyses of all examples, so only other programs need Python.
   * @private
   * @param {Doc} doc */
  follow(doc) {
    if (doc === this.asked || isSame(doc, this.shown.of)) {
      if (isSame(doc, this.shown.of)) this.mistake = null;
      return;
    }
    this.asked = doc;
    const known = this.programs.find((program) => isSame(docs.docOf(program), doc));
    if (known !== undefined) {
      this.take(this.madeOf(known));
      return;
    }
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.ask(doc), TYPING_MS);
  }

  /** @private @param {Doc} doc */
  async ask(doc) {
    const answer = await this.compiler.analyseBril(doc.text, doc.values);
    if ("superseded" in answer || doc !== this.asked) return;
    if ("error" in answer) {
      this.mistake = { line: 0, column: 0, .../** @type {any} */ (answer.error) };  // an error that stopped Python has no line
    } else {
      const { analysis, wasm } = answer.artifact;
      this.take({ of: doc, analysis, wasm, kernel: wasm.length === 0 ? null : instantiate(wasm, analysis.abi) });
    }
    this.page.refresh();
  }

  /** @private @param {Shown} shown */
  take(shown) {
    const isOther = shown.of.text !== this.shown.of.text;
    this.mistake = null;
    this.shown.kernel?.destroy();
    this.shown = shown;
    if (isOther) this.at = Math.max(0, shown.analysis.steps.length - 1);
  }

  /** @private @returns {string} the descent as a table */
  csv() {
    const { scene } = this;
    if (scene === null) return "";
    return [[...scene.names, "value"].join(","), ...scene.rows.map(({ x, value }) => [...x, value].join(",")), ""].join("\n");
  }
}

/** @param {Doc} a @param {Doc} b */
function isSame(a, b) {
  return a.text === b.text && a.values.length === b.values.length && a.values.every((value, k) => value === b.values[k]);
}

/** Returns true if the kernel was compiled for these values of the parameters. Only floats are arguments of the kernel. All
 * other values are constants in it, so they must be the same.
 * @param {import("./doc.js").Analysis} analysis
 * @param {readonly (number | boolean)[]} values */
function sameRest({ parameters }, values) {
  return parameters.every(({ type, value }, k) => type === "float" || (values[k] ?? value) === value);
}
