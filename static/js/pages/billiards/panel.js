// The buttons, lists and switches of the billiards page.

/** @typedef {import("./billiards.js").Billiards} Billiards */

import { attachPanel } from "../../page/simulation-panel.js";
import { download, downloads } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import * as tables from "./table.js";

/** @param {Billiards} page @returns {() => void} detaches what lies outside the page's own elements */
export function attachBilliardsPanel(page) {
  const { player, options, beginning, display } = page;
  const csv = () => page.scene && download("billiards.csv", new Blob([page.scene.paths.csv(beginning.dt)], { type: "text/csv" }));
  const modules = () => ({ shot: page.source.artifact.shot, paths: page.source.artifact.paths });
  attachExport(display.find(".export"), "billiards", modules, (message) => display.notify(message));
  return attachPanel({
    find: (selector) => display.find(selector),
    refresh: () => page.refresh(),
    player,
    play: () => player.toggle(),
    seek: (step) => player.seek(step),
    actions: {
      ".optimise": () => page.optimise(),
      ".once": () => page.once(),
      ".remedy": () => page.remedy?.(),
      ".add": () => page.add(null),
      ".remove": () => page.edit((table) => tables.removeBall(table, table.target), null, "task"),
      ".best": () => page.startFromBest(),
      ".undo": () => page.undo(),
      ".redo": () => page.redo(),
      ".reset": () => page.reset(),
      ".share": () => page.link.share(),
      ".csv": csv,
      ...downloads("billiards", display.picture, () => page.scene),
    },
    changes: {
      rack: ({ value }) => page.edit((table) => tables.setRack(table, beginning.racks[value], beginning.cue), null, "task"),
      target: ({ value }) => page.choose(Number(value)),
      optimiser: ({ value }) => page.set({ optimiser: value }, null),
      cushions: ({ checked }) => page.set({ cushions: checked }, null),
      impact: ({ checked }) => page.set({ timeOfImpact: checked }, null),
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
    keys: { o: () => page.optimise() },
  });
}
