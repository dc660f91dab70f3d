// The buttons, lists and switches of the regression page.

/** @typedef {import("../../model/types.js").Optimiser} Optimiser */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<Fit>} Page */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").FitBeginning} FitBeginning */
/** @typedef {import("./fit.js").FitSetting} FitSetting */
/** @typedef {import("./fit.js").LossName} LossName */
/** @typedef {import("./fitting.js").FitArtifact} FitArtifact */
/** @typedef {import("./hands.js").FitHands} FitHands */
/** @typedef {import("./scene.js").FitScene} FitScene */
/** @typedef {import("./view.js").RegressionView} RegressionView */
/** The options that the visitor sets. `follow`: true to start the descent after a change of the points. `residuals` and
 * `exact`: true to draw the residuals, and the exact line of least squares. `perSecond`: the steps of the descent per second.
 * @typedef {{follow: boolean, residuals: boolean, exact: boolean, perSecond: number}} Options */
/**
 * The parts and actions that the panel needs.
 * @typedef {object} PanelParts
 * @property {Page} page
 * @property {RegressionView} display
 * @property {FitBeginning} beginning
 * @property {FitArtifact} artifact
 * @property {Options} options
 * @property {Pick<FitHands, "choose" | "remove">} hands
 * @property {() => number} chosen returns the number of the chosen point
 * @property {() => FitScene | undefined} scene returns the scene that is shown
 * @property {() => void} add adds a point at a free place
 * @property {() => void} once makes one step of the descent
 * @property {(name: string) => void} setData replaces the points by a set of points
 * @property {(changes: Partial<FitSetting>, tag: string | null) => void} set changes settings
 */

import { attachControls } from "../../page/controls.js";
import { download, plotDownloads } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import { AREA } from "./fit.js";
import { paintScatter, paintSurface } from "./scene.js";
import * as texts from "./texts.js";

/** @param {PanelParts} parts @returns {() => void} removes the listeners outside the page's own elements */
export function attachRegressionPanel(parts) {
  const { page, display, options, beginning, hands, scene } = parts;
  const { fit, exact } = parts.artifact;
  attachExport(display.find(".export"), "regression", () => ({ fit, exact }), (message) => display.notify(message));
  const sets = display.find("[name=set]");
  for (const name of Object.keys(beginning.sets)) sets.add(new Option(texts.setName(name), name));
  sets.add(Object.assign(new Option(texts.RACKS.own, "own"), { hidden: true }));
  return attachControls({
    find: (selector) => display.find(selector),
    refresh: () => page.refresh(),
    actions: {
      ...page.actions,
      ".descend": () => page.toggle(),
      ".once": () => parts.once(),
      ".add": () => parts.add(),
      ".remove": () => hands.remove(parts.chosen()),
      ...plotDownloads("regression", () => plotsOf(scene()), () => display.scatter.palette),
      ".csv": () => download("regression.csv", new Blob([csvOf(scene())], { type: "text/csv" })),
    },
    changes: {
      set: ({ value }) => parts.setData(value),
      chosen: ({ value }) => hands.choose(Number(value)),
      loss: ({ value }) => parts.set({ loss: /** @type {LossName} */ (value) }, null),
      optimiser: ({ value }) => parts.set({ optimiser: /** @type {Optimiser} */ (value) }, null),
      centred: ({ checked }) => parts.set({ centred: checked }, null),
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
    keys: { p: () => page.toggle(), ".": () => parts.once() },
  });
}

/** @param {FitScene | undefined} scene */
function plotsOf(scene) {
  if (scene === undefined) return [];
  const of = (/** @type {typeof paintScatter} */ paint) => (/** @type {any} */ pen, /** @type {any} */ frame, /** @type {any} */ palette) =>
    paint(pen, frame, palette, scene);
  return [{ region: AREA, paint: of(paintScatter) }, { region: scene.region, paint: of(paintSurface) }];
}

/** @param {FitScene | undefined} scene @returns {string} the points with their residuals */
function csvOf(scene) {
  if (scene === undefined) return "";
  const { fit: { points, line: [slope, intercept] }, origin } = scene;
  const rows = points.map(([x, y]) => [x, y, slope * (x - origin) + intercept - y].join(","));
  return ["x,y,residual", ...rows, ""].join("\n");
}
