// Translates every operation of Penrose's expressions with the page's own code. Prints the graph and the shapes, the number of
// rows that a chain of 100,000 operations needs, and the error for an operation that has no translation.

import { GraphWriter, UnknownOperation } from "../../static/js/sandbox/penrose/graph.js";
import { writeState } from "../../static/js/sandbox/penrose/state.js";

const LONG = 100_000;
const input = (val) => ({ tag: "Var", val });
const unary = (unop, param) => ({ tag: "Unary", unop, param });
const binary = (binop, left, right) => ({ tag: "Binary", binop, left, right });
const comp = (binop, left, right) => ({ tag: "Comp", binop, left, right });
const choice = (cond) => ({ tag: "Ternary", cond, then: 1, els: 0 });
const nary = (op, ...params) => ({ tag: "Nary", op, params });
const value = (contents) => ({ tag: "FloatV", contents });

const [x, y, fixed] = [input(0), input(0), input(0)];
const both = { tag: "Logic", binop: "&&", left: comp("<", x, y), right: comp(">=", x, 0) };
const outputs = {
  neg: unary("neg", x), squared: unary("squared", x), inverse: unary("inverse", x), sqrt: unary("sqrt", x), round: unary("round", y), cbrt: unary("cbrt", unary("neg", x)),
  acosh: unary("acosh", y), asinh: unary("asinh", x), atanh: unary("atanh", x), floor: unary("floor", y), log1p: unary("log1p", x),
  sum: binary("+", x, y), sub: binary("-", x, y), quotient: binary("/", x, y), max: binary("max", x, y), min: binary("min", x, y), pow: binary("pow", x, y), atan2: binary("atan2", x, y),
  both: choice(both), not: choice({ tag: "Not", param: both }), other: choice(comp("===", x, y)),
  addN: nary("addN", x, y, 3), maxN: nary("maxN", x, y, 1), minN: nary("minN", x, y, 1), none: nary("maxN"), again: binary("+", x, y),
};
const terms = Object.values(outputs).map((output) => ({ output, ast: { expr: {} } }));
const all = (count) => Array(count).fill(true);
const state = {
  inputs: [x, y, fixed].map((handle) => ({ handle })), varyingValues: [0.5, 2.5, -0], canvas: { size: [200, 100] },
  objFns: terms, constrFns: [{ output: binary("-", x, 1), ast: { expr: { start: { line: 7 } } } }],
  optStages: [""], constraintSets: new Map([["", { inputMask: [true, true, false], objMask: all(terms.length), constrMask: all(1) }]]),
  gradient: () => ({ phi: 0, objectives: [], constraints: [] }),
  shapes: [
    { shapeType: "Circle", name: { tag: "StrV", contents: "`A`.icon" }, center: { tag: "VectorV", contents: [x, y] }, r: value(8), passthrough: new Map() },
    { shapeType: "Group", name: { tag: "StrV", contents: "G" }, shapes: { tag: "ShapeListV", contents: [
      { shapeType: "Text", name: { tag: "StrV", contents: "t" }, center: { tag: "VectorV", contents: [binary("+", x, 40), y] }, width: value(fixed), height: value(6),
        string: { tag: "StrV", contents: "t" }, fontSize: { tag: "StrV", contents: "12px" }, fillColor: { tag: "ColorV", contents: { tag: "RGBA", contents: [0, 0, 0, 1] } } },
    ] } },
  ],
};

const writer = new GraphWriter([x]);
let chain = x;
for (let k = 0; k < LONG; k++) chain = unary("neg", chain);
writer.write(chain);
let refused = "";
try {
  writer.write({ tag: "Index", index: 0, vec: { tag: "PolyRoots", degree: 2, coeffs: [x, x] } });
} catch (error) {
  refused = error instanceof UnknownOperation ? error.message : "";
}
const written = writeState(state, [0.5, 2.5, -0], ({ ast }) => `line ${ast.expr.start?.line ?? 0}`);
console.log(JSON.stringify({ ...written, names: Object.keys(outputs), chain: writer.rows.length, refused }));
