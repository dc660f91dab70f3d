// The picture of an <eglantine-plot> of two variables: a surface that you can turn, with the quadratic that touches it.

/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../model/types.js").Jet} Jet */
/** @typedef {import("../model/types.js").View} View */
/** @typedef {import("./plot-host.js").PlotHost} PlotHost */

import { attachKeys } from "../gestures/keys.js";
import { attachPointer } from "../gestures/pointer.js";
import { limitView, START_VIEW } from "../model/camera.js";
import * as docs from "../model/doc.js";
import { buildMesh } from "../model/mesh.js";
import { format, formatSlope, keyStep, tidy } from "../model/numbers.js";
import { buildPatch } from "../model/patch.js";
import { pick } from "../model/pick.js";
import { Picture } from "../widgets/picture.js";
import * as texts from "../formula-texts.js";

const CELLS = 44;
const TURN_PER_PX = 0.008;
const TURN_STEP = Math.PI / 36;

export class SurfacePlot {
  /** The CSS class and the name of each number below the picture. */
  static numbers = /** @type {const} */ ([["", "z = "], ["wide", "at "], ["", "f "], ["gradient wider", "∇f "]]);

  /** @param {PlotHost} plot @param {HTMLElement} frame */
  constructor(plot, frame) {
    this.plot = plot;
    this.picture = new Picture(frame, () => plot.refresh());
    this.view = START_VIEW;
    /** @type {Mesh | null} */
    this.mesh = null;
    /** The values from which the mesh was built. @type {readonly unknown[]} */
    this.meshOf = [];
    const { handle, canvas } = this.picture;
    const zoom = (/** @type {number} */ factor) => plot.edit((doc) => docs.zoom(doc, factor));
    this.detachers = [
      attachPointer(frame, handle, {
        grab: () => {},
        drag: (xPx, yPx) => this.dragTo(xPx, yPx, true),
        release: () => {},
        turn: (dxPx, dyPx) => this.turn(dxPx * TURN_PER_PX, dyPx * TURN_PER_PX),
        place: (xPx, yPx) => this.dragTo(xPx, yPx, false),
        zoom,
      }, { wheel: false }),
      attachKeys(handle, {
        arrow: (dx, dy) => plot.edit((doc) => stepped(doc, dx, dy)),
        home: () => plot.goHome(),
        zoom,
      }),
      attachKeys(canvas, {
        arrow: (dx, dy) => this.turn(dx * TURN_STEP, -dy * TURN_STEP),
        home: () => this.look(START_VIEW),
        zoom,
      }),
    ];
  }

  /** @private @param {number} xPx @param {number} yPx @param {boolean} near whether to prefer the place nearest to the point */
  dragTo(xPx, yPx, near) {
    const { mesh, picture, view, plot } = this;
    plot.edit((doc) => {
      const point = mesh && pick(mesh, picture.camera(view), xPx, yPx, near ? doc.point : null);
      return point === null ? doc : docs.movePoint(doc, point);
    });
  }

  /** @private @param {number} yaw @param {number} pitch in radians */
  turn(yaw, pitch) {
    this.look({ yaw: this.view.yaw - yaw, pitch: this.view.pitch + pitch });
  }

  /** @private @param {View} view */
  look(view) {
    this.view = limitView(view);
    this.plot.refresh();
  }

  /** @param {Doc} doc @param {Jet} jet at the point @returns {string[]} the numbers */
  draw({ region, point, params, text }, jet) {
    const { picture, plot } = this;
    const meshOf = [plot.kernel, region, ...params.map((param) => param.value)];
    if (this.mesh === null || meshOf.some((part, k) => part !== this.meshOf[k])) {
      this.meshOf = meshOf;
      this.mesh = buildMesh((x, y) => plot.evaluate(x, y)[0], region, CELLS);
    }
    picture.draw({ mesh: this.mesh, jet, point, region, patch: buildPatch(this.mesh, jet, point) }, this.view);
    const [x, y, f] = [...point, jet.f].map(format);
    const place = texts.pointPlace(x, y, f);
    picture.label(texts.surfaceLabel(text), texts.pointLabel(place));
    plot.speaker.say(place);
    return [text, `(${x}, ${y})`, f, `(${formatSlope(jet.fx)}, ${formatSlope(jet.fy)})`];
  }

  repalette() {
    this.picture.repalette();
  }

  destroy() {
    for (const detach of this.detachers) detach();
    this.picture.destroy();
  }
}

/** @param {Doc} doc @param {number} dx @param {number} dy in steps @returns {Doc} */
function stepped(doc, dx, dy) {
  const { region, point: [x, y] } = doc;
  const moved = /** @type {const} */ ([
    tidy(x + dx * keyStep(region[1] - region[0])),
    tidy(y + dy * keyStep(region[3] - region[2])),
  ]);
  return docs.placePoint(doc, docs.clampToRegion(region, moved));
}
