// Lays out a diagram in the page, as bench/diagrams/optimising.py does on CPython. For each stage, we call a solver's module
// once. The module calls a function of ours to get the energy and the gradient. We make one solver for each capacity.

/** An instance of an energy's module. @typedef {{main: () => void, x: Float64Array, weight: Float64Array, phi: Float64Array, gradient: Float64Array}} Part */
/** @typedef {(atX: number, weight: number, atGradient: number) => number} Energy */
/** An instance of a solver. `run(energy)` minimises the function `energy`.
 * @typedef {object} Solver
 * @property {number} capacity
 * @property {Float64Array} memory
 * @property {number} atX the position in `memory` where the start point begins
 * @property {number[]} atEnd the positions of x, fun, nit, nfev, status and weight at the end
 * @property {(energy: Energy) => void} run */
/** @typedef {{energy: number, iterations: number, evaluations: number, status: number}} End */

const LEAST_CAPACITY = 16;
const DOUBLE = 8;

/** Returns the smallest capacity for n unknowns: 16, 24, 32, 48, 64, 96, … @param {number} n */
export function capacityFor(n) {
  let power = LEAST_CAPACITY;
  while (2 * power <= n) power *= 2;
  return /** @type {number} */ ([power, power + power / 2, 2 * power].find((capacity) => capacity >= n));
}

/** A solver's instance. @param {number} capacity @param {Uint8Array<ArrayBuffer>} wasm @param {any} abi @returns {Solver} */
export function solverOf(capacity, wasm, abi) {
  // The import is always the same function, because engines optimise calls of a single function best.
  const now = { /** @type {Energy} */ energy: () => NaN };
  const [{ module, name }] = abi.imports;
  const imports = { [module]: { [name]: (/** @type {number} */ x, /** @type {number} */ w, /** @type {number} */ g) => now.energy(x, w, g) } };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), imports);
  const { buffer } = /** @type {WebAssembly.Memory} */ (exports[abi.memory.export]);
  const main = /** @type {() => void} */ (exports[abi.export]);
  const at = (/** @type {{at: number}} */ leaf) => leaf.at / DOUBLE;
  return {
    capacity,
    memory: new Float64Array(buffer),
    atX: at(abi.params[0].leaves[0]),
    atEnd: abi.result.leaves.map(at),
    run: (energy) => {
      now.energy = energy;
      main();
    },
  };
}

/** Minimises the stages of a graph one after the other. Updates `x`, the modules' inputs. Returns a report on each stage.
 * @param {any} graph @param {number[]} inputs the numbers of the modules' inputs @param {Part[][]} parts of each stage
 * @param {Float64Array} x @param {(n: number) => Solver} solverFor @returns {End[]} */
export function layOut(graph, inputs, parts, x, solverFor) {
  const positions = new Map(inputs.map((input, k) => [input, k]));
  return graph.stages.flatMap((/** @type {any} */ stage, /** @type {number} */ k) => {
    if (stage.inputs.length === 0 || parts[k].length === 0) return [];
    const places = Int32Array.from(stage.inputs, (input) => /** @type {number} */ (positions.get(input)));
    return [minimised(parts[k], places, x, solverFor(places.length))];
  });
}

/** The energy of a stage's modules at x. @param {Part[]} parts @param {Float64Array} x @param {number} weight */
export function energyAt(parts, x, weight) {
  let phi = 0;
  for (const part of parts) {
    part.x.set(x);
    part.weight[0] = weight;
    part.main();
    phi += part.phi[0];
  }
  return phi;
}

/** Minimises one stage. It changes only those elements of `x` that are at `places`.
 * @param {Part[]} parts @param {Int32Array} places @param {Float64Array} x @param {Solver} solver @returns {End} */
function minimised(parts, places, x, solver) {
  const { capacity, memory, atX, atEnd } = solver;
  const n = places.length;
  for (const part of parts) part.x.set(x);
  memory.fill(0, atX, atX + capacity);
  for (let k = 0; k < n; k++) memory[atX + k] = x[places[k]];
  solver.run((xAddress, weight, gradientAddress) => {
    const [from, to] = [xAddress / DOUBLE, gradientAddress / DOUBLE];
    memory.fill(0, to, to + capacity);
    let phi = 0;
    for (const { main, x: at, weight: w, phi: value, gradient } of parts) {
      for (let k = 0; k < n; k++) at[places[k]] = memory[from + k];
      w[0] = weight;
      main();
      phi += value[0];
      for (let k = 0; k < n; k++) memory[to + k] += gradient[places[k]];
    }
    return phi;
  });
  const [end, energy, iterations, evaluations, status] = atEnd;
  for (let k = 0; k < n; k++) x[places[k]] = memory[end + k];
  return { energy: memory[energy], iterations: memory[iterations], evaluations: memory[evaluations], status: memory[status] };
}
