// Writes a diagram that Penrose has compiled as two files: the graph of the energy (`penrose-scalar-dag/1`), and the list of
// shapes to draw (`penrose-shapes/1`). Penrose's compiler returns a state that contains everything that these files need:
// inputs, objectives, constraints, stages and shapes.

/** The state that Penrose's compiler returns (types/state.ts in Penrose). @typedef {any} State */
/** @typedef {{graph: object, shapes: object, last: number[], inputs: number, positioned: number}} Written */

import { GraphWriter, jsonNumber } from "./graph.js";

/** The weight of the constraints in the energy for `referenceOf`. Penrose's optimiser begins with this weight. */
const WEIGHT = 1000;

/** Writes a compiled diagram as a graph and a list of shapes. Also returns `last`: the indices of the terms of the last stage,
 * objectives first. `positioned`: the number of shapes that have a position. `inputs`: the number of these positions that the
 * optimiser moves directly. @param {State} state the compiled diagram
 * @param {readonly number[]} xFinal the inputs at which Penrose's optimiser ended
 * @param {(term: any) => string} wordsOf returns a term's text in the Style program @returns {Written} */
export function writeState(state, xFinal, wordsOf) {
  const writer = new GraphWriter(state.inputs.map((/** @type {any} */ { handle }) => handle));
  const values = (/** @type {{output: any}[]} */ terms) => terms.map(({ output }) => writer.write(output));
  const [objectives, constraints] = [values(state.objFns), values(state.constrFns)];
  writer.endEnergy();
  const shapes = state.shapes.map((/** @type {any} */ shape) => shapeOf(shape, writer));
  const { number, energy, shapes: rest } = writer.finish();
  const stages = state.optStages.map((/** @type {string} */ name) => {
    const { inputMask, objMask, constrMask } = state.constraintSets.get(name);
    return { name, inputs: chosen(inputMask), objectives: chosen(objMask), constraints: chosen(constrMask) };
  });
  const x0 = state.varyingValues;
  const graph = {
    format: "penrose-scalar-dag/1", id: "trio", n_inputs: x0.length, ...energy,
    objectives: objectives.map(number), constraints: constraints.map(number),
    terms: [...state.objFns, ...state.constrFns].map((term) => ({ words: wordsOf(term), line: term.ast.expr.start?.line ?? 0 })),
    stages, optim: { stages: stages.map(() => ({ evals: 0 })) },
    from: "x0", x0: x0.map(jsonNumber), x_final: xFinal.map(jsonNumber), ref: [referenceOf(state, xFinal)],
  };
  const all = flattened(state.shapes);
  const positions = all.map(positionOf).filter((position) => position.length > 0);
  const { objectives: wished, constraints: needed } = stages[stages.length - 1];
  return {
    graph, last: [...wished, ...needed.map((/** @type {number} */ k) => k + objectives.length)], shapes: { format: "penrose-shapes/1", id: "trio", canvas: state.canvas.size, ...rest, shapes },
    inputs: positions.filter(isOfInputs).length, positioned: positions.length,
  };
}

/** Computes the energy and its gradient at a point with Penrose's own compiled code. A test compares our results with these
 * values.
 * @param {State} state
 * @param {readonly number[]} x */
function referenceOf(state, x) {
  const last = state.optStages.length - 1;
  const gradient = new Float64Array(x.length);
  const { phi, objectives, constraints } = state.gradient(state.constraintSets.get(state.optStages[last]), Float64Array.from(x), WEIGHT, gradient);
  const all = (/** @type {Iterable<number>} */ numbers) => Array.from(numbers, jsonNumber);
  return { at: "x_final", masks: last, weight: WEIGHT, phi: jsonNumber(phi), gradient: all(gradient), objectives: all(objectives), constraints: all(constraints) };
}

/** @param {readonly boolean[]} mask @returns {number[]} */
function chosen(mask) {
  return mask.flatMap((isIn, k) => (isIn ? [k] : []));
}

/** @param {any} shape @param {GraphWriter} writer @returns {Record<string, any>} */
function shapeOf(shape, writer) {
  /** @type {Record<string, any>} */
  const written = { shapeType: shape.shapeType };
  for (const [name, value] of Object.entries(shape)) {
    if (value?.tag !== undefined) written[name] = valueOf(value, writer);
  }
  return written;
}

/** @param {{tag: string, contents: any}} value @param {GraphWriter} writer @returns {any} */
function valueOf({ tag, contents }, writer) {
  const number = (/** @type {any} */ value) => writer.refer(value);
  switch (tag) {
    case "FloatV":
      return number(contents);
    case "VectorV":
    case "ListV":
    case "TupV":
      return contents.map(number);
    case "PtListV":
    case "LListV":
    case "MatrixV":
      return contents.map((/** @type {any[]} */ row) => row.map(number));
    case "ColorV":
      return contents.tag === "NONE" ? { tag: "NONE" } : contents.contents.map(number);
    case "PathDataV":
      return contents.map((/** @type {any} */ { cmd, contents: parts }) => ({
        cmd,
        contents: parts.map((/** @type {any} */ part) => ({ tag: part.tag, contents: part.contents.map(number) })),
      }));
    case "ShapeListV":
      return contents.map((/** @type {any} */ shape) => shapeOf(shape, writer));
    case "StrV":
    case "BoolV":
      return contents;
    default:
      return null; // how a group is clipped
  }
}

/** @param {readonly any[]} shapes @returns {any[]} those in groups too, without the groups */
function flattened(shapes) {
  return shapes.flatMap((shape) => (shape.shapeType === "Group" ? flattened(shape.shapes.contents) : [shape]));
}

/** @param {readonly any[]} position @returns {boolean} whether its numbers are inputs and constants only */
function isOfInputs(position) {
  const moving = position.filter((value) => typeof value !== "number");
  return moving.length > 0 && moving.every(({ tag }) => tag === "Var");
}

/** @param {any} shape @returns {any[]} the numbers that say where it is */
function positionOf(shape) {
  if (shape.center !== undefined) return shape.center.contents;
  if (shape.start !== undefined) return [...shape.start.contents, ...shape.end.contents];
  if (shape.points !== undefined) return shape.points.contents.flat();
  return shape.d.contents.flatMap((/** @type {any} */ { contents }) => contents.flatMap((/** @type {any} */ part) => part.contents));
}
