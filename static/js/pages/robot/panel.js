// The buttons, lists and switches of the robot page.

/** @typedef {import("./robot.js").Robot} Robot */

import { attachPanel } from "../../page/simulation-panel.js";
import { download, downloads } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import * as building from "./building.js";
import { loadWeights, saveWeights } from "./saved-weights.js";

/** @param {Robot} page @returns {() => void} detaches what lies outside the page's own elements */
export function attachRobotPanel(page) {
  const { player, options, display } = page;
  const file = display.find("[name=file]");
  file.addEventListener("change", () => {
    if (file.files.length > 0) loadWeights(page, file.files[0]);
    file.value = "";
  });
  const csv = () => page.scene && download("robot.csv", new Blob([page.scene.motion.csv(page.beginning.dt)], { type: "text/csv" }));
  const modules = () => ({ training: page.source.artifact.training, motion: page.source.artifact.motion });
  attachExport(display.find(".export"), "robot", modules, (message) => display.notify(message));
  return attachPanel({
    find: (selector) => display.find(selector),
    refresh: () => page.refresh(),
    player,
    play: () => {
      page.setEditing(false);
      page.hideHint();
      player.toggle();
    },
    seek: (step) => {
      page.setEditing(false);
      player.seek(step);
    },
    actions: {
      ".train": () => page.train(),
      ".remedy": () => page.remedy?.(),
      ".kept": () => page.keptGait(),
      ".over": () => page.startOver(),
      ".save": () => saveWeights(page),
      ".load": () => file.click(),
      ".edit": () => page.setEditing(!options.editing),
      ".add-mass": () => building.addMass(page, null),
      ".remove-mass": () => building.removeMass(page),
      ".join": () => {
        options.joining = !options.joining;
        page.refresh();
      },
      ".remove-spring": () => building.removeSpring(page),
      ".undo": () => page.undo(),
      ".redo": () => page.redo(),
      ".reset": () => page.reset(),
      ".share": () => page.link.share(),
      ".csv": csv,
      ...downloads("robot", display.picture, () => page.scene),
    },
    changes: {
      robot: ({ value }) => page.usePlan(value),
      aim: ({ value }) => page.set({ aim: value }, null),
      poses: ({ checked }) => {
        options.poses = checked;
      },
      mass: ({ value }) => page.choose(Number(value)),
      spring: ({ value }) => page.choose(`spring ${Number(value)}`),
      muscle: ({ checked }) => building.setMuscle(page, checked),
    },
    keys: {
      t: () => page.train(),
      e: () => page.setEditing(!options.editing),
      m: () => building.toggleMuscle(page),
      Delete: () => building.removeChosen(page),
      Backspace: () => building.removeChosen(page),
      Escape: () => {
        options.joining = false;
      },
    },
  });
}
