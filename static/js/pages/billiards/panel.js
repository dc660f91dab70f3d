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
 * The parts and actions that the panel needs.
 * @typedef {object} PanelParts
 * @property {Page} page
 * @property {BilliardsView} display
 * @property {Player} player
 * @property {Beginning} beginning
 * @property {Options} options
 * @property {Pick<TableHands, "edit" | "choose">} hands
 * @property {() => TableArtifact} artifact - the artifact in use
 * @property {() => TableScene | null} scene - the scene that is shown
 * @property {(at: Point | null) => void} add
 * @property {() => void} once
 * @property {() => void} startFromBest
 * @property {(changes: Partial<TableSetting>, tag: string | null) => void} set
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
