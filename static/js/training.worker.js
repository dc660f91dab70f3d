// Training beside the page: slices of some milliseconds, between which messages are heard.

import { Trainer } from "./engine/gait.js";
import { TrainingRun } from "./engine/training-run.js";

const SLICE_MS = 60;

/** @type {Trainer | null} */
let trainer = null;
/** @type {TrainingRun | null} */
let run = null;
let scheduled = false;

/** A message to itself lets others in, without the delay of a timer. */
const turn = new MessageChannel();
turn.port1.onmessage = () => {
  scheduled = false;
  if (run?.running) self.postMessage(run.slice(SLICE_MS));
  schedule();
};

self.onmessage = ({ data }) => {
  if (data.kind === "module") {
    trainer = new Trainer(data.module, data.shape);
    run = null;
  }
  if (data.kind === "train" && trainer !== null) {
    if (data.order.weights === null) run?.go(data.order);
    else run = new TrainingRun(trainer, data.order);
  }
  if (data.kind === "pause" && run !== null) run.running = false;
  schedule();
};

function schedule() {
  if (scheduled || !run?.running) return;
  scheduled = true;
  turn.port2.postMessage(null);
}
