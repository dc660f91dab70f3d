// The browser's half of the group `diagrams`: Pyodide compiles each energy with its gradient, and our solver lays the
// diagram out. A warm layout uses solvers that are ready. A cold layout makes its solvers. Layouts share nothing else.

import { everyInput, fetched, fresh, instances, taken, unpacked } from "../page/diagram-modules.js";
import { roseDiagrams, roseDiffers, roseLayout } from "../page/rose-diagrams.js";
import { capacityFor, energyAt, layOut, solverOf } from "../page/diagram-stages.js";
import { nextTask } from "../page/timing.js";

const FIRST = 100;
const NEW_INSTANCES = 7;
const STEADY_BATCHES = 5;

/** @typedef {import("../page/diagram-modules.js").Handed} Handed */
/** @typedef {import("../page/diagram-stages.js").Solver} Solver */

/** A cache of compiled solvers. There is one solver for each capacity (largest number of unknowns). */
class Solvers {
  /** @param {any} python bench/diagrams/page.py */
  constructor(python) {
    this.python = python;
    /** @type {Map<number, Solver>} */
    this.made = new Map();
    this.spent = 0;
  }

  /** @param {number} n the number of unknowns @returns {Solver} */
  for(n) {
    const capacity = capacityFor(n);
    let solver = this.made.get(capacity);
    if (solver === undefined) {
      const start = performance.now();
      const reply = this.python.solver(capacity);
      const [json, wasm] = reply.toJs();
      reply.destroy();
      solver = solverOf(capacity, fresh(wasm), JSON.parse(json));
      this.made.set(capacity, solver);
      this.spent += performance.now() - start;
    }
    return solver;
  }
}

/** @param {any} lab */
export async function* rows(lab) {
  const python = lab.diagrams("page");
  if (python === null) {
    yield { title: "diagrams", unit: "ms", samples: {}, missing: { ours: lab.missing.ours } };
    return;
  }
  const { diagrams, warmUps, rounds, tolerances, largest, again } = lab.work;
  const ready = new Solvers(python);
  const rose = lab.rose && roseDiagrams(lab.rose);
  if (!lab.check) for (const { file } of warmUps) await measured(python, await fetched(file), ready, 1);
  for (const { name, file } of diagrams) {
    const packed = await fetched(file);
    const text = await unpacked(packed);
    const wrong = differs(python, text, tolerances[name]);
    const samples = wrong || lab.check ? { parts: [] } : await measured(python, packed, ready, rounds);
    const evaluations = name === largest && samples.parts.length > 0 ? evaluated(python, text) : null;
    const theirs = rose && again.includes(name) ? await roseAgain(rose, JSON.parse(text), lab.check ? 0 : rounds) : null;
    yield {
      title: name, unit: "ms", samples: { ...samples, evaluations, rose: theirs?.samples },
      compared: ["ours", "reference", ...(theirs?.wrong === "" ? ["Rose"] : [])], wrong: wrong || (theirs?.wrong ?? ""), missing: {},
    };
  }
}

/** Measures how long layouts of one diagram take: several layouts with the solvers in `ready`, then one layout with new
 * solvers, which must be compiled.
 * @param {any} python @param {Blob} packed @param {Solvers} ready @param {number} rounds */
async function measured(python, packed, ready, rounds) {
  const parts = [];
  for (let round = 0; round < rounds; round++) parts.push(await sample(python, packed, ready));
  return { parts, cold: await sample(python, packed, new Solvers(python)) };
}

/** Measures how long the layout of a diagram takes. Returns the milliseconds of each part, and `total`: the time from when
 * Python has the graph until the last stage ends. Two parts do not belong to `total`. In `read`, Python reads the graph's file.
 * In `parse`, JavaScript reads the file for Rose. @param {any} python @param {Blob} packed @param {Solvers} solvers */
async function sample(python, packed, solvers) {
  await nextTask();
  const begun = performance.now();
  const text = await unpacked(packed);
  const unpackedIn = performance.now() - begun;
  const diagram = python.Diagram(text);
  const read = performance.now() - begun;
  const graph = JSON.parse(text);
  const parse = performance.now() - begun - read + unpackedIn;
  const [inputs, x0] = [everyInput(graph), graph.x0.map(Number)];
  await nextTask();
  const start = performance.now();
  const reply = diagram.compile();
  const compiled = performance.now();
  const handed = taken(reply, inputs);
  const received = performance.now();
  const instantiated = instances(handed, x0);
  const stages = handed.of.map((numbers) => numbers.map((j) => instantiated[j]));
  const linked = performance.now();
  const x = Float64Array.from(inputs, (k) => x0[k]);
  solvers.spent = 0;
  const ends = layOut(graph, inputs, stages, x, (n) => solvers.for(n));
  const end = performance.now();
  const passes = diagram.passes();
  const last = graph.ref[graph.ref.length - 1];
  const found = {
    read,
    parse,
    total: end - start,
    Python: compiled - start,
    "hand over": received - compiled,
    instantiate: linked - received,
    solvers: solvers.spent,
    optimise: end - linked - solvers.spent,
    passes: passes.toJs({ dict_converter: Object.fromEntries }),
    bytes: handed.of.map((numbers) => numbers.reduce((sum, j) => sum + handed.wasms[j].length, 0)),
    evaluations: ends.reduce((sum, stage) => sum + stage.evaluations, 0),
    finite: x.every(Number.isFinite),
    energy: energyAt(stages[last.masks], x, Number(last.weight)),
    known: Number(last.phi),
  };
  passes.destroy();
  diagram.destroy();
  return found;
}

/** Checks that Rose's energy equals the known energy. If so, times layouts by Rose.
 * @param {ReturnType<typeof roseDiagrams>} rose
 * @param {any} graph @param {number} rounds */
async function roseAgain(rose, graph, rounds) {
  const wrong = await roseDiffers(rose, graph);
  const samples = [];
  for (let round = 0; round < rounds && wrong === ""; round++) {
    await nextTask();
    samples.push(await roseLayout(rose, graph));
  }
  return { wrong, samples };
}

/** Measures how many µs an evaluation of the last stage takes. `first` has a mean time for each of several new instances: the
 * mean over its first FIRST evaluations. We use several instances, because other work on the machine may delay the engine's
 * optimiser. `steady` is the shortest mean time of an optimised instance. @param {any} python @param {string} text */
function evaluated(python, text) {
  const graph = JSON.parse(text);
  const diagram = python.Diagram(text);
  const handed = taken(diagram.compile(), everyInput(graph));
  diagram.destroy();
  const x = Float64Array.from(handed.inputs, (k) => Number(graph.x0[k]));
  const perCall = (/** @type {import("../page/diagram-modules.js").Part[]} */ stage) => {
    const start = performance.now();
    for (let k = 0; k < FIRST; k++) energyAt(stage, x, FIRST + k);
    return (1e3 * (performance.now() - start)) / FIRST;
  };
  const stages = Array.from({ length: NEW_INSTANCES }, () => {
    const parts = instances(handed, graph.x0.map(Number));
    return handed.of[handed.of.length - 1].map((j) => parts[j]);
  });
  const first = stages.map(perCall);
  return { first, steady: Math.min(...Array.from({ length: STEADY_BATCHES }, () => perCall(stages[0]))) };
}

/** Compares energies and gradients with known values. Returns how they differ, or "". @param {any} python @param {string} text
 * @param {{energy: number, gradient: Record<string, number>}} tolerance */
function differs(python, text, tolerance) {
  const diagram = python.Diagram(text);
  const graph = JSON.parse(text);
  const all = graph.x0.map((/** @type {unknown} */ _, /** @type {number} */ k) => k);
  const compiled = [taken(diagram.compile(), everyInput(graph)), taken(diagram.compile_everything(), all)];
  const references = JSON.parse(diagram.references());
  diagram.destroy();
  for (const [at, k, ...values] of references) {
    const [[weight], [phi], known] = values.map((/** @type {string[]} */ part) => part.map(Number));
    const handed = compiled[k < 0 ? 1 : 0];
    const point = graph[at].map(Number);
    const parts = instances(handed, point);
    const stage = handed.of[Math.max(k, 0)].map((j) => parts[j]);
    const found = energyAt(stage, Float64Array.from(handed.inputs, (j) => point[j]), weight);
    const free = new Set(k < 0 ? handed.inputs : graph.stages[k].inputs);
    const expected = known.filter((/** @type {number} */ _, /** @type {number} */ j) => free.has(j));
    const slopes = handed.inputs.map((_, j) => stage.reduce((sum, part) => sum + part.gradient[j], 0));
    const gradient = slopes.filter((_, j) => free.has(handed.inputs[j]));
    const why = energyDiffers(found, phi, tolerance.energy) || gradientDiffers(gradient, expected, tolerance.gradient[at]);
    if (why !== "") return `at ${at}: ${why}`;
  }
  return "";
}

/** @param {number} found @param {number} phi @param {number} tolerance */
function energyDiffers(found, phi, tolerance) {
  return Math.abs(found - phi) <= tolerance * Math.abs(phi) ? "" : `the energy is ${found}, not ${phi}`;
}

/** @param {number[]} found @param {number[]} known @param {number} tolerance of the largest element or 1 */
function gradientDiffers(found, known, tolerance) {
  if (found.length !== known.length) return `${found.length} slopes, not ${known.length}`;
  const scale = known.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1);
  const close = (/** @type {number} */ value, /** @type {number} */ k) =>
    Math.abs(value - found[k]) <= tolerance * scale || (Number.isNaN(value) && Number.isNaN(found[k]));
  const at = known.findIndex((value, k) => !close(value, k));
  return at < 0 ? "" : `element ${at} of the gradient is ${found[at]}, not ${known[at]}`;
}
