// The diagrams' energies for npm `rose`, as Penrose builds them: a function for each term, one function that calls all these
// functions, and masks that select the terms of a stage.

import { optimised } from "./penrose-optimiser.js";

const CLOSE = 1e-9;

/** @param {any} rose the package's exports */
export function roseDiagrams(rose) {
  const { Bool, Dual, Real, Vec, add, compile, div, fn, gt, mul, neg, opaque, select, struct, sub, sum, vec, vjp } = rose;
  const LEAST_ROOT = 1e-5;

  const withSlope = (/** @type {any} */ f, /** @type {(x: any, y: any) => any} */ slope) => {
    f.jvp = fn([Dual], Dual, (/** @type {any} */ { re: x, du: dx }) => {
      const y = f(x);
      return { re: y, du: mul(dx, slope(x, y)) };
    });
    return f;
  };
  const sqrt = withSlope(fn([Real], Real, (/** @type {any} */ x) => rose.sqrt(x)), (_, y) =>
    div(0.5, select(gt(LEAST_ROOT, y), Real, LEAST_ROOT, y)));
  const acos = withSlope(opaque([Real], Real, Math.acos), (x) => neg(div(1, rose.sqrt(sub(1, mul(x, x))))));
  const log = withSlope(opaque([Real], Real, Math.log), (x) => div(1, x));
  const exp = withSlope(opaque([Real], Real, Math.exp), (_, y) => y);
  const [sin, cos] = [opaque([Real], Real, Math.sin), opaque([Real], Real, Math.cos)];
  withSlope(sin, (x) => cos(x));
  withSlope(cos, (x) => neg(sin(x)));
  const tan = withSlope(opaque([Real], Real, Math.tan), (_, y) => add(1, mul(y, y)));
  const atan = withSlope(opaque([Real], Real, Math.atan), (x) => div(1, add(1, mul(x, x))));
  const atan2 = opaque([Real, Real], Real, Math.atan2);
  atan2.jvp = fn([Dual, Dual], Dual, (/** @type {any} */ { re: y, du: dy }, /** @type {any} */ { re: x, du: dx }) => ({
    re: atan2(y, x),
    du: div(sub(mul(dy, x), mul(dx, y)), add(mul(x, x), mul(y, y))),
  }));
  const pow = opaque([Real, Real], Real, Math.pow);
  pow.jvp = fn([Dual, Dual], Dual, (/** @type {any} */ { re: x, du: dx }, /** @type {any} */ { re: y, du: dy }) => {
    const z = pow(x, y);
    return { re: z, du: mul(add(mul(dx, div(y, x)), mul(dy, log(x))), z) };
  });
  /** @type {Record<string, (...operands: any[]) => any>} */
  const operations = {
    ...Object.fromEntries(["abs", "sign", "ceil", "floor", "trunc", "and", "or", "xor", "not", "lt", "leq", "geq", "eq"].map((name) => [name, rose[name]])),
    add, sub, mul, div, neg, gt, sqrt, sin, cos, tan, acos, atan, atan2, exp, log, pow,
    sqrt_plain: rose.sqrt,
    select: (p, x, y) => select(p, Real, x, y),
  };
  let modules = 0;

  /** Compiles a graph's energy with Rose. Returns the function (x, weight, masks) → {phi, gradient}. @param {any} graph */
  async function energy(graph) {
    const X = Vec(graph.n_inputs, Real);
    const bound = Number.MIN_VALUE * ++modules; // engines recognise modules by their bytes
    const penalty = fn([Real], Real, (/** @type {any} */ x) => {
      const violation = select(gt(x, bound), Real, x, 0);
      return mul(violation, violation);
    });
    const [o, c] = [graph.objectives.length, graph.constraints.length];
    const terms = (/** @type {number[]} */ values) => values.map((value) => fn([X], Real, (/** @type {any} */ x) => valueOf(graph, value, x)));
    const [objectives, constraints] = [terms(graph.objectives), terms(graph.constraints)];
    const Terms = { objectives: Vec(o, Real), constraints: Vec(c, Real) };
    const every = fn([X], struct(Terms), (/** @type {any} */ x) => ({
      objectives: objectives.map((f) => f(x)),
      constraints: constraints.map((f) => f(x)),
    }));
    const Term = struct({ value: Real, slope: Real });
    const absent = { value: 0, slope: 0 };
    const both = fn([X, Real, Vec(o, Bool), Vec(c, Bool)], struct({ phi: Real, gradient: X }),
      (/** @type {any} */ x, /** @type {any} */ weight, /** @type {any} */ ofObjectives, /** @type {any} */ ofConstraints) => {
        const { ret, grad } = vjp(every)(x);
        const wishes = vec(o, Term, (/** @type {any} */ k) => select(ofObjectives[k], Term, { value: ret.objectives[k], slope: 1 }, absent));
        const penalties = vec(c, Term, (/** @type {any} */ k) => {
          const { ret: value, grad: slope } = vjp(penalty)(ret.constraints[k]);
          return select(ofConstraints[k], Term, { value, slope: slope(weight) }, absent);
        });
        const total = (/** @type {any} */ of, /** @type {number} */ n) => sum(n, (/** @type {any} */ k) => of[k].value);
        return {
          phi: add(total(wishes, o), mul(weight, total(penalties, c))),
          gradient: grad({
            objectives: vec(o, Real, (/** @type {any} */ k) => wishes[k].slope),
            constraints: vec(c, Real, (/** @type {any} */ k) => penalties[k].slope),
          }),
        };
      });
    return compile(both);
  }

  /** Builds the Rose expression that computes value number `value` of the graph from the inputs x.
   * @param {any} graph @param {number} value @param {any} x */
  function valueOf(graph, value, x) {
    const [n, first] = [graph.n_inputs, graph.n_inputs + graph.consts.length];
    const { op, a, b, c, opnames } = graph;
    const needed = new Set([value]);
    for (let k = value; k >= first; k--) {
      if (needed.has(k)) for (const operand of [a, b, c]) needed.add(operand[k - first]);
    }
    /** @type {Map<number, any>} */
    const values = new Map();
    for (const k of [...needed].sort((i, j) => i - j)) {
      if (k < 0) continue;
      if (k < n) values.set(k, x[k]);
      else if (k < first) values.set(k, Number(graph.consts[k - n]));
      else {
        const operands = [a, b, c].map((column) => column[k - first]).filter((operand) => operand >= 0);
        values.set(k, operations[opnames[op[k - first]]](...operands.map((operand) => values.get(operand))));
      }
    }
    return values.get(value);
  }

  return { energy };
}

/** Lays a diagram out with Rose's energy function and Penrose's optimiser. Returns the milliseconds and the number of
 * evaluations.
 * @param {ReturnType<typeof roseDiagrams>} diagrams @param {any} graph */
export async function roseLayout({ energy }, graph) {
  const start = performance.now();
  const f = await energy(graph);
  const compiled = performance.now();
  const x = graph.x0.map(Number);
  let evaluations = 0;
  for (const stage of graph.stages) {
    const end = optimised(stageOf(f, graph, stage, x), stage.inputs.map((/** @type {number} */ k) => x[k]));
    stage.inputs.forEach((/** @type {number} */ k, /** @type {number} */ j) => (x[k] = end.x[j]));
    evaluations += end.evaluations;
  }
  return { compile: compiled - start, optimise: performance.now() - compiled, evaluations };
}

/** Computes Rose's energy at a point where the energy is known. Returns a message if the two energies differ, else "".
 * @param {ReturnType<typeof roseDiagrams>} diagrams @param {any} graph */
export async function roseDiffers({ energy }, graph) {
  const reference = graph.ref[graph.ref.length - 1];
  const stage = graph.stages[reference.masks];
  const x = graph.x_final.map(Number);
  const found = stageOf(await energy(graph), graph, stage, x)(stage.inputs.map((/** @type {number} */ k) => x[k]), Number(reference.weight));
  const known = Number(reference.phi);
  return Math.abs(found.phi - known) <= CLOSE * Math.abs(known) ? "" : `Rose's energy is ${found.phi}, not ${known}`;
}

/** Makes the function (inputs of a stage, weight) → {phi, gradient}. All other inputs of the graph have the values in x.
 * @param {any} f @param {any} graph @param {any} stage @param {number[]} x */
function stageOf(f, graph, stage, x) {
  const at = x.slice();
  const [objectives, constraints] = ["objectives", "constraints"].map((kind) => {
    const active = new Set(stage[kind]);
    return graph[kind].map((/** @type {number} */ _, /** @type {number} */ k) => active.has(k));
  });
  return (/** @type {number[]} */ moved, /** @type {number} */ weight) => {
    stage.inputs.forEach((/** @type {number} */ k, /** @type {number} */ j) => (at[k] = moved[j]));
    const { phi, gradient } = f(at, weight, objectives, constraints);
    return { phi, gradient: stage.inputs.map((/** @type {number} */ k) => gradient[k]) };
  };
}
