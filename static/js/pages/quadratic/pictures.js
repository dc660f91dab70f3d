// The pictures: surface, contour map and slice. All of them show one document. Meshes and maps are kept while only the point moves.

/** @typedef {import("../../model/critical.js").Critical} Critical */
/** @typedef {import("../../model/height-map.js").HeightMap} HeightMap */
/** @typedef {import("../../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../../model/slice.js").Slice} Slice */
/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Heights} Heights */
/** @typedef {import("../../model/types.js").Jet} Jet */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").View} View */
/** @typedef {import("../../widgets/scene.js").Scene} Scene */
/** @typedef {import("./map-scene.js").MapScene} MapScene */
/**
 * @typedef {object} Showing
 * @property {Doc} doc
 * @property {View} view
 * @property {(x: number, y: number) => Float64Array} jetAt gives f, fx, fy, fxx, fxy, fyy
 * @property {readonly unknown[]} of the kernel and its parameters
 * @property {boolean} isMoving whether to draw with fewer cells
 * @property {readonly Point[]} path of the descent
 * @property {readonly Critical[]} critical
 */
/** The scenes of the pictures that are visible, and the largest error of the quadratic approximation inside its disc.
 * @typedef {{view: View, surface: Scene | null, map: MapScene | null, slice: Slice | null, heights: readonly [number, number], largest: number}} Scenes */

import { buildMap, discContours, largestError, quadraticAt } from "../../model/height-map.js";
import { buildMesh } from "../../model/mesh.js";
import { buildPatch, discAt } from "../../model/patch.js";
import { definedJet } from "../../model/point-kind.js";
import { buildSlice } from "../../model/slice.js";
import { shadesOfError } from "../../widgets/error-shades.js";
import { Picture } from "../../widgets/picture.js";
import { PlotPicture } from "../../widgets/plot-picture.js";
import { paintSceneMarks } from "../../widgets/scene-marks.js";
import { MapPicture } from "./map-picture.js";
import { paintSlice } from "./slice-scene.js";

const CELLS = 54;
const MAP_CELLS = 72;
/** While something moves, surface and map have a quarter of the cells. */
const MOVING_CELLS = 27;
const MOVING_MAP_CELLS = 36;
export const SLICE_MARGINS = { left: 52, right: 12, top: 24, bottom: 36 };

/** A value that is kept until the values from which it was built change. @template T */
class Kept {
  constructor() {
    /** @type {T | null} */
    this.value = null;
    /** @type {readonly unknown[]} */
    this.of = [];
  }

  /** @param {readonly unknown[]} of @returns {T | null} the value if it was built from these values */
  known(of) {
    return of.length === this.of.length && of.every((part, k) => part === this.of[k]) ? this.value : null;
  }

  /** @param {readonly unknown[]} of @param {() => T} build @returns {T} */
  get(of, build) {
    const known = this.known(of);
    if (known !== null) return known;
    this.of = of;
    this.value = build();
    return this.value;
  }
}

export class Pictures {
  /** @param {HTMLElement} root @param {() => void} resized */
  constructor(root, resized) {
    this.root = root;
    const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
    this.surface = new Picture(find(".picture"), resized);
    this.map = new MapPicture(find(".map"), resized);
    this.slice = new PlotPicture(find(".slice"), resized, SLICE_MARGINS);
    this.grip = find(".slice-grip");
    /** The mesh that is drawn. @type {Mesh | null} */
    this.mesh = null;
    /** Meshes and maps for rest and for motion, each with the values from which it was built. @private */
    this.meshes = { rest: /** @type {Kept<Mesh>} */ (new Kept()), moving: /** @type {Kept<Mesh>} */ (new Kept()) };
    /** @private */
    this.maps = { rest: /** @type {Kept<HeightMap>} */ (new Kept()), moving: /** @type {Kept<HeightMap>} */ (new Kept()) };
    /** @type {Scenes | null} */
    this.scenes = null;
  }

  get all() {
    return [this.surface, this.map, this.slice];
  }

  /** Builds the surface, if it is not there yet, and looks up the point.
   * @param {Pick<Showing, "doc" | "jetAt" | "of" | "isMoving">} showing @returns {{jet: Jet, mesh: Mesh}} */
  prepare({ doc, jetAt, of, isMoving }) {
    const { rest, moving } = this.meshes;
    const meshOf = [doc.region, doc.heights, ...of];
    const build = (/** @type {number} */ cells, /** @type {Heights | null} */ heights) => buildMesh((x, y) => jetAt(x, y)[0], doc.region, cells, heights);
    // Where only the point or the camera moves, the heights stay those of the mesh at rest.
    const mesh = isMoving
      ? moving.get([...meshOf, rest.known(meshOf)], () => build(MOVING_CELLS, rest.known(meshOf)?.rangeZ ?? doc.heights))
      : rest.get(meshOf, () => build(CELLS, doc.heights));
    this.mesh = mesh;
    return { mesh, jet: jetOf(jetAt(...doc.point)) };
  }

  /** @param {Showing} showing @returns {Scenes} */
  draw(showing) {
    const { doc: { shown }, view } = showing;
    const { mesh, jet } = this.prepare(showing);
    const { dataset } = this.root;
    dataset.layout = shown.layout;
    dataset.pictures = ["slice", "critical", "descent", "error"].filter((part) => shown[/** @type {"slice"} */ (part)]).join(" ");
    const scenes = this.scenesOf(showing, mesh, jet);
    this.scenes = scenes;
    if (scenes.surface !== null) this.surface.draw(scenes.surface, view);
    if (scenes.map !== null) this.map.show(scenes.map);
    const { slice } = scenes;
    this.grip.hidden = slice === null || scenes.map === null;
    if (slice !== null) {
      this.slice.draw([...slice.reach, ...scenes.heights], (pen, frame, inks) => paintSlice(pen, frame, slice, inks));
      const [x, y] = this.map.frame.toPx(slice.to).map((px) => (px * this.map.scale).toFixed(1));
      this.grip.style.transform = `translate(${x}px, ${y}px)`;
    }
    return scenes;
  }

  /** @private @param {Showing} showing @param {Mesh} mesh @returns {HeightMap} */
  mapFor({ doc, jetAt, of, isMoving }, mesh) {
    const { rest, moving } = this.maps;
    const mapOf = [doc.region, ...mesh.rangeZ, ...of];
    // Without shades of the error, a map that is there costs nothing.
    const known = doc.shown.error ? null : rest.known(mapOf);
    const build = (/** @type {number} */ cells) => buildMap(jetAt, doc.region, mesh.rangeZ, cells);
    return isMoving ? known ?? moving.get(mapOf, () => build(MOVING_MAP_CELLS)) : rest.get(mapOf, () => build(MAP_CELLS));
  }

  /** @private @param {Showing} showing @param {Mesh} mesh @param {Jet} jet @returns {Scenes} */
  scenesOf(showing, mesh, jet) {
    const { doc: { region, point, shown, heights }, view, path, critical } = showing;
    const slice = shown.slice ? buildSlice((x, y) => showing.jetAt(x, y)[0], region, point, jet, shown.angle) : null;
    const marks = { slice, path, critical };
    const { radius } = discAt(mesh, jet, point);
    const disc = { at: point, radius: /** @type {const} */ ([radius / mesh.box.sx, radius / mesh.box.sy]) };
    const quadratic = quadraticAt(jet, point);
    const needsMap = shown.layout !== "surface" || shown.error;
    const map = needsMap ? this.mapFor(showing, mesh) : null;
    const largest = map === null || !shown.error ? NaN : largestError(map, quadratic, disc);
    const tops = largest > 0 ? shadesOfError(mesh, quadratic, largest) : null;
    /** @type {Scene["over"]} */
    const over = (pen, camera, palette) => paintSceneMarks(pen, camera, mesh, marks, palette);
    const surface = shown.layout === "map" ? null : { mesh, jet, point, region, patch: buildPatch(mesh, jet, point), over, tops };
    return {
      view,
      surface,
      map: map === null || shown.layout === "surface" ? null : {
        map,
        point,
        slope: [jet.fx, jet.fy],
        disc,
        quadratic: discContours(map, quadratic, disc),
        error: shown.error ? quadratic : null,
        largest,
        ...marks,
      },
      slice,
      heights: heights ?? slice?.curve.rangeY ?? mesh.rangeZ,
      largest,
    };
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
