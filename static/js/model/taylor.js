// Taylor polynomials of a surface, and the proven bounds of their remainders, in units of half the region's width and height.

/** @typedef {import("./types.js").BandNodes} BandNodes */
/** Takes an offset (u, v) from the point, and returns the height there. @typedef {(u: number, v: number) => number} Height */
/** Takes an offset (u, v) from the point. Returns the lowest and the highest possible value of the remainder there, or null if
 * there is no bound. The remainder is the surface's height minus the Taylor polynomial.
 * @typedef {(u: number, v: number) => readonly [number, number] | null} Band */

/** Makes a function that computes the Taylor polynomial of this order. app/formulas/orders.py describes the coefficients.
 * @param {ArrayLike<number>} coefficients @param {number} order @returns {Height} */
export function polynomialOf(coefficients, order) {
  /** @type {[number, number, number][]} */
  const terms = [];
  for (let degree = 0; degree <= order; degree++) for (let j = 0; j <= degree; j++) terms.push([coefficients[terms.length], degree - j, j]);
  const powers = { u: new Float64Array(order + 1), v: new Float64Array(order + 1) };
  return (u, v) => {
    for (let k = 0; k <= order; k++) {
      powers.u[k] = k === 0 ? 1 : powers.u[k - 1] * u;
      powers.v[k] = k === 0 ? 1 : powers.v[k - 1] * v;
    }
    return terms.reduce((total, [factor, i, j]) => total + factor * powers.u[i] * powers.v[j], 0);
  };
}

/** Makes a function that computes bounds of the remainder inside a disc. The function interpolates between the bounds
 * at the nodes of a grid (app/formulas/band.py).
 * @param {BandNodes} nodes @param {number} order of the polynomial @param {number} radius of the disc @returns {Band} */
export function bandOf({ low, high }, order, radius) {
  const rings = low.length - 1;
  const sectors = low[0].length;
  return (u, v) => {
    const share = Math.min(Math.hypot(u, v) / radius, 1);
    const ring = Math.min(Math.floor(share * rings), rings - 1);
    const along = share * rings - ring;
    const turned = sectors * turnOf(u, v);
    const sector = Math.floor(turned) % sectors;
    const around = turned - Math.floor(turned);
    const s = Math.max(Math.abs(u), Math.abs(v)) ** (order + 1);
    const [least, most] = [low, high].map((of) => {
      const [a, b] = [of[ring], of[ring + 1]].map((circle) => {
        const [from, to] = [circle[sector], circle[(sector + 1) % sectors]];
        return from === null || to === null ? NaN : from + (to - from) * around;
      });
      return s * (a + (b - a) * along);
    });
    return Number.isNaN(least + most) ? null : [least, most];
  };
}

/** Converts a direction to a fraction of a full turn. The fraction is not proportional to the angle, but to the way along the
 * sides of a square around the origin. The sectors of a disc divide these sides into equal parts.
 * @param {number} u @param {number} v @returns {number} at least 0, and less than 1 */
export function turnOf(u, v) {
  const size = Math.max(Math.abs(u), Math.abs(v));
  if (size === 0) return 0;
  const [a, b] = [u / size, v / size];
  const eighths = a === 1 ? b : b === 1 ? 2 - a : a === -1 ? 4 - b : 6 + a;
  return (eighths < 0 ? eighths + 8 : eighths) / 8;
}

/** Converts a share of a full turn to a direction of length 1 (the inverse of `turnOf`). @param {number} turn
 * @returns {readonly [number, number]} */
export function directionAt(turn) {
  const eighths = 8 * turn;
  const quarter = Math.floor((eighths + 1) / 2) % 4;
  const slope = eighths - 2 * Math.floor((eighths + 1) / 2);
  const length = Math.hypot(1, slope);
  let [u, v] = [1 / length, slope / length];
  for (let k = 0; k < quarter; k++) [u, v] = [-v, u];
  return [u, v];
}
