// The worker that computes the descent and the field over the table. It computes the field only while no descent is running.
// When it has nothing to compute, it calls the shot's module some more times. V8 (Chromium's JavaScript engine) optimises a
// module that is called often. So the page is fast when you first drag something.

import "../../worker/alive.js";
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").Optimiser} Optimiser */

import { inSlices } from "../../engine/slices.js";
import { DescentRun, FieldRun } from "./descent-run.js";
import { GradientBatch } from "./gradient-batch.js";
import { Gradient } from "./shot.js";

const SLICE_MS = 8;
/** The number of calls after which V8 (Chromium's JavaScript engine) has fully optimised a shot's functions. */
const WARM_UPS = 48;

/** @type {{shot: Module, batch: Module, descents: Record<Optimiser, Module>} | null} */
let modules = null;
/** @type {Gradient | null} */
let gradient = null;
/** Computes fields. We make it for the first order of a field. @type {GradientBatch | null} */
let batch = null;
/** @type {DescentRun | null} */
let descent = null;
/** @type {FieldRun | null} */
let field = null;
let cold = 0;

const goOn = inSlices(() => {
  if (descent?.running) {
    self.postMessage({ kind: "progress", epoch: descent.order.epoch, ...descent.slice(SLICE_MS) });
  } else if (field !== null) {
    const part = field.slice(SLICE_MS);
    self.postMessage({ kind: "field", id: field.order.id, ...part });
    if (part.done) field = null;
  } else if (cold > 0) {
    gradient?.warmUp();
    cold -= 1;
  }
  return descent?.running === true || field !== null || cold > 0;
});

self.onmessage = ({ data }) => {
  if (data.kind === "modules") {
    modules = data;
    gradient = new Gradient(data.shot);
    batch = null;
    descent = field = null;
    cold = WARM_UPS;
  }
  if (data.kind === "descend" && gradient !== null && modules !== null) {
    if (data.order.cue === null) descent?.go(data.order);
    else descent = new DescentRun(gradient, data.order, modules.descents);
  }
  if (data.kind === "pause" && descent !== null) descent.running = false;
  if (data.kind === "field") {
    if (modules !== null) batch ??= new GradientBatch(modules.shot, modules.batch);
    field = data.order === null || batch === null ? null : new FieldRun(batch, data.order);
  }
  goOn();
};
