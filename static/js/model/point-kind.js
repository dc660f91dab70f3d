// Derives the kind of a point from its gradient and Hessian.

/** @typedef {import("./types.js").Jet} Jet */
/** @typedef {"up" | "down" | "saddle" | "up-flat" | "down-flat" | "flat" | "undefined"} Shape the direction of curvature */
/** @typedef {"minimum" | "maximum" | "saddle" | "undecided" | "none"} Kind of stationary point */
/** @typedef {{shape: Shape, kind: Kind, slope: number, eigenvalues: readonly [number, number]}} Description */

/** A number counts as zero if it is smaller than this, relative to the surface's size. */
const NEGLIGIBLE = 1e-6;

/** Replaces the derivatives by NaN if the value is not finite. The rules of differentiation give meaningless numbers for such
 * a value.
 * @param {Jet} jet @returns {Jet} */
export function definedJet(jet) {
  return Number.isFinite(jet.f) ? jet : { f: jet.f, fx: NaN, fy: NaN, fxx: NaN, fxy: NaN, fyy: NaN };
}

/**
 * @param {Jet} jet @param {number} scaleZ the range of z in the picture @param {number} width of the region
 * @returns {Description}
 */
export function describe(jet, scaleZ, width) {
  const eigenvalues = eigenvaluesOf(jet.fxx, jet.fxy, jet.fyy);
  const slope = Math.hypot(jet.fx, jet.fy);
  const shape = shapeOf(eigenvalues, (NEGLIGIBLE * scaleZ) / width ** 2);
  const stationary = slope <= (NEGLIGIBLE * scaleZ) / width;
  return { shape, kind: stationary ? kindOf(shape) : "none", slope, eigenvalues };
}

/** Computes the eigenvalues of the symmetric matrix [[a, b], [b, d]]. The smaller one comes first.
 * @param {number} a @param {number} b the off-diagonal entry @param {number} d @returns {readonly [number, number]} */
export function eigenvaluesOf(a, b, d) {
  const middle = (a + d) / 2;
  const radius = Math.hypot((a - d) / 2, b);
  return [middle - radius, middle + radius];
}

/** @param {readonly [number, number]} eigenvalues @param {number} zero @returns {Shape} */
function shapeOf([lo, hi], zero) {
  if (!Number.isFinite(lo) || !Number.isFinite(hi)) return "undefined";
  const signs = [lo, hi].map((value) => (Math.abs(value) <= zero ? 0 : Math.sign(value)));
  if (signs[0] < 0 && signs[1] > 0) return "saddle";
  if (signs[0] === 0 && signs[1] === 0) return "flat";
  if (signs[0] + signs[1] === 2) return "up";
  if (signs[0] + signs[1] === -2) return "down";
  return signs[0] + signs[1] > 0 ? "up-flat" : "down-flat";
}

/** @param {Shape} shape @returns {Kind} */
function kindOf(shape) {
  if (shape === "up") return "minimum";
  if (shape === "down") return "maximum";
  if (shape === "saddle") return "saddle";
  return shape === "undefined" ? "none" : "undecided";
}
