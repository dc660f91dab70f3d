// The rows of one problem: calls of its gradient, their time divided by the value's, compiling, bytes and memory.

import { HAND, OURS, ROSE, contest, inMemory, inParts, ourKernel, roseKernel } from "./contest.js";
import { numbers, perCall } from "./timing.js";

const CALLING = { warmUps: 3, rounds: 20 };
const COMPILING = { warmUps: 2, rounds: 8 };
const VALUE = ", value alone";
const PASSED = `${OURS}, arguments passed`;
const PER_MS = { ms: 1, "µs": 1e3 };

/** @typedef {object} Problem
 * @property {string} name the problem's name in bench/problems.py
 * @property {string} title
 * @property {any[]} sizes arguments such as the number of steps, for the function in bench/problems.py
 * @property {"gradient" | "both"} kind
 * @property {"ms" | "µs"} unit
 * @property {Float64Array[]} args the kernel's arguments as flat arrays. Each timed call changes the first number that is
 *   not data.
 * @property {number} [data] the number of arguments at the start that are data. We write data into the kernel only once.
 * @property {number[][]} [shapes] the shape of each argument. Needed if one is a matrix ([rows, columns]) or a number ([]).
 * @property {Record<string, number>} [target] our targets, with the keys call, times, compile, bytes and memory
 * @property {Record<string, number>} [aim] smaller values that we would like to reach later, with the same keys
 * @property {{gradient: () => number[], value: () => number} | null} [hand] the program that we wrote by hand
 * @property {{make: (kind: string, scale: number) => any, argument: () => any, numbers: (result: any) => number[]}} [rose]
 * @property {Record<string, () => Promise<{gradient: () => number[], value: () => number[], tolerance?: number}>>} [others]
 * @property {{warmUps: number, rounds: number}} [calling]
 * @property {{warmUps: number, rounds: number}} [compiling]
 * @property {string} [note] */

/** We store results here, because the engine could skip the timed calls if nothing used their results.
 * @type {{kept: unknown}} */
const sink = { kept: null };
let fresh = 0;
/** A factor that no earlier module contains. */
const factor = () => 1 - 1e-7 * ++fresh;

/** @param {any} lab @param {Problem} problem */
export async function* problemRows(lab, problem) {
  const { title, unit, args, kind, target = {}, aim = {} } = problem;
  const { meet } = contest(lab);
  const passed = problem.sizes.map(lab.toPy ?? ((size) => size));
  const compile = (/** @type {string} */ which, /** @type {number} */ scale) => () => lab.problems.compile_problem(problem.name, which, scale, ...passed);
  const shaped = args.map((arg, k) => rowsOf(arg, problem.shapes?.[k]));
  const varied = args[problem.data ?? 0];
  const first = varied[0];
  /** @type {any} */
  let size = {};

  /** A sampler of calls whose argument changes. @param {() => unknown} call */
  const sampled = (call) => perCall((calls) => {
    for (let k = 0; k < calls; k++) {
      varied[0] = first * (1 + 1e-9 * (k & 7));
      sink.kept = call();
    }
    varied[0] = first;
  }, PER_MS[unit]);
  /** Makes a contestant that calls `make` only when the bench asks for the contestant's result.
   * @param {() => any} make {run, result} */
  const late = (make) => {
    /** @type {any} */
    let made = null;
    return {
      result: async () => {
        made = await make();
        const found = made.result(made.run());
        made.sample = sampled(made.run);
        return found;
      },
      sample: () => made.sample(),
      tolerance: undefined,
    };
  };
  const oursInMemory = (/** @type {string} */ which) => late(() => {
    const ours = ourKernel(compile(which, 1), () => {});
    if (which !== "value") size = { [OURS]: { bytes: ours.wasm.length, memoryBytes: ours.abi.memory.bytes } };
    const { params, results, main } = inMemory(ours);
    args.forEach((arg, k) => params[k].set(arg));
    const unknowns = args.map((arg, k) => ({ arg, view: params[k] })).slice(problem.data ?? 0);
    const run = () => {
      for (const { arg, view } of unknowns) view.set(arg);
      main();
    };
    return { run, result: () => numbers(results) };
  });

  yield* calling();
  if (!lab.check) {
    yield* compiling();
    yield* sizes();
  }
  for (const size_ of passed) size_?.destroy?.();

  async function* calling() {
    /** @type {Record<string, any>} */
    const contestants = {
      [OURS]: oursInMemory(kind),
      [PASSED]: late(() => {
        const { kernel } = ourKernel(compile(kind, 1), () => {});
        return { run: () => kernel.call(...callable()), result: numbers };
      }),
    };
    /** @type {Record<string, any>} */
    const values = { [OURS + VALUE]: oursInMemory("value") };
    const { rose, hand, others = {} } = problem;
    if (rose !== undefined) {
      const theirs = (/** @type {string} */ which, /** @type {(result: any) => number[]} */ result) => late(async () => {
        const made = await roseKernel(lab.rose, rose.make(which, 1));
        if (which !== "value") size[ROSE] = made;
        return { run: () => made.call(...listed(rose.argument())), result };
      });
      contestants[ROSE] = theirs(kind, rose.numbers);
    }
    if (hand) {
      contestants[HAND] = late(() => ({ run: hand.gradient, result: numbers }));
      values[HAND + VALUE] = late(() => ({ run: hand.value, result: numbers }));
    }
    for (const [name, load] of Object.entries(others)) {
      contestants[name] = { ...late(async () => ({ run: (await load()).gradient, result: numbers })), tolerance: lab.tolerance[name] };
    }
    // First the values are compared with each other, then all contestants are timed in turns.
    const compared = await meet(values, { warmUps: 0, rounds: 0 });
    const found = await meet({ ...contestants, ...valuesThatFollow(values, compared) }, problem.calling ?? CALLING);
    const isValue = (/** @type {string} */ name) => name.endsWith(VALUE);
    yield {
      title, unit, target: target.call, aim: aim.call, note: problem.note ?? "", missing: found.missing,
      samples: without(found.samples, isValue), compared: found.compared.filter((name) => !isValue(name)),
      wrong: found.wrong || compared.wrong,
    };
    if (!lab.check && !found.wrong) {
      const samples = Object.fromEntries([OURS, HAND].filter((name) => found.samples[name + VALUE]).map((name) => [
        name, [least(found.samples[name]) / least(found.samples[name + VALUE])],
      ]));
      yield { title: "  times the value's", unit: "×", target: target.times ?? 4, aim: aim.times ?? 3, samples, missing: {} };
    }
  }

  async function* compiling() {
    /** @type {Record<string, any>} */
    const contestants = {
      [OURS]: {
        result: () => numbers(ourKernel(compile(kind, 1), () => {}).kernel.call(...callable())),
        sample: () => ourKernel(compile(kind, factor()), (kernel) => kernel.call(...callable())).parts,
      },
    };
    const { rose } = problem;
    if (rose !== undefined) {
      contestants[ROSE] = {
        result: async () => rose.numbers((await lab.rose.compile(rose.make(kind, 1)))(...listed(rose.argument()))),
        sample: async () => {
          const start = performance.now();
          (await lab.rose.compile(rose.make(kind, factor())))(...listed(rose.argument()));
          return { total: performance.now() - start };
        },
      };
    }
    const found = await meet(contestants, problem.compiling ?? COMPILING);
    const row = { title: "  definition → callable", unit: "ms", target: target.compile, aim: aim.compile, note: "The time ends with the first call." };
    yield* inParts(row, found);
  }

  function* sizes() {
    const of = (/** @type {string} */ part) => Object.fromEntries(Object.entries(size).map(([name, made]) => [name, [made[part]]]));
    yield { title: "  module", unit: "B", target: target.bytes, aim: aim.bytes, samples: of("bytes"), missing: {} };
    yield { title: "  memory", unit: "B", target: target.memory, aim: aim.memory, samples: of("memoryBytes"), missing: {} };
  }

  /** Returns the problem's arguments in the form that our kernels accept from JavaScript. */
  function callable() {
    return shaped.map((arg, k) => (problem.shapes?.[k]?.length === 0 ? arg[0] : arg));
  }
}

/** Turns programs into contestants that are only timed: `result: null` means that no results are compared.
 * @param {Record<string, any>} values @param {any} compared */
function valuesThatFollow(values, compared) {
  const here = Object.entries(values).filter(([name]) => !(name in compared.missing));
  return Object.fromEntries(here.map(([name, contestant]) => [name, { ...contestant, result: null }]));
}

/** @param {Record<string, any>} samples @param {(name: string) => boolean} isLeftOut */
function without(samples, isLeftOut) {
  return Object.fromEntries(Object.entries(samples).filter(([name]) => !isLeftOut(name)));
}

/** Returns the smallest sample. Other work on the machine affects it least. @param {any} samples @returns {number} */
function least(samples) {
  return Math.min(...samples);
}

/** Puts a single argument into an array. If the argument is an array of arguments already, returns it.
 * @param {any} argument */
function listed(argument) {
  return Array.isArray(argument) ? argument : [argument];
}

/** Splits a matrix into views of its rows. Returns a vector as it is.
 * @param {Float64Array} arg @param {number[] | undefined} shape @returns {any} */
export function rowsOf(arg, shape) {
  if (shape?.length !== 2) return arg;
  const [rows, columns] = shape;
  return Array.from({ length: rows }, (_, k) => arg.subarray(k * columns, (k + 1) * columns));
}
