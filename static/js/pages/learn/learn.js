// The page "Learn": a network, your actions on it and its data, and their consequences.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../model/types.js").Lesson} Lesson */
/** @typedef {import("../../model/types.js").LessonBeginning} LessonBeginning */
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").NetworkArtifact} NetworkArtifact */
/** @typedef {{manifest: Record<string, string>, beginning: LessonBeginning, artifact: NetworkArtifact, points: Module, waves: Module}} Loaded */

import { ModuleSource } from "../../engine/module-source.js";
import { loadDigits } from "../../engine/presets.js";
import { Journey } from "../../page/journey.js";
import { SimulationPage } from "../../page/simulation-page.js";
import * as texts from "./texts.js";
import { Data } from "./data.js";
import * as lessons from "./lesson.js";
import { decodeLesson, encodeLesson } from "./link.js";
import { attachLearnPanel } from "./panel.js";
import { Pupil } from "./pupil.js";
import { Training } from "./training.js";
import { LearnView } from "./view.js";

/** Messages that we show while a network has no module yet. Each key is a state of Python. @type {Record<string, string>} */
const WAITING = { ready: texts.COMPILING_NETWORK, failed: texts.NO_PYTHON_NETWORK };

export class Learn {
  /** @param {HTMLElement} root @param {Loaded} loaded @param {Compiler} compiler */
  constructor(root, { manifest, beginning, artifact, points, waves }, compiler) {
    this.root = root;
    this.beginning = beginning;
    this.compiler = compiler;
    this.data = new Data(beginning, points, waves, () => loadDigits(manifest));
    this.first = lessons.firstLesson(beginning);
    this.source = new ModuleSource((spec) => this.compile(spec), ({ network }) => new Pupil(network), lessons.specOf(this.first), artifact);
    this.training = new Training(this.data);
    this.journey = new Journey(this.first, {
      specOf: lessons.specOf,
      source: this.source,
      adopted: (before) => this.adopted(before),
      arrived: () => this.page.refresh(),
      notify: (message, stays) => this.display.notify(message, stays),
      retract: (message) => this.display.retract(message),
      waiting: () => WAITING[root.dataset.python ?? ""] ?? texts.WAITING_NETWORK,
    });
    this.options = { tests: false, label: 0 };
    this.display = new LearnView(root, beginning, {
      resized: () => this.page.refresh(),
      set: (name, value) => this.set({ [name]: value }, name),
      done: () => this.journey.settle(),
      units: (layer, by) => this.shape((lesson) => lessons.changeUnits(lesson, beginning, layer, by)),
    });
    this.page = this.pageOn(root);
    /** @type {import("./scene.js").LearnScene | null} */
    this.scene = null;
    this.page.begin([attachLearnPanel(this), this.attachPlace()]);
  }

  /** @private @param {HTMLElement} root @returns {SimulationPage<Lesson>} */
  pageOn(root) {
    /** @type {import("../../page/simulation-page.js").SimulationParts<Lesson>} */
    const parts = {
      first: this.first,
      journey: this.journey,
      display: this.display,
      run: this.training,
      start: () => this.start(),
      draw: (nowMs) => this.draw(nowMs),
      hint: "eglantine-learn-hint-seen",
      encode: () => encodeLesson(this.lesson),
      decode: (fragment) => {
        const opened = decodeLesson(fragment, this.beginning, this.first);
        return "refused" in opened ? { refused: texts.LESSON_REFUSED[opened.refused] } : { doc: opened.lesson };
      },
      ready: () => this.page.refresh(),
    };
    return new SimulationPage(root, parts);
  }

  get lesson() {
    return this.journey.present;
  }

  /** The network in use. @returns {Pupil} */
  get pupil() {
    return this.source.made;
  }

  /** Compiles a network, and fetches the data that it needs. @private @param {string} spec
   * @returns {Promise<import("../../engine/compiler.js").Answer<NetworkArtifact>>} */
  async compile(spec) {
    const fetching = JSON.parse(spec).task === "digits" ? this.data.fetch() : null;
    const answer = await this.compiler.compileNetwork(spec);
    await fetching;
    return answer;
  }

  // Your actions. Each makes the next lesson, and then `refresh` shows it.

  /** @param {(lesson: Lesson) => Lesson} change @param {string | null} tag changes with the same tag are undone together */
  edit(change, tag) {
    this.journey.change(change, tag);
    this.page.refresh();
  }

  /** Applies any earlier change that is still pending. Then changes the network's shape.
   * @param {(lesson: Lesson) => Lesson} change */
  shape(change) {
    this.journey.settle();
    this.journey.change(change, null, true);
    this.page.refresh();
  }

  /** @param {lessons.Changes} changes @param {string | null} tag */
  set(changes, tag) {
    this.edit((lesson) => lessons.adjust(lesson, changes), tag);
  }

  /** @param {string} set */
  setData(set) {
    this.shape((lesson) => lessons.setData(lesson, set));
  }

  /** @param {number} x @param {number} y */
  addPoint(x, y) {
    const { own } = this.lesson;
    this.journey.settle();
    this.edit((lesson) => lessons.addPoint(lesson, [x, y, this.options.label], this.beginning), null);
    if (this.lesson.own === own) this.display.notify(texts.pointsFull(lessons.mostOwn(this.beginning)));
  }

  /** Adds a point where you click. @private @returns {() => void} removes the listeners */
  attachPlace() {
    const { place } = this.display.learned;
    const onClick = (/** @type {MouseEvent} */ event) => {
      const { frame } = this.display.learned;
      const rect = place.getBoundingClientRect();
      const at = /** @type {const} */ ([event.clientX - rect.left, event.clientY - rect.top]);
      if (lessons.taskOf(this.lesson) !== "plane" || !frame.contains(...at)) return;
      this.page.hideHint();
      this.addPoint(...frame.toMath(...at));
    };
    place.addEventListener("click", onClick);
    return () => place.removeEventListener("click", onClick);
  }

  /** @private */
  start() {
    this.page.hideHint();
    this.training.start(performance.now());
  }

  once() {
    this.training.pause();
    this.training.outcome = "paused";
    this.training.advance(this.pupil, this.lesson, 1);
    this.page.refresh();
  }

  /** Starts again from the seed. */
  again() {
    this.training.renew();
    if (!this.training.running) this.training.forget();
    this.page.refresh();
  }

  // The consequences of a change.

  /** @private @param {Lesson} before */
  adopted(before) {
    if (!lessons.continues(this.lesson, before)) {
      this.training.renew();
      if (this.training.running) this.training.outcome = "running";
    }
    this.page.refresh();
  }

  /** @private @param {number} nowMs */
  draw(nowMs) {
    const { lesson, pupil, training, data, beginning, options, source } = this;
    training.follow(pupil, lesson, nowMs);
    if (pupil.seen === null) return;
    this.scene = { lesson, beginning, data: data.of(lesson), seen: pupil.seen, weights: pupil.weights, tests: options.tests };
    this.display.draw(this.scene, training, { cost: source.artifact.cost, isCompiledHere: source.isCompiledHere });
    this.display.showJourney(this.journey);
    this.display.text(".train", training.running ? texts.PAUSE : texts.LEARN);
    const { right } = pupil.seen[lesson.set === lessons.OWN ? "train" : "test"];
    this.page.showOutcome({
      sentence: texts.LEARN_OUTCOMES[training.outcome](texts.rightShare(right), pupil.steps),
      words: training.outcome === "lost" ? texts.LOWER_RATE : null,
      remedy: training.outcome === "lost" ? () => this.lowerRate() : null,
    });
    this.page.link.plan(!training.running);
    if (training.running) this.page.refresh();
  }

  /** Starts the training again with a tenth of the learning rate. @private */
  lowerRate() {
    this.set({ rate: Number((this.lesson.rate / 10).toPrecision(3)) }, null);
    this.training.forget();
    this.start();
    this.page.refresh();
  }
}
