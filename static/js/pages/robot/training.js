// Starts and stops the training of a robot for the page, and receives its reports.

/** @typedef {import("../../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../../model/types.js").Robot} Robot */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../../model/types.js").TrainingReport} TrainingReport */

import { WorkerRun } from "../../page/worker-run.js";
import { shapeOf, worldOf } from "./model.js";
import { TrainingWorker } from "./training-worker.js";

const MOST_LOSSES = 50_000;

/** @extends {WorkerRun<TrainingReport>} */
export class Training extends WorkerRun {
  /** @param {RobotBeginning} beginning @param {(report: TrainingReport) => void} onMoved
   * @param {(isBack: boolean) => void} onDied `isBack`: whether the training can go on */
  constructor(beginning, onMoved, onDied) {
    const worker = new TrainingWorker(beginning.descent, (report) => this.receive(report), (isBack) => {
      this.die();
      onDied(isBack);
    });
    super(worker, MOST_LOSSES);
    this.trainer = worker;
    this.beginning = beginning;
    this.onMoved = onMoved;
    /** The curve of losses has space for this many iterations. */
    this.planned = 100;
  }

  /** @param {RobotArtifact} artifact of another robot @param {Robot} robot */
  use(artifact, robot) {
    this.trainer.use(artifact, shapeOf(robot, this.beginning));
    this.forget();
    this.fastestMs = Infinity;
  }

  /** Starts a training from the robot's weights, or continues a paused training. @param {Robot} robot
   * @param {number} most iterations */
  start(robot, most = robot.settings.iterations) {
    const { aim, rate } = robot.settings;
    const weights = this.begin() ? null : robot.weights;
    this.trainer.train({ weights, world: worldOf(robot, this.beginning), reaches: aim === "goal", rate, most });
    this.planned = this.iteration + most;
  }

  /** Continues in a changed world. @param {Robot} robot */
  adjust(robot) {
    if (this.running) this.start(robot, Math.max(1, this.planned - this.iteration));
    else this.outcome = null;
  }

  /** @private @param {TrainingReport} report */
  receive(report) {
    this.note(report);
    this.fastestMs = Math.min(this.fastestMs, report.ms);
    this.onMoved(report);
  }
}
