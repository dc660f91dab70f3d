// The worker in which a robot is trained.

/** @typedef {import("../../model/types.js").Module} Module */

import { inSlices } from "../../engine/slices.js";
import "../../worker/alive.js";
import { Gait, Trainer } from "./gait.js";
import { TrainingRun } from "./training-run.js";

const SLICE_MS = 100;

/** @type {{trainer: Trainer, gait: Gait, descent: Module} | null} */
let robot = null;
/** @type {TrainingRun | null} */
let run = null;

const goOn = inSlices(() => {
  if (!run?.running) return false;
  const report = run.slice(SLICE_MS);
  self.postMessage(report, { transfer: [report.moments.x.buffer, report.moments.muscles.buffer] });
  return run.running;
});

self.onmessage = ({ data }) => {
  if (data.kind === "modules") {
    robot = { trainer: new Trainer(data.training, data.shape), gait: new Gait(data.motion, data.shape), descent: data.descent };
    run = null;
  }
  if (data.kind === "train" && robot !== null) {
    if (data.order.weights === null) run?.go(data.order);
    else run = new TrainingRun(robot.trainer, robot.gait, data.order, robot.descent);
  }
  if (data.kind === "pause" && run !== null) run.running = false;
  goOn();
};
