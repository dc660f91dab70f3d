// The page Sparse: a net of springs that you drag and cut, the pattern of its Hessian, and Newton's method, which finds where
// it rests.

/** @typedef {import("../../engine/kernel.js").Kernel} Kernel */
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").NetBeginning} NetBeginning */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./doc.js").NetDoc} NetDoc */

import { clamp } from "../../model/numbers.js";
import { attachControls } from "../../page/controls.js";
import { plainJourney } from "../../page/journey.js";
import { SimulationPage } from "../../page/simulation-page.js";
import { download, downloadSvg } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import * as docs from "./doc.js";
import { attachNet, attachNodeKeys } from "./hands.js";
import { decodeNet, encodeNet } from "./link.js";
import { NetSolver } from "./solver.js";
import { NetView } from "./view.js";
import * as texts from "./texts.js";

const NO_RUN = { running: false, follows: true, pause() {}, forget() {} };

export class SparsePage {
  /** @param {HTMLElement} root @param {NetBeginning} beginning @param {Module} step @param {Kernel} kernel of the step */
  constructor(root, beginning, step, kernel) {
    this.beginning = beginning;
    this.step = step;
    this.first = docs.firstNet(beginning);
    this.journey = plainJourney(this.first, () => this.page.refresh());
    this.solver = new NetSolver(beginning, kernel);
    this.group = 0;
    this.display = new NetView(root, beginning, {
      resized: () => this.page.refresh(),
      newHandle: (element) => attachNodeKeys(element, this.hands),
      set: (name, value) => this.set(name, value),
      done: () => this.journey.settle(),
    });
    this.page = this.pageOn(root);
    this.hands = this.handsOn();
    const { picture, handles } = this.display;
    this.page.begin([attachNet(picture.place, picture, handles, this.hands), this.attachPanel()]);
  }

  /** @private @param {HTMLElement} root @returns {SimulationPage<NetDoc>} */
  pageOn(root) {
    return new SimulationPage(root, {
      first: this.first,
      journey: this.journey,
      display: this.display,
      run: NO_RUN,
      start: () => {},
      draw: () => this.draw(),
      hint: "eglantine-net-hint-seen",
      encode: () => encodeNet(this.doc),
      decode: (fragment) => {
        const opened = decodeNet(fragment, this.beginning);
        return "refused" in opened ? { refused: texts.NET_REFUSED[opened.refused] } : opened;
      },
      rewind: () => this.solver.flatten(),
      destroy: () => this.solver.destroy(),
    });
  }

  /** @private @returns {import("./hands.js").NetHands} */
  handsOn() {
    const { solver } = this;
    return {
      x: () => solver.x,
      isCutting: () => this.display.find("[name=mode]:checked").value === "cut",
      grab: (node) => {
        this.page.hold(true);
        this.edit((doc) => docs.choose(doc, node), "drag");
      },
      pull: (to) => {
        this.edit((doc) => docs.pull(doc, to), "drag");
        this.page.hideHint();
      },
      release: () => {
        this.page.hold(false);
        this.page.release();
      },
      stroke: (from, to) => this.edit((doc) => docs.cut(doc, docs.crossed(this.beginning, solver.x, from, to)), "stroke"),
      strokeEnd: () => this.page.release(),
      nudge: (dx, dy) => {
        const { node } = this.doc;
        const [x, y] = this.doc.at ?? [solver.x[2 * node], solver.x[2 * node + 1]];
        this.edit((doc) => docs.pull(doc, [x + dx, y + dy]), "keys");
        this.page.hideHint();
      },
      letGo: () => this.edit((doc) => docs.pull(doc, null), null),
      cutHere: () => this.edit((doc) => docs.cut(doc, docs.springsAt(this.beginning, doc.node)), null),
    };
  }

  /** @private @returns {() => void} removes the listeners */
  attachPanel() {
    const { display, page, hands } = this;
    attachExport(display.find(".export"), "net", () => ({ net: this.step }), (message) => display.notify(message));
    return attachControls({
      find: (selector) => display.find(selector),
      refresh: () => page.refresh(),
      actions: {
        ...page.actions,
        ".let-go": hands.letGo,
        ".cut-here": hands.cutHere,
        ".mend": () => this.edit(docs.mend, null),
        ".png": async () => download("net.png", await display.picture.png(this.scene)),
        ".svg": async () => downloadSvg("net.svg", await display.picture.svg(this.scene)),
        ".csv": () => download("pattern.csv", new Blob([this.csv()], { type: "text/csv" })),
      },
      changes: {},
      keys: { c: () => this.toggleMode() },
    });
  }

  get doc() {
    return this.journey.present;
  }

  /** @private @returns {import("./scene.js").NetScene} */
  get scene() {
    return { beginning: this.beginning, doc: this.doc, x: this.solver.x, group: this.group };
  }

  /** @private @param {(doc: NetDoc) => NetDoc} change @param {string | null} tag */
  edit(change, tag) {
    this.journey.change(change, tag);
    this.page.refresh();
  }

  /** @private @param {"row" | "column" | "group"} name @param {number} value from 1 */
  set(name, value) {
    const { side, directions } = this.beginning;
    const k = clamp(Math.round(value), 1, name === "group" ? directions : side) - 1;
    if (name === "group") {
      this.group = k;
      this.page.refresh();
      return;
    }
    const { node } = this.doc;
    this.edit((doc) => docs.choose(doc, name === "row" ? k * side + (node % side) : Math.floor(node / side) * side + k), "node");
  }

  /** @private */
  toggleMode() {
    const wanted = this.hands.isCutting() ? "drag" : "cut";
    this.display.find(`[name=mode][value=${wanted}]`).checked = true;
  }

  /** @private */
  draw() {
    const { display, solver } = this;
    solver.follow(this.doc);
    solver.advance();
    display.draw(this.scene, solver, this.step.wasm.length);
    display.showJourney(this.journey);
    display.find(".let-go").disabled = this.doc.at === null;
    display.find(".mend").disabled = this.doc.cuts.length === 0;
    this.page.link.plan(solver.rests);
    if (!solver.rests) this.page.refresh();
  }

  /** @private @returns {string} the places of the Hessian's entries with the group of their column */
  csv() {
    const { rows, cols, groups } = this.beginning;
    return ["row,column,group", ...rows.map((row, k) => [row, cols[k], groups[cols[k]] + 1].join(",")), ""].join("\n");
  }
}
