// The browser's half of the group `diagrams`: Pyodide compiles each energy with its gradient, and the engine evaluates
// it as often as Rose's optimiser did. The time includes turning the graph into rows, but not reading its JSON.

import { nextTask } from "../page/timing.js";

const POINTS = 64;
const FIRST = 100;
const STEADY_BATCHES = 5;
const WEIGHT = 1e3;
/** The head of a section that engines ignore: its kind, its length, and the length of its name. */
const SECTION = [0, 5, 4];

let modules = 0;

/** @typedef {{main: () => void, x: Float64Array, frozen: Float64Array, weight: Float64Array, phi: Float64Array, gradient: Float64Array}} Part */
/** @typedef {{parts: Part[], points: Float64Array[], count: number, gradient: Float64Array}} Stage */

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

/** The milliseconds from the graph in Python's memory to the last evaluation of the last stage, and their parts.
 * @param {any} diagram @param {any} graph */
function sample(diagram, graph) {
  const inputs = everyInput(graph);
  const points = graph.stages.map((/** @type {any} */ stage) => movingPoints(graph, stage, inputs));
  const x0 = graph.x0.map(Number);
  const start = performance.now();
  const reply = diagram.compile();
  const compiled = performance.now();
  const handed = taken(reply, inputs);
  const received = performance.now();
  const parts = instances(handed, x0, WEIGHT);
  const instantiated = performance.now();
  const stages = handed.of.map((numbers, k) => stageOf(numbers.map((j) => parts[j]), points[k], graph.optim.stages[k].evals));
  for (const stage of stages) evaluate(stage, 0, 1);
  const begun = performance.now();
  const firstUs = stages.map(first);
  for (const stage of stages) evaluate(stage, FIRST + 1, stage.count);
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
    bytes: handed.of.map((numbers) => numbers.reduce((sum, j) => sum + handed.wasms[j].length, 0)),
    firstUs,
    steadyUs: stages.map(steady),
  };
  passes.destroy();
  return found;
}

/** The inputs that take part in any stage, in order. @param {any} graph @returns {number[]} */
function everyInput(graph) {
  const found = new Set(graph.stages.flatMap((/** @type {any} */ stage) => stage.inputs));
  return [...found].sort((a, b) => a - b);
}

/** The modules' inputs at each point of a stage. Only the stage's own inputs move.
 * @param {any} graph @param {any} stage @param {number[]} inputs */
function movingPoints(graph, stage, inputs) {
  const [from, to] = [graph.x0, graph.x_final].map((x) => x.map(Number));
  return Array.from({ length: POINTS }, (_, j) => {
    const x = Float64Array.from(from);
    for (const k of stage.inputs) x[k] = from[k] + ((to[k] - from[k]) * j) / POINTS;
    return Float64Array.from(inputs, (k) => x[k]);
  });
}

/** The modules and their ABIs, their inputs, and the numbers of each stage's modules.
 * @param {any} reply of Diagram.compile @param {number[]} inputs
 * @returns {{inputs: number[], of: number[][], abis: any[], wasms: Uint8Array<ArrayBuffer>[]}} */
function taken(reply, inputs) {
  const [json, ...wasms] = reply.toJs();
  reply.destroy();
  return { ...JSON.parse(json), inputs, wasms };
}

/** Instances of the modules, each with bytes that no engine has seen before. @param {ReturnType<typeof taken>} handed
 * @param {number[]} x0 of all inputs @param {number} w @returns {Part[]} */
function instances({ inputs, abis, wasms }, x0, w) {
  const moved = new Set(inputs);
  const others = Float64Array.from(x0.filter((_, k) => !moved.has(k)));
  return wasms.map((wasm, k) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(fresh(wasm)));
    const { buffer } = /** @type {WebAssembly.Memory} */ (exports[abis[k].memory.export]);
    const view = (/** @type {{at: number, dims: number[]}} */ { at, dims }) =>
      new Float64Array(buffer, at, dims.reduce((a, b) => a * b, 1));
    const [x, frozen, weight] = abis[k].params.map((/** @type {any} */ param) => view(param.leaves[0]));
    const [phi, gradient] = abis[k].result.leaves.map(view);
    frozen.set(others);
    weight[0] = w;
    return { main: /** @type {() => void} */ (exports[abis[k].export]), x, frozen, weight, phi, gradient };
  });
}

/** @param {Part[]} parts @param {Float64Array[]} points @param {number} count of evaluations @returns {Stage} */
function stageOf(parts, points, count) {
  return { parts, points, count, gradient: new Float64Array(points[0].length) };
}

/** An equivalent module with different bytes, because engines recognise modules by their bytes. @param {Uint8Array} wasm */
function fresh(wasm) {
  modules += 1;
  const name = [modules & 127, (modules >> 7) & 127, (modules >> 14) & 127, 0]; // ASCII
  const longer = new Uint8Array(wasm.length + SECTION.length + name.length);
  longer.set(wasm);
  longer.set(SECTION, wasm.length);
  longer.set(name, wasm.length + SECTION.length);
  return longer;
}

/** Makes the calls from number `from` to `to`, each at its own point. The gradient is the sum of the parts' gradients.
 * @param {Stage} stage @param {number} from @param {number} to */
function evaluate({ parts, points, gradient }, from, to) {
  for (let k = from; k < to; k++) {
    const point = points[k % POINTS];
    for (const { main, x } of parts) {
      x.set(point);
      main();
    }
    if (parts.length > 1) addUp(parts, gradient);
  }
}

/** The sum of the parts' gradients. @param {Part[]} parts @param {Float64Array} sum */
function addUp(parts, sum) {
  sum.fill(0);
  for (const { gradient } of parts) for (let k = 0; k < sum.length; k++) sum[k] += gradient[k];
}

/** Makes up to a hundred calls after the first. Returns the µs for each. @param {Stage} stage */
function first(stage) {
  const to = Math.min(stage.count, FIRST + 1);
  const start = performance.now();
  evaluate(stage, 1, to);
  return (1e3 * (performance.now() - start)) / Math.max(to - 1, 1);
}

/** The µs of a call in the end, when the engine has optimised it. @param {Stage} stage */
function steady(stage) {
  const batches = Array.from({ length: STEADY_BATCHES }, () => {
    const start = performance.now();
    evaluate(stage, 0, FIRST);
    return (1e3 * (performance.now() - start)) / FIRST;
  });
  return Math.min(...batches);
}

/** A text that says how energies or gradients differ from the known ones, or "". @param {any} Diagram @param {string} text
 * @param {{energy: number, gradient: Record<string, number>}} tolerance */
function differs(Diagram, text, tolerance) {
  const diagram = Diagram(text);
  const graph = JSON.parse(text);
  const all = graph.x0.map((/** @type {unknown} */ _, /** @type {number} */ k) => k);
  const compiled = [taken(diagram.compile(), everyInput(graph)), taken(diagram.compile_everything(), all)];
  const references = JSON.parse(diagram.references());
  diagram.destroy();
  for (const [at, k, ...values] of references) {
    const [[weight], [phi], known] = values.map((/** @type {string[]} */ part) => part.map(Number));
    const handed = compiled[k < 0 ? 1 : 0];
    const point = graph[at].map(Number);
    const parts = instances(handed, point, weight);
    const own = Float64Array.from(handed.inputs, (j) => point[j]);
    const stage = stageOf(handed.of[Math.max(k, 0)].map((j) => parts[j]), [own], 1);
    evaluate(stage, 0, 1);
    addUp(stage.parts, stage.gradient);
    const free = new Set(k < 0 ? handed.inputs : graph.stages[k].inputs);
    const expected = known.filter((/** @type {number} */ _, /** @type {number} */ j) => free.has(j));
    const gradient = stage.gradient.filter((_, j) => free.has(handed.inputs[j]));
    const found = stage.parts.reduce((sum, part) => sum + part.phi[0], 0);
    const why = energyDiffers(found, phi, tolerance.energy) || gradientDiffers(gradient, expected, tolerance.gradient[at]);
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
  if (found.length !== known.length) return `${found.length} slopes, not ${known.length}`;
  const scale = known.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1);
  const close = (/** @type {number} */ value, /** @type {number} */ k) =>
    Math.abs(value - found[k]) <= tolerance * scale || (Number.isNaN(value) && Number.isNaN(found[k]));
  const at = known.findIndex((value, k) => !close(value, k));
  return at < 0 ? "" : `element ${at} of the gradient is ${found[at]}, not ${known[at]}`;
}
