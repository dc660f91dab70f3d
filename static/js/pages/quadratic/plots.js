// The contour map and the slice, and the marks on the surface. Maps are kept while only the point moves.

/** @typedef {import("../../model/critical.js").Critical} Critical */
/** @typedef {import("../../model/height-map.js").HeightMap} HeightMap */
/** @typedef {import("../../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./pictures.js").Built} Built */
/** @typedef {import("./pictures.js").More} More */
/** @typedef {import("./pictures.js").Scenes} Scenes */
/** @typedef {import("./pictures.js").Showing} Showing */
/** @typedef {import("../../model/taylor.js").Band} Band */
/** @typedef {import("../../model/taylor.js").Height} Height */
/** What the page has computed for the pictures: the path of the descent, the critical points, and the approximation.
 * @typedef {{path: readonly Point[], critical: readonly Critical[], approximation: import("./approximation.js").Approximation}} Found */

import { toBoxZ } from "../../model/camera.js";
import { buildMap, discContours, largestError, quadraticAt } from "../../model/height-map.js";
import { Kept } from "../../model/kept.js";
import { discAt } from "../../model/patch.js";
import { buildSlice } from "../../model/slice.js";
import { shadesOfError } from "../../widgets/error-shades.js";
import { PlotPicture } from "../../widgets/plot-picture.js";
import { paintSceneMarks } from "../../widgets/scene-marks.js";
import { paintBand } from "./band-scene.js";
import { MapPicture } from "./map-picture.js";
import { paintSlice } from "./slice-scene.js";

const MAP_CELLS = 72;
/** While something moves, the map has this many cells along each side: half the usual number. */
const MOVING_MAP_CELLS = 36;
const BAND_PIECES = 80;
export const SLICE_MARGINS = { left: 52, right: 12, top: 24, bottom: 36 };

export class Plots {
  /** @param {HTMLElement} root @param {() => void} resized */
  constructor(root, resized) {
    const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
    this.map = new MapPicture(find(".map"), resized);
    this.slice = new PlotPicture(find(".slice"), resized, SLICE_MARGINS);
    this.grip = find(".slice-grip");
    /** Two cached contour maps. `rest`: the map that is shown while nothing moves. `moving`: a coarser map that is shown during
     * a motion. Each map is stored with the values that it was built from.
     * @private */
    this.maps = { rest: /** @type {Kept<HeightMap>} */ (new Kept()), moving: /** @type {Kept<HeightMap>} */ (new Kept()) };
  }

  /** @private @param {Showing} showing @param {Mesh} mesh @returns {HeightMap} */
  mapFor({ doc, jetAt, of, isEquation, isMoving }, mesh) {
    const { rest, moving } = this.maps;
    const mapOf = [doc.region, ...mesh.rangeZ, ...of];
    // While something moves, a full map that was built before is used, unless it has shades of the error, which are slow to
    // paint.
    const known = doc.shown.error ? null : rest.known(mapOf);
    const build = (/** @type {number} */ cells) => buildMap(jetAt, doc.region, mesh.rangeZ, cells, isEquation);
    return isMoving ? known ?? moving.get(mapOf, () => build(MOVING_MAP_CELLS)) : rest.get(mapOf, () => build(MAP_CELLS));
  }

  /** @param {Showing} showing @param {Built} built @param {Found} found @returns {More} what these pictures show */
  moreOf(showing, { mesh, jet }, { path, critical, approximation }) {
    const { region, point, shown } = showing.doc;
    const { box } = mesh;
    const seen = discAt(mesh, jet, point);
    const disc = { at: point, radius: /** @type {const} */ ([seen.radius / box.sx, seen.radius / box.sy]) };
    const { height, band } = approximation;
    const quadratic = quadraticAt(jet, point);
    const polynomial = height === null ? quadratic : (/** @type {number} */ x, /** @type {number} */ y) => height((x - point[0]) * box.sx, (y - point[1]) * box.sy);
    const slice = shown.slice ? buildSlice((x, y) => showing.jetAt(x, y)[0], region, point, jet, shown.angle) : null;
    const heightAt = height ?? ((/** @type {number} */ u, /** @type {number} */ v) => quadratic(point[0] + u / box.sx, point[1] + v / box.sy));
    const needsMap = shown.layout !== "surface" || shown.error || showing.isEquation;
    const map = needsMap ? this.mapFor(showing, mesh) : null;
    const marks = { slice, path, critical, roots: map?.roots ?? [] };
    const largest = map === null || !shown.error ? NaN : largestError(map, polynomial, disc);
    return {
      map: map === null || shown.layout === "surface" ? null : {
        map,
        point,
        slope: [jet.fx, jet.fy],
        disc,
        quadratic: discContours(map, polynomial, disc),
        error: shown.error ? polynomial : null,
        largest,
        ...marks,
      },
      slice: slice && { ...slice, ...alongSlice(slice, heightAt, band, seen.radius, box) },
      over: (pen, camera, palette) => {
        paintSceneMarks(pen, camera, mesh, marks, palette);
        if (band !== null) paintBand(pen, camera, mesh, seen, heightAt, band, palette);
      },
      tops: largest > 0 ? shadesOfError(mesh, polynomial, largest) : null,
      largest,
      polynomial: height && ((dx, dy) => toBoxZ(box, height(dx, dy))),
    };
  }

  /** @param {Scenes} scenes */
  draw({ map, slice, heights }) {
    if (map !== null) this.map.show(map);
    this.grip.hidden = slice === null || map === null;
    if (slice === null) return;
    this.slice.draw([...slice.reach, ...heights], (pen, frame, inks) => paintSlice(pen, frame, slice, inks));
    const [x, y] = this.map.frame.toPx(slice.to).map((px) => (px * this.map.scale).toFixed(1));
    this.grip.style.transform = `translate(${x}px, ${y}px)`;
  }
}

/** Returns the approximation and its band along a slice. `along`: a function that returns the approximation's height at a
 * distance from the point. `area`: the band. At each of some equally spaced distances, it has a lowest and a highest height.
 * @param {import("../../model/slice.js").Slice} slice @param {Height} height @param {Band | null} band @param {number} radius of the disc
 * @param {import("../../model/camera.js").Box} box */
function alongSlice({ direction: [ux, uy] }, height, band, radius, { sx, sy }) {
  const [u, v] = [ux * sx, uy * sy];
  const reach = radius / Math.hypot(u, v);
  const area = Array.from({ length: band === null ? 0 : BAND_PIECES + 1 }, (_, k) => {
    const s = reach * ((2 * k) / BAND_PIECES - 1);
    const bounds = band?.(s * u, s * v) ?? null;
    return bounds && /** @type {const} */ ([s, height(s * u, s * v) + bounds[0], height(s * u, s * v) + bounds[1]]);
  });
  const isWhole = area.every((place) => place !== null);
  return { along: (/** @type {number} */ s) => height(s * u, s * v), area: isWhole ? area.filter((place) => place !== null) : [] };
}
