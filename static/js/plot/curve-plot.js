// The picture of an <eglantine-plot> of one variable: a curve with the tangent and the parabola that touch it at the point.

/** @typedef {import("../model/curve.js").Curve} Curve */
/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../model/types.js").Jet} Jet */
/** @typedef {import("../model/types.js").Point} Point */
/** @typedef {import("./plot-host.js").PlotHost} PlotHost */

import { attachKeys } from "../gestures/keys.js";
import { attachPointer } from "../gestures/pointer.js";
import { buildCurve } from "../model/curve.js";
import * as docs from "../model/doc.js";
import { clamp, format, formatSlope, keyStep, tidy } from "../model/numbers.js";
import { setLabel } from "../widgets/picture.js";
import { paintAxes, PlotPicture } from "../widgets/plot-picture.js";
import * as texts from "../formula-texts.js";

const PIECES = 400;
const PARABOLA_PIECES = 120;
/** The margins for the numbers of the axes, in pixels. They are wide, because a plot in another page can have long numbers. */
const MARGINS = { left: 52, right: 12, top: 24, bottom: 36 };
/** An arrow key moves the picture by this many pixels. */
const PAN_PX = 24;

export class CurvePlot {
  /** The CSS class and the name of each number below the picture. */
  static numbers = /** @type {const} */ ([["", "y = "], ["wide", "at "], ["wide", "f "], ["gradient wide", "f′ "], ["gradient wide", "f″ "]]);

  /** @param {PlotHost} plot @param {HTMLElement} frame */
  constructor(plot, frame) {
    this.plot = plot;
    this.picture = new PlotPicture(frame, () => plot.refresh(), MARGINS);
    this.handle = /** @type {HTMLElement} */ (frame.querySelector(".handle"));
    /** @type {Curve | null} */
    this.curve = null;
    /** The values from which the curve was built. @type {readonly unknown[]} */
    this.curveOf = [];
    const { canvas } = this.picture;
    const zoom = (/** @type {number} */ factor) => plot.edit((doc) => docs.zoom(doc, factor));
    const put = (/** @type {number} */ xPx) => plot.edit((doc) => docs.movePoint(doc, [this.picture.frame.toMath(xPx, 0)[0], 0]));
    this.detachers = [
      attachPointer(frame, this.handle, { grab: () => {}, drag: put, release: () => {}, turn: (dxPx) => this.pan(dxPx), place: put, zoom }, { wheel: false }),
      attachKeys(this.handle, {
        arrow: (dx) => plot.edit((doc) => {
          const [x0, x1] = doc.region;
          return docs.placePoint(doc, [clamp(tidy(doc.point[0] + dx * keyStep(x1 - x0)), x0, x1), 0]);
        }),
        home: () => plot.goHome(),
        zoom,
      }),
      attachKeys(canvas, { arrow: (dx) => this.pan(-dx * PAN_PX), home: () => plot.goHome(), zoom }),
    ];
  }

  /** Pans the picture and keeps the point inside it. @private @param {number} dxPx */
  pan(dxPx) {
    const { left, right } = this.picture.frame;
    this.plot.edit((doc) => {
      const [x0, x1, y0, y1] = doc.region;
      const shift = (-dxPx * (x1 - x0)) / (right - left);
      const region = /** @type {const} */ ([x0 + shift, x1 + shift, y0, y1]);
      return { ...doc, region, point: docs.clampToRegion(region, doc.point) };
    });
  }

  /** @param {Doc} doc @param {Jet} jet at the point @returns {string[]} the numbers */
  draw({ region: [x0, x1], point: [x], params, text }, jet) {
    const { picture, plot } = this;
    const curveOf = [plot.kernel, x0, x1, ...params.map((param) => param.value)];
    if (this.curve === null || curveOf.some((part, k) => part !== this.curveOf[k])) {
      this.curveOf = curveOf;
      this.curve = buildCurve((at) => plot.evaluate(at, 0)[0], x0, x1, PIECES);
    }
    const { pieces, rangeY } = this.curve;
    const touching = (/** @type {number} */ at) => jet.f + (at - x) * (jet.fx + ((at - x) * jet.fxx) / 2);
    const tangent = (/** @type {number} */ at) => jet.f + (at - x) * jet.fx;
    const over = (/** @type {(at: number) => number} */ f, /** @type {number} */ n) =>
      Array.from({ length: n + 1 }, (_, k) => {
        const at = x0 + ((x1 - x0) * k) / n;
        return /** @type {Point} */ ([at, f(at)]);
      });
    picture.draw([x0, x1, ...rangeY], (pen, frame, inks) => {
      paintAxes(pen, frame, inks, texts.AXES.x, texts.AXES.y);
      const { ctx } = picture;
      ctx.save();
      ctx.beginPath();
      ctx.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
      ctx.clip();
      for (const [colour, width, lines] of /** @type {const} */ ([
        [inks.ink, 2, pieces],
        [inks.leaf, 1.5, [over(tangent, 1)]],
        [inks.rose, 2.5, [over(touching, PARABOLA_PIECES)]],
      ])) {
        ctx.strokeStyle = colour;
        ctx.lineWidth = width;
        ctx.beginPath();
        for (const line of lines) line.forEach((point, k) => (k === 0 ? ctx.moveTo(...frame.toPx(point)) : ctx.lineTo(...frame.toPx(point))));
        ctx.stroke();
      }
      ctx.restore();
      const shown = Number.isFinite(jet.f) ? clamp(jet.f, ...rangeY) : rangeY[0];
      const [xPx, yPx] = frame.toPx([x, shown]);
      this.handle.style.transform = `translate(${xPx.toFixed(2)}px, ${yPx.toFixed(2)}px)`;
      this.handle.classList.toggle("is-behind", shown !== jet.f);
    });
    const numbers = [format(x), format(jet.f), formatSlope(jet.fx), formatSlope(jet.fxx)];
    setLabel(picture.canvas, texts.curveLabel(text));
    const place = texts.curvePointPlace(numbers[0], numbers[1]);
    setLabel(this.handle, texts.curvePointLabel(place));
    plot.speaker.say(place);
    return [text, ...numbers];
  }

  repalette() {
    this.picture.repalette();
  }

  destroy() {
    for (const detach of this.detachers) detach();
    this.picture.destroy();
  }
}
