// Training beside the page: slices of some milliseconds, between which messages are heard.

import { Gait, Trainer } from "./engine/gait.js";
import { TrainingRun } from "./engine/training-run.js";

const SLICE_MS = 100;

/** @type {{trainer: Trainer, gait: Gait} | null} */
let robot = null;
/** @type {TrainingRun | null} */
let run = null;
let scheduled = false;

/** A message to itself lets others in, without the delay of a timer. */
const turn = new MessageChannel();
turn.port1.onmessage = () => {
  scheduled = false;
  if (run?.running) {
    const report = run.slice(SLICE_MS);
    self.postMessage(report, { transfer: [report.moments.x.buffer, report.moments.muscles.buffer] });
  }
  schedule();
};

self.onmessage = ({ data }) => {
  if (data.kind === "modules") {
    robot = { trainer: new Trainer(data.training, data.shape), gait: new Gait(data.motion, data.shape) };
    run = null;
  }
  if (data.kind === "train" && robot !== null) {
    if (data.order.weights === null) run?.go(data.order);
    else run = new TrainingRun(robot.trainer, robot.gait, data.order);
  }
  if (data.kind === "pause" && run !== null) run.running = false;
  schedule();
};

function schedule() {
  if (scheduled || !run?.running) return;
  scheduled = true;
  turn.port2.postMessage(null);
}
