// Descent and the field over the table, beside the page: slices of some milliseconds, between which messages are
// heard. Descent goes first; the field gets what time is left.

import { DescentRun, FieldRun } from "./engine/descent-run.js";
import { Gradient } from "./engine/shot.js";

const SLICE_MS = 8;

/** @type {Gradient | null} */
let gradient = null;
/** @type {DescentRun | null} */
let descent = null;
/** @type {FieldRun | null} */
let field = null;
let scheduled = false;

/** A message to itself lets others in, without the delay of a timer. */
const turn = new MessageChannel();
turn.port1.onmessage = () => {
  scheduled = false;
  if (descent?.running) {
    self.postMessage({ kind: "progress", epoch: descent.order.epoch, ...descent.slice(SLICE_MS) });
  } else if (field !== null) {
    const part = field.slice(SLICE_MS);
    self.postMessage({ kind: "field", id: field.order.id, ...part });
    if (part.done) field = null;
  }
  schedule();
};

self.onmessage = ({ data }) => {
  if (data.kind === "module") {
    gradient = new Gradient(data.module);
    descent = field = null;
  }
  if (data.kind === "descend" && gradient !== null) {
    if (data.order.cue === null) descent?.go(data.order);
    else descent = new DescentRun(gradient, data.order);
  }
  if (data.kind === "pause" && descent !== null) descent.running = false;
  if (data.kind === "field") field = data.order === null || gradient === null ? null : new FieldRun(gradient, data.order);
  schedule();
};

function schedule() {
  if (scheduled || !(descent?.running || field !== null)) return;
  scheduled = true;
  turn.port2.postMessage(null);
}
