// The browser's half of the group `diagrams`: Pyodide compiles each energy with its gradient, and the engine evaluates
// it as often as Rose's optimiser did. Reading the graph's JSON comes before; making rows of it is part of the time.

import { nextTask } from "../page/timing.js";

const POINTS = 64;
const FIRST = 100;
const STEADY_BATCHES = 5;
const WEIGHT = 1e3;
/** A section that engines pass over: its kind, its length, that of its name, and the name. */
const SECTION = [0, 5, 4];

let modules = 0;

/** @typedef {{main: () => void, params: Float64Array[], results: Float64Array[]}} Kernel */
/** @typedef {{frozen: Float64Array, points: Float64Array[], count: number}} Work */

/** @param {any} lab */
export async function* rows(lab) {
  const { Diagram } = lab.diagrams("page") ?? {};
  if (Diagram === undefined) {
    yield { title: "diagrams", unit: "ms", samples: {}, missing: { ours: lab.missing.ours } };
    return;
  }
  const { diagrams, warmUps, rounds, tolerances } = lab.work;
  if (!lab.check) for (const { file } of warmUps) await measured(Diagram, await fetched(file), 1);
  for (const { name, file } of diagrams) {
    const text = await fetched(file);
    const wrong = differs(Diagram, text, tolerances[name]);
    const samples = wrong || lab.check ? [] : await measured(Diagram, text, rounds);
    yield { title: name, unit: "ms", samples: { parts: samples }, compared: ["ours", "reference"], wrong, missing: {} };
  }
}

/** A graph's JSON. @param {string} file */
async function fetched(file) {
  const answer = await fetch(`/diagrams/${file}`);
  if (!answer.ok || answer.body === null) throw new Error(`/diagrams/${file}: ${answer.status}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).text();
}

/** @param {any} Diagram of bench/diagrams/page.py @param {string} text @param {number} rounds */
async function measured(Diagram, text, rounds) {
  const graph = JSON.parse(text);
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    await nextTask();
    const diagram = Diagram(text);
    await nextTask();
    samples.push(sample(diagram, graph));
    diagram.destroy();
  }
  return samples;
}

/** Milliseconds from the graph in Python's memory to the last evaluation of the last stage, and their parts.
 * @param {any} diagram @param {any} graph */
function sample(diagram, graph) {
  const stages = graph.stages.map((/** @type {any} */ stage, /** @type {number} */ k) => work(graph, stage, graph.optim.stages[k].evals));
  const start = performance.now();
  const reply = diagram.compile();
  const compiled = performance.now();
  const handed = taken(reply);
  const received = performance.now();
  const kernels = instances(handed);
  const instantiated = performance.now();
  kernels.forEach((kernel, k) => begin(kernel, stages[k]));
  const begun = performance.now();
  const firstUs = kernels.map((kernel, k) => first(kernel, stages[k]));
  kernels.forEach((kernel, k) => evaluate(kernel, stages[k], FIRST + 1, stages[k].count));
  const end = performance.now();
  const passes = diagram.passes();
  const found = {
    total: end - start,
    Python: compiled - start,
    "hand over": received - compiled,
    instantiate: instantiated - received,
    "first calls": begun - instantiated,
    evaluations: end - begun,
    passes: passes.toJs({ dict_converter: Object.fromEntries }),
    bytes: handed.stages.map((k) => handed.wasms[k].length),
    firstUs,
    steadyUs: kernels.map((kernel, k) => steady(kernel, stages[k])),
  };
  passes.destroy();
  return found;
}

/** What a stage is evaluated at. @param {any} graph @param {any} stage @param {number} count @returns {Work} */
function work(graph, stage, count) {
  const free = new Set(stage.inputs);
  const [from, to] = [graph.x0, graph.x_final].map((x) => x.map(Number));
  const frozen = Float64Array.from(from.filter((/** @type {number} */ _, /** @type {number} */ k) => !free.has(k)));
  const points = Array.from({ length: POINTS }, (_, j) =>
    Float64Array.from(stage.inputs, (/** @type {number} */ k) => from[k] + ((to[k] - from[k]) * j) / POINTS));
  return { frozen, points, count };
}

/** Modules and their ABIs, and which of them each stage has. @param {any} reply of Diagram.compile
 * @returns {{stages: number[], abis: any[], wasms: Uint8Array<ArrayBuffer>[]}} */
function taken(reply) {
  const [json, ...wasms] = reply.toJs();
  reply.destroy();
  return { ...JSON.parse(json), wasms };
}

/** For each stage what calls its module, which no engine has seen before. @param {ReturnType<typeof taken>} handed @returns {Kernel[]} */
function instances({ stages, abis, wasms }) {
  const made = wasms.map((wasm, k) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fresh(wasm)));
    const { buffer } = /** @type {WebAssembly.Memory} */ (exports[abis[k].memory.export]);
    const view = (/** @type {{at: number, dims: number[]}} */ { at, dims }) =>
      new Float64Array(buffer, at, dims.reduce((a, b) => a * b, 1));
    const params = abis[k].params.flatMap((/** @type {any} */ param) => param.leaves.map(view));
    const main = /** @type {() => void} */ (exports[abis[k].export]);
    return { main, params, results: abis[k].result.leaves.map(view) };
  });
  return stages.map((k) => made[k]);
}

/** A module that does the same and has other bytes: engines know modules by their bytes. @param {Uint8Array} wasm */
function fresh(wasm) {
  modules += 1;
  const name = [modules & 127, (modules >> 7) & 127, (modules >> 14) & 127, 0]; // ASCII
  const longer = new Uint8Array(wasm.length + SECTION.length + name.length);
  longer.set(wasm);
  longer.set(SECTION, wasm.length);
  longer.set(name, wasm.length + SECTION.length);
  return longer;
}

/** The first call. @param {Kernel} kernel @param {Work} stage */
function begin({ main, params }, { frozen, points }) {
  const [x, others, weight] = params;
  others.set(frozen);
  weight[0] = WEIGHT;
  x.set(points[0]);
  main();
}

/** Calls with the numbers from `from` to `to`, each at a point of its own. @param {Kernel} kernel @param {Work} stage
 * @param {number} from @param {number} to */
function evaluate({ main, params }, { points }, from, to) {
  const [x] = params;
  for (let k = from; k < to; k++) {
    x.set(points[k % POINTS]);
    main();
  }
}

/** The calls that follow the first, up to a hundred; µs for each. @param {Kernel} kernel @param {Work} stage */
function first(kernel, stage) {
  const to = Math.min(stage.count, FIRST + 1);
  const start = performance.now();
  evaluate(kernel, stage, 1, to);
  return (1e3 * (performance.now() - start)) / Math.max(to - 1, 1);
}

/** µs of a call in the end. @param {Kernel} kernel @param {Work} stage */
function steady(kernel, stage) {
  const batches = Array.from({ length: STEADY_BATCHES }, () => {
    const start = performance.now();
    evaluate(kernel, stage, 0, FIRST);
    return (1e3 * (performance.now() - start)) / FIRST;
  });
  return Math.min(...batches);
}

/** In which way energies and gradients are not those that are known, or "". @param {any} Diagram @param {string} text
 * @param {{energy: number, gradient: Record<string, number>}} tolerance */
function differs(Diagram, text, tolerance) {
  const diagram = Diagram(text);
  const kernels = instances(taken(diagram.compile_references()));
  const references = JSON.parse(diagram.references());
  diagram.destroy();
  for (const [k, [at, ...parts]] of references.entries()) {
    const { main, params, results } = kernels[k];
    const [x, frozen, weight, [phi], gradient] = parts.map((/** @type {string[]} */ part) => part.map(Number));
    [x, frozen, weight].forEach((values, j) => params[j].set(values));
    main();
    const why = energyDiffers(results[0][0], phi, tolerance.energy) || gradientDiffers(results[1], gradient, tolerance.gradient[at]);
    if (why !== "") return `at ${at}: ${why}`;
  }
  return "";
}

/** @param {number} found @param {number} phi @param {number} tolerance */
function energyDiffers(found, phi, tolerance) {
  return Math.abs(found - phi) <= tolerance * Math.abs(phi) ? "" : `the energy is ${found}, not ${phi}`;
}

/** @param {Float64Array} found @param {number[]} known @param {number} tolerance of the largest element or 1 */
function gradientDiffers(found, known, tolerance) {
  const scale = known.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1);
  const close = (/** @type {number} */ value, /** @type {number} */ k) =>
    Math.abs(value - found[k]) <= tolerance * scale || (Number.isNaN(value) && Number.isNaN(found[k]));
  const at = known.findIndex((value, k) => !close(value, k));
  return at < 0 ? "" : `element ${at} of the gradient is ${found[at]}, not ${known[at]}`;
}
