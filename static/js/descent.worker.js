// Descent and the field over the table, beside the page. Descent goes first; the field gets what time is left.

import "./worker/alive.js";
import { DescentRun, FieldRun } from "./engine/descent-run.js";
import { Gradient } from "./engine/shot.js";
import { inSlices } from "./engine/slices.js";

const SLICE_MS = 8;

/** @type {Gradient | null} */
let gradient = null;
/** @type {DescentRun | null} */
let descent = null;
/** @type {FieldRun | null} */
let field = null;

const goOn = inSlices(() => {
  if (descent?.running) {
    self.postMessage({ kind: "progress", epoch: descent.order.epoch, ...descent.slice(SLICE_MS) });
  } else if (field !== null) {
    const part = field.slice(SLICE_MS);
    self.postMessage({ kind: "field", id: field.order.id, ...part });
    if (part.done) field = null;
  }
  return descent?.running === true || field !== null;
});

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
  goOn();
};
