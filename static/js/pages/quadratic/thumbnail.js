// The Quadratic page's small picture: a surface with its point and disc.

/** @typedef {import("../../model/types.js").Preset} Preset */
/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { instantiate } from "../../engine/kernel.js";
import { Camera, START_VIEW } from "../../model/camera.js";
import { buildMesh } from "../../model/mesh.js";
import { buildPatch } from "../../model/patch.js";
import { readPalette } from "../../widgets/palette.js";
import { arrowOf, paintSurface } from "../../widgets/scene.js";
import { PADDING_PX } from "../../widgets/thumbnail.js";

const CELLS = 30;

/** Makes a small picture of a surface with its point and disc, without numbers at the axes. @param {Preset} preset
 * @returns {Thumbnail} */
export function thumbnailOf({ artifact, doc }) {
  const { evaluate } = instantiate(artifact.wasm, artifact.abi);
  const values = doc.params.map((param) => param.value);
  const results = new Float64Array(6);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    evaluate?.([x, y, ...values], results);
    return results[0];
  };
  const { region, point } = doc;
  const mesh = buildMesh(at, region, CELLS);
  at(point[0], point[1]);
  const [f, fx, fy, fxx, fxy, fyy] = results;
  const jet = { f, fx, fy, fxx, fxy, fyy };
  const scene = { mesh, jet, point, region, patch: buildPatch(mesh, jet, point) };
  return (ctx, widthPx, heightPx) => {
    const camera = new Camera(START_VIEW, widthPx, heightPx);
    fitInto(camera, scene, widthPx, heightPx);
    paintSurface(ctx, camera, scene, readPalette(ctx.canvas));
  };
}

/** Changes the camera's scale and centre so that the surface, the disc and the arrow fill the picture.
 * @param {Camera} camera @param {import("../../widgets/scene.js").Scene} scene @param {number} widthPx @param {number} heightPx */
function fitInto(camera, scene, widthPx, heightPx) {
  const seen = scene.mesh.cells.flatMap(({ polygon }) => polygon.map(([x, y, z]) => camera.project(x, y, z)));
  for (const point of scene.patch.rim) if (point !== null) seen.push(camera.project(point.x, point.y, point.z));
  const arrow = arrowOf(camera, scene);
  if (arrow !== null) seen.push(arrow.to);
  const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const grown = Math.min((widthPx - 2 * PADDING_PX) / (right - left), (heightPx - 2 * PADDING_PX) / (bottom - top));
  const { centreX, centreY } = camera;
  camera.scalePx *= grown;
  camera.centreX = widthPx / 2 - grown * ((left + right) / 2 - centreX);
  camera.centreY = heightPx / 2 - grown * ((top + bottom) / 2 - centreY);
}
