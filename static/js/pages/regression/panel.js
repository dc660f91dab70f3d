// The buttons, lists and switches of the regression page.

/** @typedef {import("./regression.js").Regression} Regression */
/** @typedef {import("./fit.js").LossName} LossName */
/** @typedef {import("../../model/types.js").Optimiser} Optimiser */

import { attachControls } from "../../page/controls.js";
import { download } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import { plotsAsPng, plotsAsSvg } from "../../widgets/plot-picture.js";
import { AREA } from "./fit.js";
import { paintScatter, paintSurface } from "./scene.js";
import * as texts from "../../texts.js";

/** @param {Regression} page @returns {() => void} detaches what lies outside the page's own elements */
export function attachRegressionPanel(page) {
  const { display, options, beginning } = page;
  const { fit, exact } = page.fitting.artifact;
  attachExport(display.find(".export"), "regression", () => ({ fit, exact }), (message) => display.notify(message));
  const sets = display.find("[name=set]");
  for (const name of Object.keys(beginning.sets)) sets.add(new Option(texts.setName(name), name));
  sets.add(Object.assign(new Option(texts.RACKS.own, "own"), { hidden: true }));
  return attachControls({
    find: (selector) => display.find(selector),
    refresh: () => page.refresh(),
    actions: {
      ".descend": () => page.descend(),
      ".once": () => page.once(),
      ".remedy": () => page.remedy?.(),
      ".add": () => page.add(null),
      ".remove": () => page.remove(page.chosen),
      ".undo": () => page.undo(),
      ".redo": () => page.redo(),
      ".reset": () => page.reset(),
      ".share": () => page.link.share(),
      ".png": async () => download("regression.png", await plotsAsPng(plotsOf(page), display.scatter.palette)),
      ".svg": () => download("regression.svg", new Blob([plotsAsSvg(plotsOf(page), display.scatter.palette)], { type: "image/svg+xml" })),
      ".csv": () => download("regression.csv", new Blob([csvOf(page)], { type: "text/csv" })),
    },
    changes: {
      set: ({ value }) => page.setData(value),
      chosen: ({ value }) => page.choose(Number(value)),
      loss: ({ value }) => page.set({ loss: /** @type {LossName} */ (value) }, null),
      optimiser: ({ value }) => page.set({ optimiser: /** @type {Optimiser} */ (value) }, null),
      centred: ({ checked }) => page.set({ centred: checked }, null),
      follow: ({ checked }) => {
        options.follow = checked;
      },
      residuals: ({ checked }) => {
        options.residuals = checked;
      },
      exact: ({ checked }) => {
        options.exact = checked;
      },
      speed: ({ value }) => {
        options.perSecond = Number(value);
      },
    },
    keys: { p: () => page.descend(), ".": () => page.once() },
  });
}

/** @param {Regression} page */
function plotsOf({ scene }) {
  if (scene === undefined) return [];
  const of = (/** @type {typeof paintScatter} */ paint) => (/** @type {any} */ pen, /** @type {any} */ frame, /** @type {any} */ palette) =>
    paint(pen, frame, palette, scene);
  return [{ region: AREA, paint: of(paintScatter) }, { region: scene.region, paint: of(paintSurface) }];
}

/** @param {Regression} page @returns {string} the points with their residuals */
function csvOf({ scene }) {
  if (scene === undefined) return "";
  const { fit: { points, line: [slope, intercept] }, origin } = scene;
  const rows = points.map(([x, y]) => [x, y, slope * (x - origin) + intercept - y].join(","));
  return ["x,y,residual", ...rows, ""].join("\n");
}
