// The picture of the surface. Its meshes are kept while only the point moves.

/** @typedef {import("../../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../../model/slice.js").Slice} Slice */
/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Heights} Heights */
/** @typedef {import("../../model/types.js").Jet} Jet */
/** @typedef {import("../../model/types.js").Shown} Shown */
/** @typedef {import("../../model/types.js").View} View */
/** @typedef {import("../../widgets/scene.js").Scene} Scene */
/** @typedef {import("./map-scene.js").MapScene} MapScene */
/**
 * The state that the pictures show.
 * @typedef {object} Showing
 * @property {Doc} doc
 * @property {View} view
 * @property {(x: number, y: number) => Float64Array} jetAt computes f, fx, fy, fxx, fxy, fyy
 * @property {readonly unknown[]} of an array with all that determines the surface: the kernel and its parameters
 * @property {boolean} isEquation true if the formula is an equation
 * @property {boolean} isMoving true while something moves; the pictures then have fewer cells
 */
/** `mesh`: the surface. `jet`: its height and its derivatives at the point. @typedef {{mesh: Mesh, jet: Jet}} Built */
/** What extras.js adds to the picture of the surface: the contour map, the slice, and marks on the surface. `over`: a function
 * that paints the marks. `tops`: the colours of the cells that show the error, or null. `largest`: the approximation's largest
 * error inside the disc. `polynomial`: a function that returns the approximation's height, where all lengths are in units of
 * the box; null for the quadratic approximation.
 * @typedef {{map: MapScene | null, slice: Slice | null, over: Scene["over"], tops: Scene["tops"], largest: number,
 *   polynomial: ((dx: number, dy: number) => number) | null}} More */
/** The contents of the visible pictures. A scene is null if its picture is not visible. `heights`: the range of heights.
 * @typedef {{view: View, surface: Scene | null, map: MapScene | null, slice: Slice | null, heights: readonly [number, number]}} Scenes */

import { Kept } from "../../model/kept.js";
import { buildMesh } from "../../model/mesh.js";
import { buildPatch } from "../../model/patch.js";
import { definedJet } from "../../model/point-kind.js";
import { Backdrop } from "../../widgets/backdrop.js";
import { Picture } from "../../widgets/picture.js";

const CELLS = 54;
/** While something moves, the surface has this many cells along each side: half the usual number. */
const MOVING_CELLS = 27;
const PARTS = /** @type {const} */ (["slice", "critical", "descent", "error", "band"]);
/** @type {More} */
const NOTHING_MORE = { map: null, slice: null, over: undefined, tops: null, largest: NaN, polynomial: null };

/** Whether a document shows the surface alone. @param {Shown} shown */
export function isPlain(shown) {
  return shown.layout === "surface" && shown.order === 2 && PARTS.every((part) => !shown[part]);
}

export class Pictures {
  /** @param {HTMLElement} root @param {() => void} resized */
  constructor(root, resized) {
    this.root = root;
    const backdrop = new Backdrop();
    this.surface = new Picture(/** @type {HTMLElement} */ (root.querySelector(".picture")), resized, (...frame) => backdrop.paint(...frame));
    /** The pictures of extras.js, once it has loaded. @type {readonly {scale: number, repalette: () => void, destroy: () => void}[]} */
    this.others = [];
    /** The mesh that is drawn. @type {Mesh | null} */
    this.mesh = null;
    /** Two cached meshes. `rest`: the mesh that is shown while nothing moves. `moving`: a coarser mesh that is shown during a
     * motion. Each mesh is stored with the values that it was built from.
     * @private */
    this.meshes = { rest: /** @type {Kept<Mesh>} */ (new Kept()), moving: /** @type {Kept<Mesh>} */ (new Kept()) };
    /** @type {Scenes | null} */
    this.scenes = null;
  }

  get all() {
    return [this.surface, ...this.others];
  }

  /** Returns the mesh of the surface, and the value and the derivatives at the point. Builds the mesh only if it is not cached.
   * @param {Showing} showing @returns {Built} */
  prepare({ doc, jetAt, of, isMoving }) {
    const { rest, moving } = this.meshes;
    const meshOf = [doc.region, doc.heights, ...of];
    const build = (/** @type {number} */ cells, /** @type {Heights | null} */ heights) => buildMesh((x, y) => jetAt(x, y)[0], doc.region, cells, heights);
    // If only the point or the camera moves, the mesh at rest keeps its heights.
    const mesh = isMoving
      ? moving.get([...meshOf, rest.known(meshOf)], () => build(MOVING_CELLS, rest.known(meshOf)?.rangeZ ?? doc.heights))
      : rest.get(meshOf, () => build(CELLS, doc.heights));
    this.mesh = mesh;
    return { mesh, jet: jetOf(jetAt(...doc.point)) };
  }

  /** @param {Showing} showing @param {Built} built @param {More} more @returns {Scenes} */
  draw(
    { doc: { region, point, shown, heights }, view, isEquation }, { mesh, jet }, { map, slice, over, tops, polynomial } = NOTHING_MORE,
  ) {
    const { dataset } = this.root;
    dataset.layout = shown.layout;
    dataset.pictures = [...PARTS.filter((part) => shown[part]), ...(isEquation ? ["equation"] : [])].join(" ");
    const surface = shown.layout === "map" ? null : { mesh, jet, point, region, patch: buildPatch(mesh, jet, point, polynomial), over, tops };
    const scenes = { view, surface, map, slice, heights: heights ?? slice?.curve.rangeY ?? mesh.rangeZ };
    this.scenes = scenes;
    if (surface !== null) this.surface.draw(surface, view);
    return scenes;
  }

  /** Enlarges everything in the pictures. @param {number} scale */
  enlarge(scale) {
    for (const picture of this.all) picture.scale = scale;
    this.surface.measure();
  }

  repalette() {
    for (const picture of this.all) picture.repalette();
  }

  destroy() {
    for (const picture of this.all) picture.destroy();
  }
}

/** @param {Float64Array} numbers @returns {Jet} */
function jetOf([f, fx, fy, fxx, fxy, fyy]) {
  return definedJet({ f, fx, fy, fxx, fxy, fyy });
}
