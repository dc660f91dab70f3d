// The training of a robot, as the page sees it: asked for, followed, stopped.

/** @typedef {import("../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../model/types.js").Robot} Robot */
/** @typedef {import("../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../model/types.js").TrainingReport} TrainingReport */

import { TrainingWorker } from "../engine/training.js";
import { shapeOf, worldOf } from "../model/robot.js";

const MOST_LOSSES = 50_000;

export class Training {
  /** @param {RobotBeginning} beginning @param {(report: TrainingReport) => void} onMoved
   * @param {(isBack: boolean) => void} onDied told whether it can go on */
  constructor(beginning, onMoved, onDied) {
    this.beginning = beginning;
    this.onMoved = onMoved;
    this.running = false;
    /** @type {"done" | "diverged" | "paused" | null} */
    this.outcome = null;
    /** @type {TrainingReport | null} */
    this.report = null;
    /** @type {number[]} */
    this.losses = [];
    /** Iterations the curve has room for. */
    this.planned = 100;
    /** Whether the worker's weights are the robot's. */
    this.follows = false;
    /** An iteration, in the best slice: others share the machine. */
    this.fastestMs = Infinity;
    this.worker = new TrainingWorker((report) => this.receive(report), (isBack) => {
      // The weights of the last report are the robot's; another worker has to be told.
      const { running } = this;
      this.forget();
      if (running) this.outcome = "paused";
      onDied(isBack);
    });
  }

  get iteration() {
    return Math.max(0, this.losses.length - 1);
  }

  /** @param {RobotArtifact} artifact another robot's @param {Robot} robot */
  use(artifact, robot) {
    this.worker.use(artifact, shapeOf(robot, this.beginning));
    this.forget();
    this.fastestMs = Infinity;
  }

  /** Trains from the robot's weights, or goes on. @param {Robot} robot @param {number} most iterations */
  start(robot, most = robot.settings.iterations) {
    if (this.losses.length > MOST_LOSSES) this.forget();
    const { aim, rate } = robot.settings;
    const weights = this.follows ? null : robot.weights;
    this.worker.train({ weights, world: worldOf(robot, this.beginning), reaches: aim === "goal", rate, most });
    this.planned = this.iteration + most;
    this.follows = true;
    this.running = true;
    this.outcome = null;
  }

  /** The world has changed while it trains. @param {Robot} robot */
  adjust(robot) {
    if (this.running) this.start(robot, Math.max(1, this.planned - this.iteration));
    else this.outcome = null;
  }

  pause() {
    if (!this.running) return;
    this.worker.pause();
    this.running = false;
    this.outcome = "paused";
  }

  /** The weights are others now: the training so far is over. */
  forget() {
    this.worker.forget();
    this.running = this.follows = false;
    this.outcome = this.report = null;
    this.losses = [];
  }

  /** @private @param {TrainingReport} report */
  receive(report) {
    report.losses.forEach((loss, k) => {
      this.losses[report.firstIteration + k] = loss;
    });
    this.report = report;
    this.fastestMs = Math.min(this.fastestMs, report.ms);
    if (this.running && !report.running) {
      this.running = false;
      this.outcome = report.outcome ?? "paused";
    }
    this.onMoved(report);
  }

  destroy() {
    this.worker.destroy();
  }
}
