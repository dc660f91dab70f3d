// Makes the kernel of a diagram that is given as a graph of operations. The kernel has three modules: the solver, the energy
// and the picture. The solver calls the module of the energy. The module of the picture computes all numbers that the picture
// shows. We use the same solver for all diagrams with about the same number of unknowns.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").Module} Module */

const DOUBLE = 8;

/** @param {Module} module @param {WebAssembly.Imports} imports */
function instanceOf({ wasm, abi }, imports) {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), imports);
  const { buffer } = /** @type {WebAssembly.Memory} */ (exports[abi.memory.export]);
  const view = (/** @type {{at: number, dims: readonly number[]}} */ { at, dims }) => new Float64Array(buffer, at, dims.reduce((a, b) => a * b, 1));
  return {
    main: /** @type {() => void} */ (exports[abi.export]),
    memory: new Float64Array(buffer),
    params: abi.params.map(({ leaves }) => leaves.map(view)),
    results: abi.result.leaves.map(view),
  };
}

/** Makes the kernel of a diagram that is given as a graph of operations. The function `run` has two arguments that the kernels
 * of other diagrams do not have. `evaluations` is about the largest number of evaluations of the energy. `goesOn` is true if
 * this solve continues the previous solve. The last result of `run` is the number of evaluations. Other kernels do not have it.
 * @param {DiagramArtifact} artifact of a diagram that is given as a graph
 * @returns {{run: (...args: any[]) => Float64Array[], goesOn: true}} */
export function graphKernel(artifact) {
  const { graph, solver, numbers, places, grips, terms, unknowns } = /** @type {Required<DiagramArtifact>} */ (artifact);
  const n = unknowns.length;
  const energy = instanceOf(artifact, {});
  const picture = instanceOf(numbers, {});
  const [[x], [frozen], [weightOf]] = energy.params;
  const [phi, gradient] = energy.results;
  const [{ module, name }] = solver.abi.imports;
  const solving = instanceOf(solver, {
    [module]: {
      [name]: (/** @type {number} */ atX, /** @type {number} */ weight, /** @type {number} */ atGradient) => {
        const [from, to] = [atX / DOUBLE, atGradient / DOUBLE];
        x.set(solving.memory.subarray(from, from + n));
        weightOf[0] = weight;
        energy.main();
        solving.memory.fill(0, to, to + graph.capacity);
        solving.memory.set(gradient.subarray(0, n), to);
        return phi[0];
      },
    },
  });
  const [[start], [most], [mostEvaluations], [first], [reach], [resumes], memory] = solving.params;
  const [end, , made, evaluated, status, last, ...kept] = solving.results;
  frozen.set(graph.frozen);
  const given = frozen.subarray(graph.frozen.length);
  /** Solves the layout, starting from the unknowns `at`, and computes the numbers of its picture.
   * @param {ArrayLike<number>} at @param {number} iterations @param {number} weight @param {unknown} _
   * @param {Float64Array} pulls @param {Float64Array} targets @param {Float64Array} holds @param {readonly number[]} home
   * @param {number} evaluations @param {boolean} goesOn true to continue the previous solve */
  const run = (at, iterations, weight, _, pulls, targets, holds, home, evaluations, goesOn) => {
    let to = 0;
    for (let k = 0; k < pulls.length; k++) {
      given[to++] = pulls[k];
      given[to++] = targets[2 * k];
      given[to++] = targets[2 * k + 1];
    }
    for (let k = 0; k < n; k++) {
      given[to++] = holds[k];
      given[to++] = home[k];
    }
    start.fill(0);
    start.set(at);
    [most[0], mostEvaluations[0], first[0], reach[0], resumes[0]] = [iterations, evaluations, weight, graph.reach, Number(goesOn)];
    if (goesOn) memory.forEach((leaf, k) => leaf.set(kept[k]));
    solving.main();
    const found = end.slice(0, n);
    picture.params[0][0].set(found);
    picture.main();
    const [all] = picture.results;
    const [shown, points] = [all.slice(0, places.length), all.slice(places.length, places.length + 2 * grips.length)];
    const values = all.slice(places.length + 2 * grips.length);
    const amounts = values.map((value, k) => (terms[k].must ? Math.max(value, 0) : value));
    const total = values.reduce((sum, value, k) => (terms[k].must ? sum : sum + value), 0);
    return [found, shown, points, amounts, Float64Array.of(total), made.slice(), last.slice(), status.slice(), evaluated.slice()];
  };
  return { run, goesOn: true };
}
