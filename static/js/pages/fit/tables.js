// The fit page's exports: the points as CSV, and the fit as JSON and as a Python program.

/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("./fitter.js").Solution} Solution */

/** @param {Doc} doc @param {Solution} solution @returns {string} the points with their residuals, as CSV */
export function pointsAsCsv({ points }, { residuals }) {
  const rows = points.map(([x, y, sigma, out], k) => [x, y, sigma || "", out ? "" : residuals[k], out ? 1 : ""].join(","));
  return ["x,y,sigma,residual,left out", ...rows, ""].join("\n");
}

/** @param {readonly string[]} names @param {Doc} doc @param {Solution} solution @returns {string} the fit as JSON */
export function fitAsJson(names, { text, held }, { x, deviations, covariance, sum, freedom, deviation, determined, information, ending }) {
  const finite = (/** @type {number} */ value) => (Number.isFinite(value) ? value : null);
  const n = names.length;
  const parameters = names.map((name, k) => ({ name, value: x[k], deviation: finite(deviations[k]), held: name in held }));
  const rows = names.map((_, k) => Array.from(covariance.slice(k * n, (k + 1) * n), finite));
  const numbers = { residual_sum: sum, degrees_of_freedom: freedom, residual_deviation: finite(deviation), r_squared: finite(determined), aic: finite(information) };
  return `${JSON.stringify({ model: text, ending, parameters, covariance: rows, ...numbers }, null, 2)}\n`;
}

/** Writes a Python program that computes the same fit.
 * @param {readonly string[]} names @param {Doc} doc @param {Solution} solution
 * @param {boolean} areAbsolute true if each point's `sigma` is in the units of y; false if only the ratios of the sigmas count
 * @returns {string} */
export function fitAsPython(names, doc, solution, areAbsolute) {
  const points = doc.points.filter(([, , , out]) => !out);
  const hasSigma = points.every(([, , sigma]) => sigma > 0);
  const list = (/** @type {readonly number[]} */ values) => `[${values.map(python).join(", ")}]`;
  const start = names.map((name, k) => `"${name}": ${python(solution.x[k])}`).join(", ");
  const bounds = names.map((name) => {
    const [low, high] = [doc.held[name] ?? doc.lower[name], doc.held[name] ?? doc.upper[name]];
    return `(${low === undefined ? "None" : python(low)}, ${high === undefined ? "None" : python(high)})`;
  });
  const isBounded = names.some((name) => name in doc.held || name in doc.lower || name in doc.upper);
  return [
    "import eglantine as eg",
    "",
    `x = ${list(points.map(([x]) => x))}`,
    `y = ${list(points.map(([, y]) => y))}`,
    ...(hasSigma ? [`sigma = ${list(points.map(([, , sigma]) => sigma))}`] : []),
    `start = {${start}}`,
    ...(isBounded ? [`bounds = [${bounds.join(", ")}]`] : []),
    "",
    "fit = eg.curve_fit(",
    `    ${JSON.stringify(doc.text)}, x, y, start,${hasSigma ? ` sigma=sigma, absolute_sigma=${areAbsolute ? "True" : "False"},` : ""}${isBounded ? " bounds=bounds," : ""}`,
    ")",
    "for name, value in fit.x.items():",
    '    print(name, "=", value, "±", fit.deviations[name])',
    "",
  ].join("\n");
}

/** @param {number} value */
function python(value) {
  return Number.isFinite(value) ? String(value) : `float("${value}")`;
}
