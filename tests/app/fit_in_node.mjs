// Fits points and computes curves with the page's scripts. Reads {modules, solver, capacity, cases} from a file, and prints JSON.

import { readFileSync } from "node:fs";

const { Fitter } = await import(new URL("../../static/js/pages/fit/fitter.js", import.meta.url).href);

const { modules, solver, names, capacity, cases } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const moduleOf = ({ wasm, abi }) => ({ wasm: Uint8Array.from(Buffer.from(wasm, "base64")), abi });
const made = Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, moduleOf(module)]));
const fitter = new Fitter({ ...made, names, cost: { bytes: 0 }, solver: moduleOf(solver) }, capacity);
const results = cases.map(({ points, start, region }) => {
  const solution = fitter.solve({ points, start: {}, held: {}, lower: {}, upper: {} }, start, false);
  const curve = fitter.curve(solution, region);
  const [x, covariance] = [solution.x, solution.covariance].map((values) => Array.from(values));
  return { x, covariance, rounds: solution.rounds, sum: solution.sum, residuals: solution.residuals, values: Array.from(curve.values), confidence: Array.from(curve.confidence) };
});
console.log(JSON.stringify(results));
