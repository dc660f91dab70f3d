// Shows the net, the pattern of its Hessian and the numbers of the page Sparse.

/** @typedef {import("../../model/types.js").NetBeginning} NetBeginning */
/** @typedef {import("./scene.js").NetScene} NetScene */
/** @typedef {import("./solver.js").NetSolver} NetSolver */
/**
 * Functions that the view calls when you use its fields and handles.
 * @typedef {object} NetEvents
 * @property {() => void} resized called when the size of a picture has changed
 * @property {(element: HTMLElement) => void} newHandle called when the view has made the handle of a node
 * @property {(name: "row" | "column" | "group", value: number) => void} set called when you have typed a number
 * @property {() => void} done called when the focus leaves a field
 */

import { format, formatBytes, formatShort } from "../../model/numbers.js";
import { SimulationView } from "../../page/simulation-view.js";
import { CanvasPicture } from "../../widgets/canvas-picture.js";
import { Handles } from "../../widgets/handles.js";
import { paintNet, paintPattern } from "./scene.js";
import * as texts from "./texts.js";

const EXPORT_PX = 800;
/** The room around the net, in lengths of a spring. */
const ROOM = 3;

export class NetView extends SimulationView {
  /** @param {HTMLElement} root @param {NetBeginning} beginning @param {NetEvents} events */
  constructor(root, beginning, events) {
    super(root, "");
    const { side, floor, flat } = beginning;
    /** @type {CanvasPicture<NetScene>} */
    this.picture = new CanvasPicture(this.find(".net"), paintNet, [-ROOM, side - 1 + ROOM, floor - 1, side + 1], [EXPORT_PX, EXPORT_PX], events.resized);
    /** @type {CanvasPicture<NetScene>} */
    this.pattern = new CanvasPicture(this.find(".pattern"), paintPattern, [0, flat.length, -flat.length, 0], [EXPORT_PX, EXPORT_PX], () => {
      this.drawn = [];
      events.resized();
    });
    this.pictures = [this.picture, this.pattern];
    /** The values for which the pattern was drawn. @type {readonly unknown[]} */
    this.drawn = [];
    /** @type {Handles<number>} */
    this.handles = new Handles(this.picture.place, (element) => events.newHandle(element));
    this.attachFields([], ["row", "column", "group"], { typed: () => {}, set: events.set, done: events.done });
  }

  /** @param {NetScene} scene @param {NetSolver} solver @param {number} bytes of the module */
  draw(scene, solver, bytes) {
    const { beginning, doc, x, group } = scene;
    this.picture.draw(scene);
    const wanted = [doc.cuts, group];
    if (this.drawn.length === 0 || wanted.some((part, k) => part !== this.drawn[k])) {
      this.drawn = wanted;
      this.pattern.draw(scene);
    }
    const { side, springs, rows, directions, factor, groups } = beginning;
    const { node } = doc;
    const [xPx, yPx] = this.picture.frame.toPx([x[2 * node], x[2 * node + 1]]);
    const [row, column] = [1 + Math.floor(node / side), 1 + (node % side)];
    const place = texts.nodePlace(row, column, format(Number(x[2 * node].toFixed(2))), format(Number(x[2 * node + 1].toFixed(2))));
    this.handle = { id: 0, place, keys: texts.NODE_KEYS, xPx, yPx };
    this.handles.show([this.handle], solver.rests ? [] : [0]);
    this.showSetting("row", row);
    this.showSetting("column", column);
    this.showSetting("group", group + 1);
    this.text(".group-text", texts.groupOf(group + 1, directions, groups.filter((one) => one === group).length));
    this.data(".energy", Number.isNaN(solver.energy) ? null : solver.energy, 6);
    this.data(".steps", solver.steps);
    this.data(".springs-left", springs.length - doc.cuts.length);
    this.data(".entries", rows.length);
    this.data(".directions", directions);
    this.data(".factor", factor);
    const ms = solver.frameMs;
    this.text(".cost", texts.netCost(formatBytes(bytes), Number.isNaN(ms) ? null : formatShort(ms)));
    this.text(".outcome", solver.rests ? texts.netRests(solver.steps) : texts.NET_MOVES);
  }

  /** @override */
  repalette() {
    super.repalette();
    this.drawn = [];
  }
}
