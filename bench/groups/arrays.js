// The browser's half of the group `arrays`: programs of whole arrays, with all data in memory.

import { jaxJsArrays, tensorflowArrays } from "../page/array-programs.js";
import { HAND, OURS, contest, inMemory, ourKernel } from "../page/contest.js";
import { handArrays } from "../page/hand-arrays.js";
import { numbers, perCall } from "../page/timing.js";

const TENSORFLOW = "TensorFlow.js 4.22";
const TENSORFLOW_CPU = `${TENSORFLOW}, CPU, float32`;
const JAX_JS = "jax-js 0.1.25, Wasm, float64";
/** jax-js computes with 64-bit floats, but its functions exp, log and tanh have only 32-bit accuracy. */
const JAX_JS_TOLERANCE = 1e-5;
const PER_MS = 1e3;
/** We store results here, because the engine could skip the timed calls if nothing used their results.
 * @type {{kept: unknown}} */
const sink = { kept: null };
let fresh = 0;

/** @typedef {{name: string, title: string, args: number[][], shapes: number[][], unknowns: number, compile: number | null}} Problem */

/** @param {any} lab */
export async function* rows(lab) {
  const { meet, missing } = contest(lab);
  const compile = (/** @type {string} */ name, /** @type {number} */ scale) => () => lab.arrays.compile_array_problem(name, scale);
  for (const problem of /** @type {Problem[]} */ (lab.work.problems)) {
    const args = problem.args.map((arg) => Float64Array.from(arg));
    const found = await meet({
      [OURS]: late(() => {
        const { params, results, main } = inMemory(ourKernel(compile(problem.name, 1), () => {}));
        args.forEach((arg, k) => params[k].set(arg));
        return { run: main, result: () => numbers(results) };
      }),
      ...contestant(HAND, handArrays[problem.name], (make) => make(args)),
      ...contestant(TENSORFLOW_CPU, tensorflowArrays[problem.name], async (make) => make(await lab.load("tfjs.js"), args, problem.shapes), lab.tolerance[TENSORFLOW]),
      ...contestant(JAX_JS, jaxJsArrays[problem.name], async (make) => make(await lab.load("jax-js.js"), args, problem.shapes), JAX_JS_TOLERANCE),
    }, { warmUps: 2, rounds: 12 });
    const doubles = [HAND, JAX_JS].map((name) => median(found.samples[name]));
    const target = Math.min(...doubles);
    yield { title: problem.title, unit: "µs", ...found, ...(target < Infinity && { target }), missing: { ...missing, ...found.missing } };
    if (problem.compile === null || lab.check) continue;
    const sample = () => ourKernel(compile(problem.name, 1 - 1e-7 * ++fresh), ({ call }) => call(...shaped(args, problem.shapes))).parts.total;
    const compiling = await meet({ [OURS]: { result: null, sample } }, { warmUps: 2, rounds: 8 });
    yield { title: "  definition → callable", unit: "ms", ...compiling, target: problem.compile };
  }
}

/** Returns {name: contestant}, or {} if `maker` is undefined. We call `make` only when the contestant's result is needed.
 * @param {string} name @param {any} maker @param {(maker: any) => any} make → {run, result} @param {number} [tolerance] */
function contestant(name, maker, make, tolerance) {
  return maker === undefined ? {} : { [name]: { ...late(() => make(maker)), tolerance } };
}

/** @param {() => any} make {run, result} */
function late(make) {
  /** @type {() => number} */
  let sample = () => NaN;
  return {
    result: async () => {
      const { run, result } = await make();
      sample = perCall((calls) => {
        for (let k = 0; k < calls; k++) sink.kept = run();
      }, PER_MS);
      return result(run());
    },
    sample: () => sample(),
  };
}

/** Arrays as our kernels take them from JavaScript. @param {Float64Array[]} args @param {number[][]} shapes */
function shaped(args, shapes) {
  return args.map((arg, k) => {
    const [length, columns] = shapes[k];
    if (length === undefined) return arg[0];
    return columns === undefined ? arg : Array.from({ length }, (_, i) => arg.subarray(i * columns, (i + 1) * columns));
  });
}

/** @param {any[] | undefined} samples */
function median(samples) {
  if (!samples?.length) return Infinity;
  return [...samples].sort((a, b) => a - b)[samples.length >> 1];
}
