// The buttons, lists and switches of the billiards page.

/** @typedef {import("../../model/types.js").Beginning} Beginning */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("../../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../../model/types.js").TableSetting} TableSetting */
/** @typedef {import("../../page/player.js").Player} Player */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<Table>} Page */
/** @typedef {import("./hands.js").TableHands} TableHands */
/** @typedef {import("./scene.js").TableScene} TableScene */
/** @typedef {import("./view.js").BilliardsView} BilliardsView */
/** The state of the switches. @typedef {{show: "none" | "loss" | "gradient", traces: boolean, follow: boolean}} Options */
/**
 * The parts of the page that the panel needs, and the functions that its controls call.
 * @typedef {object} PanelParts
 * @property {Page} page
 * @property {BilliardsView} display
 * @property {Player} player
 * @property {Beginning} beginning
 * @property {Options} options
 * @property {Pick<TableHands, "edit" | "choose">} hands
 * @property {() => TableArtifact} artifact - returns the compiled modules of the table
 * @property {() => TableScene | null} scene - returns the scene that is shown, or null before the first one
 * @property {(at: Point | null) => void} add - adds a ball at a point, or at the first free place for null
 * @property {() => void} once - makes one step of the descent
 * @property {() => void} startFromBest - starts a descent at the best position in the field
 * @property {(changes: Partial<TableSetting>, tag: string | null) => void} set - changes settings of the table
 */

import { attachPanel } from "../../page/simulation-panel.js";
import { download, downloads } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import * as tables from "./table.js";

/** @param {PanelParts} parts @returns {() => void} removes the listeners outside the page's own elements */
export function attachBilliardsPanel(parts) {
  const { page, display, player, beginning, options, hands, scene } = parts;
  const csv = () => {
    const shown = scene();
    if (shown !== null) download("billiards.csv", new Blob([shown.paths.csv(beginning.dt)], { type: "text/csv" }));
  };
  const modules = () => ({ shot: parts.artifact().shot, paths: parts.artifact().paths });
  attachExport(display.find(".export"), "billiards", modules, (message) => display.notify(message));
  return attachPanel({
    find: (selector) => display.find(selector),
    refresh: () => page.refresh(),
    player,
    play: () => player.toggle(),
    seek: (step) => player.seek(step),
    actions: {
      ...page.actions,
      ".optimise": () => page.toggle(),
      ".once": () => parts.once(),
      ".add": () => parts.add(null),
      ".remove": () => hands.edit((table) => tables.removeBall(table, table.target), null, "task"),
      ".best": () => parts.startFromBest(),
      ".csv": csv,
      ...downloads("billiards", display.picture, scene),
    },
    changes: {
      rack: ({ value }) => hands.edit((table) => tables.setRack(table, beginning.racks[value], beginning.cue), null, "task"),
      target: ({ value }) => hands.choose(Number(value)),
      optimiser: ({ value }) => parts.set({ optimiser: value }, null),
      cushions: ({ checked }) => parts.set({ cushions: checked }, null),
      impact: ({ checked }) => parts.set({ timeOfImpact: checked }, null),
      traces: ({ checked }) => {
        options.traces = checked;
      },
      follow: ({ checked }) => {
        options.follow = checked;
      },
      field: ({ value }) => {
        options.show = value;
      },
    },
    keys: { o: () => page.toggle() },
  });
}
