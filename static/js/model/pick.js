// Finds the point of the surface under a pixel, and whether the surface hides a point from the eye.

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./mesh.js").Mesh} Mesh */
/** @typedef {import("./types.js").Point} Point */

import { HEIGHT, toBoxX, toBoxY } from "./camera.js";
import { clamp } from "./numbers.js";
import { heightAt } from "./mesh.js";

const MARCH_STEPS = 240;
const HALVINGS = 20;
/** The length of a step when we test if the surface hides a point, in the box's units. We go from the point towards the camera,
 * and test after each step if we have crossed the surface. */
const SIGHT_STEP = 0.03;

/**
 * Finds the point of the surface at a pixel. The line of sight may cross the surface more than once. If so,
 * returns the crossing that is nearest to `from`. If the line of sight misses the surface, returns the point of the surface
 * that is nearest to the pixel on the screen.
 * @param {Mesh} mesh @param {Camera} camera @param {number} xPx @param {number} yPx
 * @param {Point | null} from in the formula's units. If null, returns only the first crossing as seen from the camera
 * @returns {Point | null} null if there is no such point
 */
export function pick(mesh, camera, xPx, yPx, from) {
  const crossings = crossingsOf(mesh, camera, xPx, yPx);
  const { box } = mesh;
  /** @type {Point | null} */
  let best = crossings[0] ?? null;
  if (from !== null) {
    const x = toBoxX(box, from[0]);
    const y = toBoxY(box, from[1]);
    const distance = (/** @type {Point} */ p) => Math.hypot(p[0] - x, p[1] - y);
    for (const crossing of crossings) best = best === null || distance(crossing) < distance(best) ? crossing : best;
    best ??= nearestOnScreen(mesh, camera, xPx, yPx);
  }
  return best === null ? null : [box.x0 + (best[0] + 1) / box.sx, box.y0 + (best[1] + 1) / box.sy];
}

/** @param {Mesh} mesh @param {Camera} camera @param {number} xPx @param {number} yPx
 * @returns {Point[]} box coordinates, nearest to the eye first */
function crossingsOf(mesh, camera, xPx, yPx) {
  const [dx, dy, dz] = camera.ray(xPx, yPx);
  const { eyeX, eyeY, eyeZ } = camera;
  const [start, end] = insideBox([eyeX, eyeY, eyeZ], [dx, dy, dz]);
  /** @type {Point[]} */
  const crossings = [];
  if (!(end > start)) return crossings;
  const over = (/** @type {number} */ t) => eyeZ + t * dz - heightAt(mesh, eyeX + t * dx, eyeY + t * dy);
  const step = (end - start) / MARCH_STEPS;
  let before = over(start);
  for (let k = 1; k <= MARCH_STEPS; k++) {
    const t = start + k * step;
    const now = over(t);
    if (before * now <= 0 && before !== now) {
      let [near, far] = [t - step, t];
      for (let halving = 0; halving < HALVINGS; halving++) {
        const middle = (near + far) / 2;
        if (over(middle) > 0 === before > 0) near = middle;
        else far = middle;
      }
      crossings.push([clamp(eyeX + far * dx, -1, 1), clamp(eyeY + far * dy, -1, 1)]);
    }
    before = now;
  }
  return crossings;
}

/** @param {number[]} eye @param {number[]} direction @returns {[number, number]} the part of a ray that lies in the box */
function insideBox(eye, direction) {
  let start = 0;
  let end = Infinity;
  [1, 1, HEIGHT].forEach((size, k) => {
    const a = (-size - eye[k]) / direction[k];
    const b = (size - eye[k]) / direction[k];
    start = Math.max(start, Math.min(a, b));
    end = Math.min(end, Math.max(a, b));
  });
  return [start, end];
}

/** @param {Mesh} mesh @param {Camera} camera @param {number} xPx @param {number} yPx @returns {Point | null} */
function nearestOnScreen(mesh, camera, xPx, yPx) {
  const { n } = mesh;
  /** @type {Point | null} */
  let best = null;
  let bestPx = Infinity;
  const consider = (/** @type {number} */ x, /** @type {number} */ y) => {
    const z = heightAt(mesh, x, y);
    if (!(Math.abs(z) <= HEIGHT)) return;
    const at = camera.project(x, y, z);
    const px = Math.hypot(at[0] - xPx, at[1] - yPx);
    if (px < bestPx) [best, bestPx] = [[x, y], px];
  };
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) consider((2 * i) / n - 1, (2 * j) / n - 1);
  for (let cell = 1 / n; best !== null && cell > 0.02 / n; cell /= 2) {
    const [x, y] = /** @type {Point} */ (best);
    for (let j = -1; j <= 1; j++) {
      for (let i = -1; i <= 1; i++) consider(clamp(x + i * cell, -1, 1), clamp(y + j * cell, -1, 1));
    }
  }
  return best;
}

/** True if the surface hides a point from the camera.
 * @param {Mesh} mesh @param {Camera} camera @param {number} x @param {number} y @param {number} z in the box's units */
export function isHidden(mesh, camera, x, y, z) {
  const dx = camera.eyeX - x;
  const dy = camera.eyeY - y;
  const dz = camera.eyeZ - z;
  const step = SIGHT_STEP / Math.hypot(dx, dy, dz);
  let side = 0;
  for (let t = step; ; t += step) {
    const rayZ = z + t * dz;
    const rayX = x + t * dx;
    const rayY = y + t * dy;
    if (Math.abs(rayX) > 1 || Math.abs(rayY) > 1 || rayZ > HEIGHT) return false;
    const height = heightAt(mesh, rayX, rayY);
    if (!(Math.abs(height) <= HEIGHT)) {
      side = 0;
      continue;
    }
    const now = Math.sign(rayZ - height);
    if (side !== 0 && now !== side) return true;
    side = now;
  }
}
