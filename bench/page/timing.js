// Measures contestants. Their results are compared first, then the contestants are timed in turns.

const SMALLEST_SAMPLE_MS = 8;
const RELATIVE = 1e-9;

/** @typedef {object} Contestant
 * @property {(() => Promise<number[]> | number[]) | null} result returns numbers to compare. If null, nothing is compared.
 * @property {(round: number) => Promise<Sample> | Sample} [sample] takes one sample of the time
 * @property {number} [tolerance] the allowed relative error, for a contestant that computes with fewer bits */
/** @typedef {number | Record<string, number>} Sample one number, or one number for each part of the work */

/** @typedef {object} Competition
 * @property {string[]} compared the contestants with equal results
 * @property {string} wrong a text that describes how two results differ, or ""
 * @property {Record<string, string>} missing for each contestant without a result, the reason
 * @property {Record<string, Sample[]>} samples */

/** Waits for the next task of the event loop. When V8 optimises Pyodide's interpreter, only later calls of the interpreter
 * use the optimised code.
 * @returns {Promise<void>} */
export function nextTask() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Compares the contestants' results. If all are equal, measures the contestants' times in turns.
 * @param {Record<string, Contestant>} contestants
 * @param {{check: boolean, warmUps: number, rounds: number}} options
 * @returns {Promise<Competition>} */
export async function compete(contestants, { check, warmUps, rounds }) {
  const { compared, wrong, missing } = await compare(contestants);
  /** @type {Record<string, Sample[]>} */
  const samples = {};
  const names = Object.keys(contestants).filter((name) => !(name in missing) && contestants[name].sample !== undefined);
  for (const name of names) samples[name] = [];
  if (wrong !== "" || check) return { compared, wrong, missing, samples };
  for (let round = -warmUps; round < rounds; round++) {
    for (let k = 0; k < names.length; k++) {
      const name = names[(k + round + warmUps) % names.length];
      await nextTask();
      const sample = await /** @type {any} */ (contestants[name].sample)(round + warmUps);
      if (round >= 0) samples[name].push(sample);
    }
  }
  return { compared, wrong, missing, samples };
}

/** @param {Record<string, Contestant>} contestants */
async function compare(contestants) {
  /** @type {Record<string, string>} */
  const missing = {};
  let wrong = "";
  /** @type {{name: string, values: number[]} | null} */
  let first = null;
  for (const [name, { result, tolerance }] of Object.entries(contestants)) {
    if (result === null) continue;
    try {
      const values = await result();
      wrong ||= difference(first, { name, values }, tolerance ?? RELATIVE);
      first ??= { name, values };
    } catch (error) {
      const lines = String(error?.message ?? error).trim().split("\n");
      missing[name] = lines[lines.length - 1];
    }
  }
  const compared = Object.keys(contestants).filter((name) => wrong === "" && !(name in missing) && contestants[name].result !== null);
  return { compared, wrong, missing };
}

/** @param {{name: string, values: number[]} | null} a @param {{name: string, values: number[]}} b
 * @param {number} tolerance the allowed error, as a fraction of each number. If a contestant computes with fewer bits, it is a
 *   fraction of the largest number. @returns {string} */
function difference(a, b, tolerance) {
  if (b.values.length === 0 || !b.values.every(Number.isFinite)) return `${b.name} gave ${b.values.slice(0, 8)}`;
  if (a === null) return "";
  if (a.values.length !== b.values.length) return `${a.name} gave ${a.values.length} numbers, ${b.name} ${b.values.length}`;
  const scale = a.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const least = tolerance > RELATIVE ? 1 : 1e-6;
  const at = a.values.findIndex((value, k) => !(Math.abs(value - b.values[k]) <= tolerance * Math.max(Math.abs(value), least * scale)));
  return at < 0 ? "" : `number ${at} is ${a.values[at]} by ${a.name}, ${b.values[at]} by ${b.name}`;
}

/** Makes a function that measures the time of one call, in units of 1/`perMs` milliseconds.
 * @param {(calls: number) => unknown} loop calls the contestant's function `calls` times. Each contestant has its own loop,
 * so that the engine can inline the function into the loop.
 * @param {number} perMs 1e3 for µs, 1e6 for ns */
export function perCall(loop, perMs) {
  let calls = 0;
  return () => {
    if (calls === 0) calls = enough(loop);
    const start = performance.now();
    loop(calls);
    return ((performance.now() - start) / calls) * perMs;
  };
}

/** @param {(calls: number) => unknown} loop @returns {number} enough calls to make a sample much longer than the clock's step */
function enough(loop) {
  for (let calls = 1; ; calls *= 2) {
    const start = performance.now();
    loop(calls);
    if (performance.now() - start >= SMALLEST_SAMPLE_MS) return calls;
  }
}

/** All numbers of a value in order. @param {any} value @returns {number[]} */
export function numbers(value) {
  if (typeof value === "number") return [value];
  return Array.from(ArrayBuffer.isView(value) || Array.isArray(value) ? value : Object.values(value)).flatMap(numbers);
}
