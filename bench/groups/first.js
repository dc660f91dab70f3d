// The browser's half of the group `first`: compiling and calling, ours, Rose and hand-written JavaScript.

import { instantiate } from "/js/engine/kernel.js";
import { powerJet, regressionGradient, straightLineTape } from "../page/hand-written.js";
import { bytesOfRose, rosePrograms } from "../page/rose-programs.js";
import { compete, nextTask, numbers, perCall } from "../page/timing.js";

const ROSE = "Rose 0.4.10";
const HAND = "hand JS";
const POINT = [1.3, 0.7];
const EDITS_BEFORE = 60;
const COMPILING = { warmUps: 12, rounds: 40 };
const COMPILING_LARGE = { warmUps: 4, rounds: 12 };
const CALLING = { warmUps: 3, rounds: 24 };
/** @type {Record<string, {title: string, target: number | undefined}>} */
const FORMULAS = {
  power: { title: "edit → callable: x^y + K", target: 1.2 },
  short: { title: "edit → callable: 16 tokens", target: undefined },
  medium: { title: "edit → callable: 41 tokens", target: 3 },
  long: { title: "edit → callable: 116 tokens", target: undefined },
};
const EDITING = "value, gradient and Hessian at a point, from the formula's text (ours) or a new closure of its operations "
  + "(Rose, which parses nothing), through a new module, to the end of its first call; interpreter warm, an entry from "
  + "JavaScript for each compile, a K of its own for each module; Rose compiles asynchronously, as its interface has it";

let fresh = 0;
/** A number that no earlier module contains. */
const K = () => 1.5 + 1e-6 * ++fresh;

/** @param {any} lab */
export async function* rows(lab) {
  const rose = lab.rose === null ? null : rosePrograms(lab.rose);
  const python = lab.python;
  const missing = Object.fromEntries([["ours", lab.missing.ours], [ROSE, lab.missing.rose]].filter(([, reason]) => reason !== null));
  /** Leaves the absent out. @param {Record<string, any>} contestants */
  const present = (contestants) => Object.fromEntries(Object.entries(contestants).filter(([name]) => !(name.split(" ")[0] in missing)));
  /** @param {Record<string, any>} contestants @param {any} options */
  const meet = async (contestants, options) => {
    const found = await compete(present(contestants), { check: lab.check, ...options });
    return { ...found, missing: { ...missing, ...found.missing } };
  };

  if (!lab.check) await warmUp();
  for (const [key, { title, target }] of Object.entries(FORMULAS)) yield* editing(key, title, target);
  yield* answering();
  yield* straightLine();
  yield* calling();
  yield* moduleBytes();
  yield* regression();

  /** Edits as they come while a page is used: the engine optimises both compilers before the first row. */
  async function warmUp() {
    for (let k = 0; k < EDITS_BEFORE; k++) {
      const key = Object.keys(FORMULAS)[k % 4];
      attempt(() => ourJet(lab.work.formulas[key], K()));
      await nextTask();
      await rose?.compile(rose.jet(key, K()));
    }
  }

  /** @param {string} key @param {string} title @param {number | undefined} target */
  async function* editing(key, title, target) {
    const text = lab.work.formulas[key];
    const found = await meet({
      ours: {
        result: () => numbers(ourJet(text, 1.5).kernel.call(...POINT)),
        sample: () => ourJet(text, K()).parts,
      },
      [ROSE]: {
        result: async () => triangle((await rose?.compile(rose.jet(key, 1.5)))?.(POINT)),
        sample: async () => {
          const k = K();
          const start = performance.now();
          const f = rose?.jet(key, k);
          const built = performance.now();
          (await rose?.compile(f))?.(POINT);
          const end = performance.now();
          return { total: end - start, "building its graph": built - start, "compile, instantiate, first call": end - built };
        },
      },
    }, COMPILING);
    yield* inParts({ title, unit: "ms", target, note: key === "power" ? EDITING : "" }, found);
  }

  /** Ours as the page does it: Python's answer, its hand-over, the kernel, one call.
   * @param {string} text @param {number} k */
  function ourJet(text, k) {
    const source = text.replaceAll("K", k.toPrecision(12));
    return ourKernel(() => python.compile_formula(source), (kernel) => kernel.evaluate(POINT, new Float64Array(6)));
  }

  /** The page's worker's whole answer, which also has the derivatives as formulas to be shown. */
  async function* answering() {
    const { title } = FORMULAS.medium;
    const compile = () => {
      const source = lab.work.formulas.medium.replaceAll("K", K().toPrecision(12));
      return ourKernel(() => python.answer(source), () => {});
    };
    const contestants = { ours: { result: () => numbers(compile().kernel.call(...POINT)), sample: () => compile().parts.total } };
    const note = "as app.service answers: the row above with the derivatives' formulas to be shown, without a first call";
    yield { title: `  the page's answer, ${title.split(": ")[1]}`, unit: "ms", note, ...(await meet(contestants, COMPILING)) };
  }

  /** Straight-line programs with gradient: compile time for each row that is emitted. */
  async function* straightLine() {
    const { instructions, inputs } = lab.work.straightLine;
    if (python === null) {
      yield { title: "compile, each live row, straight line", unit: "µs", missing, samples: {} };
      return;
    }
    const passed = lab.toPy(instructions);
    const live = python.emitted_rows(passed, inputs.length);
    const perRow = 1e3 / live;
    const compile = (/** @type {number} */ scale) =>
      ourKernel(() => python.compile_straight_line(passed, inputs.length, scale), (kernel) => kernel.call(inputs));
    const found = await meet({
      ours: {
        result: () => numbers(compile(1).kernel.call(inputs)),
        sample: () => scaled(compile(1 - 1e-6 * ++fresh).parts, perRow),
      },
      [ROSE]: {
        result: async () => {
          const theirs = (await rose?.compile(rose.straightLine(instructions, inputs.length, 1)))?.(inputs);
          return numbers([theirs?.value, theirs?.gradient]);
        },
        sample: async () => {
          const scale = 1 - 1e-6 * ++fresh;
          const start = performance.now();
          (await rose?.compile(rose.straightLine(instructions, inputs.length, scale)))?.(inputs);
          return { total: (performance.now() - start) * perRow };
        },
      },
      [HAND]: { result: () => straightLineTape(instructions, inputs, 1) },
    }, COMPILING_LARGE);
    passed.destroy();
    const note = `${instructions.length} instructions with gradient, ${live} rows in our optimised IR, which is what all times are divided by; `
      + "a hand-written tape checks the numbers; Python alone (all passes) is the part below";
    yield* inParts({ title: `compile, each of ${live} live rows, straight line`, unit: "µs", target: undefined, note }, found, { Python: 6 });
  }

  /** One call of x^y's value, gradient and Hessian. */
  async function* calling() {
    const text = lab.work.formulas.power;
    const kernel = attempt(() => ourJet(text, 1.5).kernel);
    const theirs = await rose?.compile(rose.jet("power", 1.5));
    const flat = new Float64Array(6);
    const place = new Float64Array(2);
    const contestants = {
      ours: {
        result: () => {
          kernel.evaluate([2.5, 3.5], flat);
          return numbers(flat);
        },
        sample: perCall((calls) => {
          let sink = 0;
          for (let k = 0; k < calls; k++) {
            place[0] = 2 + (k & 7) / 8;
            place[1] = 2.7 + (k & 3);
            kernel.evaluate(place, flat);
            sink += flat[0] + flat[1] + flat[2] + flat[3] + flat[4] + flat[5];
          }
          return sink;
        }, 1e3),
      },
      "ours (objects)": {
        result: () => numbers(kernel.call(2.5, 3.5)),
        sample: perCall((calls) => {
          let sink = 0;
          for (let k = 0; k < calls; k++) {
            const { f, g, h } = kernel.call(2 + (k & 7) / 8, 2.7 + (k & 3));
            sink += f + g[0] + g[1] + h[0] + h[1] + h[2];
          }
          return sink;
        }, 1e3),
      },
      [ROSE]: {
        result: () => triangle(theirs?.([2.5, 3.5])),
        sample: perCall((calls) => {
          let sink = 0;
          for (let k = 0; k < calls; k++) {
            const { f, g, h } = theirs([2 + (k & 7) / 8, 2.7 + (k & 3)]);
            sink += f + g[0] + g[1] + h[0][0] + h[0][1] + h[1][1];
          }
          return sink;
        }, 1e3),
      },
      [HAND]: {
        result: () => triangle(powerJet(2.5, 3.5, 1.5)),
        sample: perCall((calls) => {
          let sink = 0;
          for (let k = 0; k < calls; k++) {
            const { f, g, h } = powerJet(2 + (k & 7) / 8, 2.7 + (k & 3), 1.5);
            sink += f + g[0] + g[1] + h[0][0] + h[0][1] + h[1][1];
          }
          return sink;
        }, 1e3),
      },
    };
    const found = await meet(contestants, CALLING);
    const note = "value, gradient and Hessian from JavaScript; ours through the page's kernel into a typed array (`evaluate`), "
      + "or in plain objects (`call`); Rose and hand JS in plain objects";
    yield { title: "one call: x^y + K", unit: "µs", target: 0.2, note, ...found };
  }

  async function* moduleBytes() {
    /** @type {Record<string, number[]>} */
    const samples = {};
    const kernel = attempt(() => ourJet(lab.work.formulas.power, 1.5).kernel);
    if (kernel !== null) samples.ours = [kernel.bytes];
    if (rose !== null) samples[ROSE] = [await bytesOfRose(rose.compile, rose.jet("power", 1.5))];
    const note = "value, gradient and Hessian in one module; Rose's calls JavaScript's Math.pow and Math.log, ours contains them";
    yield { title: "module: x^y + K", unit: "B", target: 4000, note, missing, samples };
  }

  async function* regression() {
    const { x, y, w, b } = lab.work.regression;
    const [n, m] = [y.length, w.length];
    const typed = { x: Float64Array.from(x.flat()), y: Float64Array.from(y), w: Float64Array.from(w) };
    const rowsOfX = x.map((/** @type {number[]} */ row) => Float64Array.from(row));
    const ours = attempt(() => ourKernel(() => python.compile_regression(n, m), () => {}));
    const kernel = ours?.kernel ?? null;
    const theirs = await rose?.compile(rose.regression(n, m));
    const gradient = new Float64Array(m + 1);
    const inPlace = ours && viewsOf(ours);
    inPlace?.x.set(typed.x);
    inPlace?.y.set(typed.y);
    const contestants = {
      ours: {
        result: () => numbers(kernel.call(rowsOfX, typed.y, typed.w, b)),
        sample: perCall((calls) => {
          let sink = 0;
          for (let k = 0; k < calls; k++) sink += kernel.call(rowsOfX, typed.y, typed.w, b + (k & 7))[1];
          return sink;
        }, 1e3),
      },
      [ROSE]: {
        result: () => inOrder(theirs?.(rowsOfX, typed.y, typed.w, b)),
        sample: perCall((calls) => {
          let sink = 0;
          for (let k = 0; k < calls; k++) sink += theirs(rowsOfX, typed.y, typed.w, b + (k & 7)).b;
          return sink;
        }, 1e3),
      },
      [HAND]: {
        result: () => {
          regressionGradient(typed.x, typed.y, typed.w, b, gradient);
          return numbers(gradient);
        },
        sample: perCall((calls) => {
          let sink = 0;
          for (let k = 0; k < calls; k++) {
            regressionGradient(typed.x, typed.y, typed.w, b + (k & 7), gradient);
            sink += gradient[m];
          }
          return sink;
        }, 1e3),
      },
    };
    const title = `regression gradient, ${n} × ${m}`;
    yield {
      title: `${title}, all passed`, unit: "µs", ...(await meet(contestants, CALLING)),
      note: "by weights and offset, the data an argument of each call: ours and Rose copy it into their memory; Rose's vjp has one "
        + "argument, so it also computes the data's cotangents; hand JS reads typed arrays where they are",
    };
    const lying = {
      ours: {
        result: () => numbers(inPlace.run(typed.w, b)),
        sample: perCall((calls) => {
          let sink = 0;
          for (let k = 0; k < calls; k++) sink += inPlace.run(typed.w, b + (k & 7))[m];
          return sink;
        }, 1e3),
      },
      [HAND]: contestants[HAND],
    };
    yield {
      title: `${title}, data in memory`, unit: "µs", target: 40, ...(await meet(lying, CALLING)),
      note: "as in a descent: the data was written once, each call passes weights and offset; Rose has no way to do that",
    };
  }

  /** A kernel made by Python, and how long each part took.
   * @param {() => any} compile @param {(kernel: any) => void} call */
  function ourKernel(compile, call) {
    const start = performance.now();
    const pair = compile();
    const compiled = performance.now();
    const [json, wasm] = pair.toJs();
    pair.destroy();
    const reply = JSON.parse(json);
    const abi = reply.abi instanceof Object ? reply.abi : reply;
    const received = performance.now();
    const kernel = instantiate(wasm, abi);
    const instantiated = performance.now();
    call(kernel);
    const end = performance.now();
    const parts = {
      total: end - start,
      Python: compiled - start,
      "hand over": received - compiled,
      instantiate: instantiated - received,
      "first call": end - instantiated,
    };
    return { kernel, parts, wasm, abi };
  }
}

/** What `make` gives, or null where it fails: then whoever uses it is missing, and says so.
 * @template T @param {() => T} make @returns {T | null} */
function attempt(make) {
  try {
    return make();
  } catch {
    return null;
  }
}

/** A gradient's numbers in our order: weights, then offset. @param {{w: number[], b: number} | undefined} ct */
function inOrder(ct) {
  return ct === undefined ? [] : [...ct.w, ct.b];
}

/** The numbers of a jet with one half of its Hessian. @param {any} jet @returns {number[]} */
function triangle(jet) {
  return jet === undefined ? [] : numbers([jet.f, jet.g, jet.h[0][0], jet.h[0][1], jet.h[1][1]]);
}

/** @param {Record<string, number>} parts @param {number} factor */
function scaled(parts, factor) {
  return Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, ms * factor]));
}

/** A row of the totals, and one for each part of ours.
 * @param {{title: string, unit: string, target: number | undefined, note: string}} row
 * @param {any} found @param {Record<string, number>} targets of parts */
function* inParts(row, { samples, compared, wrong, missing }, targets = {}) {
  const parts = (/** @type {string} */ part) => Object.fromEntries(
    Object.entries(samples).map(([name, all]) => [name, all.map((/** @type {any} */ sample) => sample[part])]),
  );
  yield { ...row, samples: parts("total"), compared, wrong, missing };
  for (const part of Object.keys(samples.ours?.[0] ?? {})) {
    if (part === "total") continue;
    yield { title: `  of it: ${part}`, unit: row.unit, target: targets[part], samples: { ours: parts(part).ours }, missing: {} };
  }
}

/** A regression kernel's arguments and results as views of its memory: what a descent that keeps its data there does.
 * @param {{wasm: Uint8Array<ArrayBuffer>, abi: any}} ours */
function viewsOf({ wasm, abi }) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm));
  const { buffer } = /** @type {WebAssembly.Memory} */ (exports[abi.memory.export]);
  const main = /** @type {() => void} */ (exports[abi.export]);
  const view = (/** @type {{at: number, dims: number[]}} */ { at, dims }) => new Float64Array(buffer, at, dims.reduce((a, b) => a * b, 1));
  const [x, y, w, b] = abi.params.map((/** @type {any} */ param) => view(param.leaves[0]));
  const results = abi.result.leaves.map(view);
  const found = new Float64Array(w.length + 1);
  const run = (/** @type {Float64Array} */ weights, /** @type {number} */ offset) => {
    w.set(weights);
    b[0] = offset;
    main();
    found.set(results[0]);
    found[w.length] = results[1][0];
    return found;
  };
  return { x, y, run };
}
