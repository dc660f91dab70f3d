// The page "Robot": a robot, what a person can do to it, and what follows from that.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("../../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../../model/types.js").RobotSetting} RobotSetting */
/** @typedef {import("../../model/types.js").TrainingReport} TrainingReport */
/** @typedef {import("../../page/journey.js").Travel<RobotDoc>} Travel */
/** @typedef {import("./grips.js").Found} Found */

import { ModuleSource } from "../../engine/module-source.js";
import { attachUndoKeys } from "../../gestures/keys.js";
import { Journey, step } from "../../page/journey.js";
import { Player } from "../../page/player.js";
import { Link } from "../../page/share.js";
import { Search } from "../../page/trouble.js";
import { attachHint } from "../../widgets/hint.js";
import { build, join } from "./building.js";
import { Gait } from "./gait.js";
import { attachArena, attachGripKeys } from "./hands.js";
import { decodeRobot } from "./link.js";
import { Motion } from "./motion.js";
import { outcomeOf } from "./outcome.js";
import { attachRobotPanel } from "./panel.js";
import { attachKeeping, fragmentOf, isTrained, withWeightsLeft } from "./saved-weights.js";
import { Training } from "./training.js";
import { RobotView } from "./view.js";
import * as histories from "../../model/history.js";
import * as texts from "../../texts.js";
import * as robots from "./model.js";

/** What is said while a robot is compiled, by what Python does. @type {Record<string, string>} */
const WAITING = { ready: texts.COMPILING_ROBOT, failed: texts.NO_PYTHON_ROBOT };

export class Robot {
  /** @param {HTMLElement} root @param {RobotBeginning} beginning @param {RobotArtifact} artifact of its first robot
   * @param {Compiler} compiler */
  constructor(root, beginning, artifact, compiler) {
    this.root = root;
    this.beginning = beginning;
    this.first = robots.robotOf(beginning, beginning.first);
    this.source = new ModuleSource(
      (spec) => compiler.compileRobot(spec),
      (made, spec) => new Gait(made.motion, robots.shapeOfSpec(spec, beginning)),
      robots.specOf(this.first),
      artifact,
    );
    this.journey = this.journeyFrom(this.first);
    this.options = { editing: false, poses: true, mass: 0, spring: 0, chosen: /** @type {"mass" | "spring"} */ ("mass"), joining: false };
    /** The last robot whose motion is finite. */
    this.good = this.first;
    /** The last one whose gradient was finite too. */
    this.sound = this.first;
    /** What the button beside the outcome does. @type {(() => void) | null} */
    this.remedy = null;
    /** What was computed last. @type {{world: string, weights: unknown, gait: unknown, motion: Motion} | null} */
    this.seen = null;
    /** What the address is to be of. @type {RobotDoc | null} */
    this.linked = null;
    this.frame = 0;
    /** @type {import("./scene.js").RobotScene | null} */
    this.scene = null;
    this.training = new Training(beginning, (report) => this.follow(report), (isBack) => {
      this.display.notify(isBack ? texts.TRAINING_AGAIN : texts.NO_TRAINING, !isBack);
      this.refresh();
    });
    this.training.use(artifact, this.first);
    this.search = new Search(compiler, "walk_trouble", () => this.refresh());
    this.player = new Player(beginning.dt, () => this.onMoment());
    this.display = this.viewOf(root);
    this.hideHint = attachHint(this.display.find(".hint"), "eglantine-play-hint-seen");
    this.link = new Link({
      encode: () => fragmentOf(this.robot, beginning),
      open: (fragment) => this.open(fragment),
      notify: (message) => this.display.notify(message),
      copied: () => (isTrained(this.robot, beginning) ? texts.COPIED_UNTRAINED : texts.COPIED),
    });
    this.detachers = [
      attachArena(this),
      attachRobotPanel(this),
      attachUndoKeys(() => this.undo(), () => this.redo()),
      attachKeeping(() => this.robot, beginning),
    ];
    this.link.open();
    this.render();
  }

  /** @private @param {RobotDoc} first */
  journeyFrom(first) {
    return new Journey(first, {
      specOf: robots.specOf,
      source: this.source,
      adopted: (before, hasOtherModules) => this.adopted(before, hasOtherModules),
      arrived: () => this.refresh(),
      notify: (message, stays) => this.display.notify(message, stays),
      retract: (message) => this.display.retract(message),
      waiting: () => WAITING[this.root.dataset.python ?? ""] ?? texts.WAITING_ROBOT,
    });
  }

  /** @private @param {HTMLElement} root */
  viewOf(root) {
    return new RobotView(root, this.beginning, {
      resized: () => this.refresh(),
      typed: (place, axis, value) => this.type(place, axis, value),
      set: (name, value) => (name === "steps" ? this.setSteps(value) : this.set({ [name]: value }, name)),
      done: () => this.journey.settle(),
      newGrip: (element, grip) => attachGripKeys(this, element, grip),
    });
  }

  get robot() {
    return this.journey.present;
  }

  /** The robot that is drawn: one that is edited is as it is to be, before its modules are there. */
  get shown() {
    return this.options.editing ? this.journey.wanted : this.robot;
  }

  get selection() {
    const { chosen, mass, spring } = this.options;
    return { kind: chosen, index: chosen === "mass" ? mass : spring };
  }

  // Actions: each makes the next robot and lets `refresh` show it.

  /** @param {(robot: RobotDoc) => RobotDoc} change @param {string | null} tag changes with the same tag are undone together */
  edit(change, tag) {
    this.journey.change(change, tag);
    this.refresh();
  }

  /** @private @param {RobotDoc} before @param {boolean} hasOtherModules */
  adopted(before, hasOtherModules) {
    const { training, robot } = this;
    const trains = training.running;
    if (hasOtherModules) {
      training.use(this.source.artifact, robot);
      if (trains) training.start(robot);
    } else if (robot.weights !== before.weights) {
      training.forget();
    } else if (robot !== before) {
      training.adjust(robot);
    }
    this.player.setSteps(robot.steps);
    this.refresh();
  }

  /** @param {Found} grip @param {Point} to @param {string | null} tag */
  move(grip, to, tag) {
    const { ground } = this.beginning;
    if (grip === "goal") this.edit((robot) => robots.moveGoal(robot, [to[0], Math.max(to[1], ground)]), tag);
    else if (typeof grip === "number") build(this, (robot) => robots.moveMass(robot, grip, to, ground), tag);
  }

  /** A mass or a spring becomes what the panel is about, or the end of a new spring. @param {Found} grip */
  choose(grip) {
    const { options } = this;
    if (grip === "goal") return;
    if (options.joining && typeof grip === "number" && grip !== options.mass) {
      join(this, options.mass, grip);
    } else if (typeof grip === "number") {
      options.chosen = "mass";
      options.mass = grip;
    } else {
      options.chosen = "spring";
      options.spring = Number(grip.split(" ")[1]);
    }
    this.refresh();
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

  /** @private @param {number} steps */
  setSteps(steps) {
    this.edit((robot) => robots.setSteps(robot, steps, this.beginning), "steps");
  }

  /** @private @param {"goal" | "mass"} place @param {0 | 1} axis @param {number} value */
  type(place, axis, value) {
    const grip = place === "goal" ? "goal" : this.options.mass;
    const [x, y] = grip === "goal" ? this.robot.goal : this.shown.masses[grip];
    this.move(grip, axis === 0 ? [value, y] : [x, value], `type ${place} ${axis}`);
  }

  train() {
    const { training } = this;
    if (training.running) {
      training.pause();
    } else {
      this.hideHint();
      // What a training does is undone at once, back to where it began.
      if (!training.follows) this.journey.mark({ ...this.robot });
      this.setEditing(false);
      training.start(this.robot);
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (!still && !this.player.playing) this.player.toggle();
    }
    this.refresh();
  }

  /** @param {string} name of a plan; with none it is a robot to be built */
  usePlan(name) {
    const { beginning } = this;
    if (name === "") this.setEditing(true);
    this.goTo(step((robot) => {
      if (name === "") return robots.untrained(robots.smallest(robot, beginning), beginning);
      const { settings, goal, steps } = robot;
      return { ...robots.robotOf(beginning, name), settings, goal, steps };
    }));
  }

  keptGait() {
    this.goTo(step((robot) => robots.keptGait(robot, this.beginning) ?? robot));
  }

  startOver() {
    this.goTo(step((robot) => robots.untrained(robot, this.beginning)));
  }

  undo() {
    if (this.journey.stepBack()) this.refresh();
    else this.goTo(histories.undo);
  }

  redo() {
    this.goTo(histories.redo);
  }

  /** To a state as it is: it is not trained by itself. @param {Travel} travel */
  goTo(travel) {
    this.training.forget();
    this.journey.travel(travel);
    this.training.forget();
    this.refresh();
  }

  reset() {
    this.player.seek(0);
    this.setEditing(false);
    this.goTo(step(() => this.first));
  }

  // What follows from a change.

  /** The training has reached other weights. @private @param {TrainingReport} report */
  follow(report) {
    const { weights, moments } = report;
    this.journey.amend({ ...this.robot, weights });
    if (Number.isFinite(report.norm)) this.sound = this.robot;
    const { robot, source: { made: gait } } = this;
    if (this.training.trainer.isNewest(report)) {
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
    const { robot, shown, player, training, options } = this;
    const motion = this.look();
    options.mass = Math.min(options.mass, shown.masses.length - 1);
    options.spring = Math.min(options.spring, shown.springs.length - 1);
    player.setSteps(robot.steps);
    this.root.classList.toggle("is-editing", options.editing);
    const { editing, poses } = options;
    const ends = robot.settings.aim === "far" ? training.losses.map((loss) => -loss) : [];
    this.scene = { robot: shown, motion, step: editing ? 0 : player.step, editing, poses, ends, selection: this.selection };
    this.display.draw(this.scene, this);
    this.showOutcome(motion);
    this.planLink();
  }

  /** A replay draws the same robot all the time, and does not put its link off. @private */
  planLink() {
    const rests = !this.training.running;
    if (rests && this.linked === this.robot) return;
    this.linked = rests ? this.robot : null;
    this.link.plan(rests);
  }

  /** The motion of the robot, computed once for each. @private @returns {Motion} */
  look() {
    const { robot, source: { made: gait } } = this;
    const world = robots.worldOf(robot, this.beginning);
    const key = JSON.stringify(world);
    if (this.seen === null || this.seen.world !== key || this.seen.weights !== robot.weights || this.seen.gait !== gait) {
      this.seen = { world: key, weights: robot.weights, gait, motion: gait.motion(robot.weights, world) };
    }
    return this.seen.motion;
  }

  /** @private @param {Motion} motion */
  showOutcome(motion) {
    if (motion.trouble() === null) this.good = this.robot;
    const { sentence, words, remedy } = outcomeOf(this, motion);
    this.remedy = remedy;
    this.display.showOutcome(sentence, words);
  }

  /** @param {import("../../engine/compiler.js").Status} status of the compiler */
  showStatus(status) {
    this.display.showStatus(status);
  }

  /** The theme has changed. */
  repaint() {
    this.display.picture.repalette();
    this.refresh();
  }

  /** @private @param {string} fragment @returns {string | null} */
  open(fragment) {
    const opened = decodeRobot(fragment, this.beginning);
    if ("refused" in opened) return texts.ROBOT_REFUSED[opened.refused];
    this.goTo(() => histories.begin(withWeightsLeft(opened.robot, this.beginning, fragment)));
    return null;
  }

  destroy() {
    this.journey.destroy();
    this.link.destroy();
    cancelAnimationFrame(this.frame);
    for (const detach of this.detachers) detach();
    this.player.pause();
    this.training.destroy();
    this.display.destroy();
  }
}
