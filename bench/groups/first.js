// The browser's half of the group `first`: compiling and calling, ours, Rose and hand-written JavaScript.

import { HAND, ROSE, attempt, contest, inMemory, inParts, ourKernel, roseKernel } from "../page/contest.js";
import { COMPILING, POINT, edits, triangle } from "../page/edits.js";
import { powerJet, regressionGradient, straightLineTape } from "../page/hand-written.js";
import { rosePrograms } from "../page/rose-programs.js";
import { numbers, perCall } from "../page/timing.js";

const COMPILING_LARGE = { warmUps: 4, rounds: 12 };
const CALLING = { warmUps: 3, rounds: 24 };
/** @type {Record<string, {title: string, target: number | undefined}>} */
const FORMULAS = {
  power: { title: "edit → callable: x^y + K", target: 1.2 },
  short: { title: "edit → callable: 16 tokens", target: undefined },
  medium: { title: "edit → callable: 41 tokens", target: 3 },
  long: { title: "edit → callable: 116 tokens", target: undefined },
};

let fresh = 0;

/** @param {any} lab */
export async function* rows(lab) {
  const rose = lab.rose === null ? null : rosePrograms(lab.rose);
  const python = lab.python;
  const { meet, missing } = contest(lab);

  const { K, warmUp, editing, ourJet } = edits(lab);

  if (!lab.check) await warmUp();
  for (const [key, { title, target }] of Object.entries(FORMULAS)) yield* editing(key, { title, target });
  yield* answering();
  yield* straightLine();
  yield* calling();
  yield* moduleBytes();
  yield* regression();

  /** Times everything that a page's worker does after an edit. This includes writing the derivatives as TeX. */
  async function* answering() {
    const { title } = FORMULAS.medium;
    const compile = () => {
      const source = lab.work.formulas.medium.replaceAll("K", K().toPrecision(12));
      return ourKernel(() => python.answer(source), () => {});
    };
    const contestants = { ours: { result: () => numbers(compile().kernel.call(...POINT)), sample: () => compile().parts.total } };
    const note = "app.service answers the edit of the row above. The answer includes the formulas of the derivatives, which the page "
      + "shows. The time includes no call of the kernel.";
    yield { title: `  the page's answer, ${title.split(": ")[1]}`, unit: "ms", note, ...(await meet(contestants, COMPILING)) };
  }

  /** Measures the compiler's time per emitted row for a straight-line program and its gradient. */
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
    const note = `The program has ${instructions.length} instructions. With its gradient it has ${live} rows in our optimised IR. All times are `
      + "divided by this number of rows. A hand-written tape checks the results. The row below is the time of Python alone, with all passes.";
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
    const note = "Each call computes value, gradient and Hessian. Ours writes them into a typed array through the page's kernel (`evaluate`), "
      + "or returns plain objects (`call`). Rose and hand JS return plain objects.";
    yield { title: "one call: x^y + K", unit: "µs", target: 0.2, note, ...found };
  }

  async function* moduleBytes() {
    /** @type {Record<string, number[]>} */
    const samples = {};
    const kernel = attempt(() => ourJet(lab.work.formulas.power, 1.5).kernel);
    if (kernel !== null) samples.ours = [kernel.bytes];
    if (rose !== null) samples[ROSE] = [(await roseKernel(lab.rose, rose.jet("power", 1.5))).bytes];
    const note = "One module has value, gradient and Hessian. Rose's module calls JavaScript's Math.pow and Math.log, and ours contains these functions.";
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
      note: "The gradient is with respect to weights and offset. The data is an argument of each call. Ours and Rose copy the data into "
        + "their memory. Rose's vjp has one argument, so Rose also computes the data's cotangents. Hand JS reads the typed arrays directly.",
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
      note: "As in a descent, the data was written once, and each call passes only weights and offset. Rose cannot do this.",
    };
  }
}

/** Returns Rose's gradient as one list, in the order of our result: the derivatives by the weights, then by the offset.
 * @param {{w: number[], b: number} | undefined} ct */
function inOrder(ct) {
  return ct === undefined ? [] : [...ct.w, ct.b];
}

/** @param {Record<string, number>} parts @param {number} factor */
function scaled(parts, factor) {
  return Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, ms * factor]));
}

/** Makes a function (weights, offset) → gradient of a regression. The data is in the kernel's memory.
 * @param {{wasm: Uint8Array<ArrayBuffer>, abi: any}} ours */
function viewsOf(ours) {
  const { params: [x, y, w, b], results, main } = inMemory(ours);
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
