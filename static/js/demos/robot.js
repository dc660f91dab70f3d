// The page "Robot": a robot, what a person can do to it, and what follows from that.

/** @typedef {import("../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../model/types.js").Point} Point */
/** @typedef {import("../model/types.js").Robot} RobotDoc */
/** @typedef {import("../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../model/types.js").RobotSetting} RobotSetting */
/** @typedef {import("../model/types.js").TrainingReport} TrainingReport */
/** @typedef {import("../model/history.js").History<RobotDoc>} History */
/** @typedef {import("../widgets/robot-grips.js").Found} Found */
/** @typedef {import("../widgets/robot-grips.js").Holdable} Holdable */
/** @typedef {(history: History) => History} Travel */

import { RobotSource } from "../engine/robot-source.js";
import { attachGrips } from "../gestures/grips.js";
import { attachKeys, attachUndoKeys } from "../gestures/keys.js";
import * as histories from "../model/history.js";
import { Motion } from "../model/motion.js";
import { decodeRobot, encodeRobot } from "../model/robot-link.js";
import * as robots from "../model/robot.js";
import { fromFile, toFile } from "../model/weights.js";
import { download } from "../widgets/downloads.js";
import { attachHint } from "../widgets/hint.js";
import { nearestHold } from "../widgets/robot-grips.js";
import { Player } from "./player.js";
import { attachRobotPanel } from "./robot-panel.js";
import { RobotView } from "./robot-view.js";
import { Training } from "./training.js";
import { sharedFragment } from "../shell.js";
import * as texts from "../texts.js";

const LINK_MS = 300;
const KEYS_SETTLE_MS = 800;
/** Metres that an arrow key moves what is held. */
const KEY_STEP = 0.01;
/** How much better the best must be to be offered. */
const WORTH_OFFERING = 0.005;

export class Robot {
  /** @param {HTMLElement} root @param {RobotBeginning} beginning @param {RobotArtifact} artifact of its first robot
   * @param {Compiler} compiler */
  constructor(root, beginning, artifact, compiler) {
    this.root = root;
    this.beginning = beginning;
    this.first = robots.robotOf(beginning, beginning.first);
    /** @type {History} */
    this.history = histories.begin(this.first);
    this.source = new RobotSource(compiler, this.spec, artifact, robots.shapeOf(this.first, beginning));
    /** What is to be done when the modules for it are there. @type {Travel | null} */
    this.pending = null;
    this.options = { editing: false, poses: true, mass: 0, spring: 0, chosen: /** @type {"mass" | "spring"} */ ("mass"), joining: false };
    /** What of a robot that grows is chosen then. @type {"mass" | "spring" | null} */
    this.choosesNew = null;
    /** The last robot whose motion is finite. */
    this.good = this.first;
    /** @type {(() => void) | null} */
    this.remedy = null;
    /** What was computed last. @type {{world: string, weights: unknown, gait: unknown, motion: Motion} | null} */
    this.seen = null;
    this.frame = 0;
    this.timers = { link: 0, settle: 0 };
    /** @type {Found | null} */
    this.held = null;
    this.training = new Training(beginning, (report) => this.follow(report), () => this.display.notify(texts.NO_TRAINING, true));
    this.training.use(artifact, this.first);
    this.player = new Player(beginning.dt, () => this.onMoment());
    this.display = new RobotView(root, beginning, {
      resized: () => this.refresh(),
      typed: (place, axis, value) => this.type(place, axis, value),
      set: (name, value) => this.set({ [name]: value }, name),
      done: () => this.settle(),
      newGrip: (element, grip) => this.attachGripKeys(element, grip),
    });
    this.hideHint = attachHint(this.display.find(".hint"), "eglantine-robot-hint-seen");
    this.detachers = [this.attachArena(), attachRobotPanel(this), attachUndoKeys(() => this.undo(), () => this.redo())];
    this.openLink();
    this.render();
  }

  get robot() {
    return this.history.present;
  }

  get spec() {
    return robots.specOf(this.robot);
  }

  get selection() {
    const { chosen, mass, spring } = this.options;
    return { kind: chosen, index: chosen === "mass" ? mass : spring };
  }

  // Gestures.

  /** @private */
  attachArena() {
    const place = this.display.find(".arena");
    const { picture, grips } = this.display;
    const metres = (/** @type {number} */ x, /** @type {number} */ y) => robots.onGrid(picture.frame.toMetres(x, y));
    return attachGrips(place, {
      find: (x, y, reach) => nearestHold(this.robot, this.options.editing, picture.frame, x, y, reach),
      hover: (/** @type {Found | null} */ grip) => {
        place.classList.toggle("is-near", grip !== null);
        grips.mark(grip, this.held);
      },
      grab: (grip) => {
        this.settle();
        this.held = grip;
        grips.mark(grip, grip);
        grips.focus(grip);
        if (!this.options.joining) this.choose(grip);
      },
      drag: (grip, x, y) => this.move(grip, metres(x, y), `drag ${grip}`),
      release: (grip, moved) => {
        this.held = null;
        grips.mark(null, null);
        if (!moved) this.choose(grip);
        if (moved) this.hideHint();
        this.settle();
        this.refresh();
      },
      place: (x, y) => this.options.editing && this.addMass(metres(x, y)),
    });
  }

  /** @private @param {HTMLElement} element @param {Holdable} grip */
  attachGripKeys(element, grip) {
    attachKeys(element, {
      arrow: (dx, dy) => {
        const [x, y] = grip === "goal" ? this.robot.goal : this.robot.masses[grip];
        this.move(grip, robots.onGrid([x + dx * KEY_STEP, y + dy * KEY_STEP]), `keys ${grip}`);
        this.hideHint();
      },
      home: () => grip === "goal" && this.move(grip, this.first.goal, null),
      zoom: () => {},
    });
    if (grip === "goal") return;
    element.addEventListener("focus", () => !this.options.joining && this.held === null && this.choose(grip));
    element.addEventListener("click", (event) => event.detail === 0 && this.choose(grip));
    element.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") this.removeMass(grip);
    });
  }

  // Actions: each makes the next robot and lets `refresh` show it.

  /** @param {(robot: RobotDoc) => RobotDoc} change @param {string | null} tag changes with the same tag are undone together */
  edit(change, tag) {
    this.travel((history) => histories.change(history, change(history.present), tag));
    clearTimeout(this.timers.settle);
    this.timers.settle = window.setTimeout(() => this.held === null && this.settle(), KEYS_SETTLE_MS);
  }

  /** Goes to another state, at once if its modules are there, else when they are; until then the present one
   * goes on. @param {Travel} travel */
  travel(travel) {
    const { pending } = this;
    const both = pending === null ? travel : (/** @type {History} */ history) => travel(pending(history));
    const next = both(this.history);
    const wanted = robots.specOf(next.present);
    if (this.source.recall(wanted, robots.shapeOf(next.present, this.beginning))) {
      if (this.pending !== null) this.display.notify("");
      this.pending = null;
      this.adopt(next);
      return;
    }
    this.pending = both;
    this.want(wanted);
    this.refresh();
  }

  /** @private @param {string} spec */
  async want(spec) {
    this.display.notify(this.root.dataset.python === "ready" ? texts.COMPILING_ROBOT : texts.WAITING_ROBOT, true);
    const answer = await this.source.want(spec);
    if (answer === "superseded" || this.pending === null) return;
    if (robots.specOf(this.pending(this.history).present) !== spec) return;
    const { pending } = this;
    this.pending = null;
    this.display.notify(answer === "there" ? "" : answer.message);
    if (answer === "there") this.travel(pending);
    this.refresh();
  }

  /** @private @param {History} history */
  adopt(history) {
    const before = this.robot;
    const { training, options } = this;
    this.history = history;
    const { robot, spec } = this;
    const trains = training.running;
    if (robots.specOf(before) !== spec) {
      training.use(this.source.artifact, robot);
      if (trains) training.start(robot);
    } else if (robot.weights !== before.weights) {
      training.forget();
    } else if (robot !== before) {
      training.adjust(robot);
    }
    const { choosesNew } = this;
    const grew = choosesNew !== null && robot.springs.length > before.springs.length;
    options.mass = grew && choosesNew === "mass" ? robot.masses.length - 1 : Math.min(options.mass, robot.masses.length - 1);
    options.spring = grew && choosesNew === "spring" ? robot.springs.length - 1 : Math.min(options.spring, robot.springs.length - 1);
    if (grew) options.chosen = choosesNew;
    this.choosesNew = null;
    this.player.setSteps(robot.steps);
    this.refresh();
  }

  /** Ends a run of changes that are undone together. */
  settle() {
    this.history = histories.seal(this.history);
  }

  /** @private @param {Found} grip @param {Point} to @param {string | null} tag */
  move(grip, to, tag) {
    if (grip === "goal") this.edit((robot) => robots.moveGoal(robot, to), tag);
    else if (typeof grip === "number") this.edit((robot) => robots.moveMass(robot, grip, to, this.beginning.ground), tag);
  }

  /** A mass or a spring becomes what the panel is about, or the end of a new spring. @param {Found} grip */
  choose(grip) {
    const { options } = this;
    if (grip === "goal") return;
    if (options.joining && typeof grip === "number" && grip !== options.mass) {
      options.joining = false;
      const from = options.mass;
      this.choosesNew = "spring";
      this.edit((robot) => robots.addSpring(robot, from, grip, this.beginning), null);
    } else if (typeof grip === "number") {
      options.chosen = "mass";
      options.mass = grip;
    } else {
      options.chosen = "spring";
      options.spring = Number(grip.split(" ")[1]);
    }
    this.refresh();
  }

  /** @param {Point | null} at beside the chosen mass if null */
  addMass(at) {
    const { mostMasses, mostSprings } = this.beginning;
    const { masses, springs } = this.robot;
    if (masses.length >= mostMasses || springs.length >= mostSprings) this.display.notify(texts.robotFull(mostMasses, mostSprings));
    const { mass } = this.options;
    const place = at ?? robots.freePlace(this.robot, mass, this.beginning.ground);
    this.choosesNew = "mass";
    this.edit((robot) => robots.addMass(robot, place, this.beginning), null);
  }

  /** @param {number} mass */
  removeMass(mass) {
    if (mass === 0) this.display.notify(texts.HEAD_STAYS);
    this.edit((robot) => robots.removeMass(robot, mass, this.beginning), null);
  }

  removeSpring() {
    const { spring } = this.options;
    this.edit((robot) => robots.removeSpring(robot, spring, this.beginning), null);
  }

  /** @param {boolean} muscle */
  setMuscle(muscle) {
    const { spring } = this.options;
    this.options.chosen = "spring";
    this.edit((robot) => robots.setMuscle(robot, spring, muscle), null);
  }

  /** @param {boolean} editing */
  setEditing(editing) {
    this.options.editing = editing;
    this.options.joining = false;
    if (editing) this.player.seek(0);
    this.refresh();
  }

  /** @param {Partial<RobotSetting>} changes @param {string | null} tag */
  set(changes, tag) {
    this.edit((robot) => robots.set(robot, changes), tag);
  }

  /** @private @param {"goal" | "mass"} place @param {0 | 1} axis @param {number} value */
  type(place, axis, value) {
    const grip = place === "goal" ? "goal" : this.options.mass;
    const [x, y] = grip === "goal" ? this.robot.goal : this.robot.masses[grip];
    this.move(grip, axis === 0 ? [value, y] : [x, value], `type ${place} ${axis}`);
  }

  train() {
    const { training } = this;
    if (training.running) {
      training.pause();
    } else {
      // What a training does is undone at once, back to where it began.
      if (!training.follows) this.history = histories.change(histories.seal(this.history), { ...this.robot }, null);
      training.start(this.robot);
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (!still && !this.player.playing && !this.options.editing) this.player.toggle();
    }
    this.refresh();
  }

  /** @param {string} name of a plan */
  usePlan(name) {
    const { settings, goal } = this.robot;
    this.goTo((history) => histories.change(histories.seal(history), { ...robots.robotOf(this.beginning, name), settings, goal }, null));
  }

  keptGait() {
    this.goTo((history) => histories.change(histories.seal(history), robots.keptGait(history.present, this.beginning) ?? history.present, null));
  }

  startOver() {
    this.goTo((history) => histories.change(histories.seal(history), robots.untrained(history.present, this.beginning), null));
  }

  saveWeights() {
    const { robot } = this;
    const text = toFile(robot.weights, robots.shapeOf(robot, this.beginning), robot.name);
    download("robot-weights.json", new Blob([text], { type: "application/json" }));
  }

  /** @param {File} file */
  async loadWeights(file) {
    const found = fromFile(await file.text().catch(() => ""), robots.shapeOf(this.robot, this.beginning));
    if (typeof found === "string") {
      this.display.notify(texts.WEIGHTS_REFUSED[found]);
      return;
    }
    this.goTo((history) => histories.change(histories.seal(history), { ...history.present, weights: found }, null));
    this.display.notify(texts.WEIGHTS_LOADED);
  }

  undo() {
    if (this.pending === null) {
      this.goTo(histories.undo);
      return;
    }
    this.pending = null;
    this.display.notify("");
    this.refresh();
  }

  redo() {
    this.goTo(histories.redo);
  }

  /** To a state as it is: it is not trained by itself. @param {Travel} travel */
  goTo(travel) {
    this.training.forget();
    this.travel(travel);
    this.training.forget();
    this.refresh();
  }

  reset() {
    this.player.seek(0);
    this.setEditing(false);
    this.goTo((history) => histories.change(histories.seal(history), this.first, null));
  }

  // What follows from a change.

  /** The training has reached other weights. @private @param {TrainingReport} report */
  follow(report) {
    const { weights, moments } = report;
    this.history = histories.amend(this.history, { ...this.robot, weights });
    const { robot, source: { gait } } = this;
    if (this.training.worker.isNewest(report)) {
      const motion = new Motion(robot.masses, robot.springs.length, moments.x, moments.muscles);
      this.seen = { world: JSON.stringify(robots.worldOf(robot, this.beginning)), weights, gait, motion };
    }
    this.refresh();
  }

  /** Another moment is shown; while training goes on, the replay begins again at its end. @private */
  onMoment() {
    const { player } = this;
    if (this.training?.running && !player.playing && player.step >= player.steps && player.steps > 0) player.toggle();
    this.refresh();
  }

  /** Brings everything into line with the robot, in the next frame. */
  refresh() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.render());
  }

  /** Draws the robot as it is now. @private */
  render() {
    this.frame = 0;
    const { robot, player, training, options } = this;
    const motion = this.look();
    player.setSteps(robot.steps);
    this.root.classList.toggle("is-pending", this.pending !== null);
    this.root.classList.toggle("is-editing", options.editing);
    const { editing, poses } = options;
    this.scene = { robot, motion, step: editing ? 0 : player.step, editing, poses, selection: this.selection };
    this.display.draw(this.scene, this);
    this.display.find(".undo").disabled = this.history.past.length === 0 && this.pending === null;
    this.display.find(".redo").disabled = this.history.future.length === 0;
    this.showOutcome(motion);
    clearTimeout(this.timers.link);
    if (!training.running) this.timers.link = window.setTimeout(() => this.writeLink(), LINK_MS);
  }

  /** The motion of the robot, computed once for each. @private @returns {Motion} */
  look() {
    const { robot, source: { gait } } = this;
    const world = robots.worldOf(robot, this.beginning);
    const key = JSON.stringify(world);
    if (this.seen === null || this.seen.world !== key || this.seen.weights !== robot.weights || this.seen.gait !== gait) {
      this.seen = { world: key, weights: robot.weights, gait, motion: gait.motion(robot.weights, world) };
    }
    return this.seen.motion;
  }

  /** @private @param {Motion} motion */
  showOutcome(motion) {
    const { training, good, robot } = this;
    const trouble = motion.trouble();
    if (trouble === null) this.good = robot;
    const best = training.report?.best;
    const loss = this.display.lossOf(robot, motion);
    this.remedy = null;
    let words = null;
    let sentence = texts.trainingOutcome(training.running ? "running" : (training.outcome ?? "rest"), training.iteration, best ?? null);
    if (trouble !== null) {
      sentence = texts.robotNotFinite(trouble.step, trouble.mass);
      words = texts.TO_GOOD_ROBOT;
      this.remedy = () => this.goTo((history) => histories.change(histories.seal(history), good, null));
    } else if (!training.running && best !== undefined && training.outcome !== null && best.loss < loss - WORTH_OFFERING) {
      words = texts.TO_BEST;
      this.remedy = () => this.goTo((history) => histories.change(histories.seal(history), { ...history.present, weights: best.weights }, null));
    }
    this.display.showOutcome(sentence, words);
  }

  /** The theme has changed. */
  repaint() {
    this.display.picture.repalette();
    this.refresh();
  }

  // Links.

  /** @private @returns {string} */
  fragment() {
    const kept = robots.keptGait(this.robot, this.beginning);
    const isKept = kept !== null && kept.weights.every((weight, k) => weight === this.robot.weights[k]);
    return `#${encodeRobot(this.robot, this.beginning, isKept)}`;
  }

  /** @private */
  writeLink() {
    const fragment = this.fragment();
    if (location.hash !== fragment) history.replaceState(null, "", fragment);
  }

  openLink() {
    const fragment = sharedFragment();
    if (fragment === "" || location.hash === this.fragment()) return;
    const opened = decodeRobot(fragment, this.beginning);
    if ("refused" in opened) this.display.notify(texts.ROBOT_REFUSED[opened.refused]);
    else this.goTo(() => histories.begin(opened.robot));
  }

  async share() {
    history.replaceState(null, "", this.fragment());
    try {
      await navigator.clipboard.writeText(location.href);
      this.display.notify(texts.COPIED);
    } catch {
      this.display.notify(texts.NOT_COPIED);
    }
  }

  destroy() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    cancelAnimationFrame(this.frame);
    for (const detach of this.detachers) detach();
    this.player.pause();
    this.training.destroy();
    this.display.destroy();
  }
}
