// The buttons, lists and switches of the robot page.

/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("../../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../../model/types.js").RobotSetting} RobotSetting */
/** @typedef {import("../../page/player.js").Player} Player */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<RobotDoc>} Page */
/** @typedef {import("./building.js").Workshop} Workshop */
/** @typedef {import("./grips.js").Found} Found */
/** @typedef {import("./scene.js").RobotScene} RobotScene */
/** @typedef {import("./view.js").RobotView} RobotView */
/**
 * The parts and actions that the panel needs.
 * @typedef {object} PanelParts
 * @property {Page} page
 * @property {RobotView} display
 * @property {Player} player
 * @property {Workshop} workshop
 * @property {() => RobotArtifact} artifact returns the robot's compiled modules
 * @property {() => RobotScene | null} scene returns the scene that is shown, or null
 * @property {(editing: boolean) => void} setEditing opens or closes the editor
 * @property {(name: string) => void} usePlan shows the robot of a plan
 * @property {() => void} keptGait gives the robot the trained weights of its plan
 * @property {() => void} startOver gives the robot random weights
 * @property {() => void} save saves the weights in a file
 * @property {(file: File) => void} load reads weights from a file
 * @property {(grip: Found) => void} choose selects a mass or a spring
 * @property {(changes: Partial<RobotSetting>, tag: string | null) => void} set changes settings
 */

import { attachPanel } from "../../page/simulation-panel.js";
import { download, downloads } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import * as building from "./building.js";

/** @param {PanelParts} parts @returns {() => void} removes the listeners outside the page's own elements */
export function attachRobotPanel(parts) {
  const { page, display, player, workshop, scene, setEditing } = parts;
  const { options, beginning } = workshop;
  const file = display.find("[name=file]");
  file.addEventListener("change", () => {
    if (file.files.length > 0) parts.load(file.files[0]);
    file.value = "";
  });
  const csv = () => {
    const shown = scene();
    if (shown !== null) download("robot.csv", new Blob([shown.motion.csv(beginning.dt)], { type: "text/csv" }));
  };
  const modules = () => ({ training: parts.artifact().training, motion: parts.artifact().motion });
  attachExport(display.find(".export"), "robot", modules, (message) => display.notify(message));
  return attachPanel({
    find: (selector) => display.find(selector),
    refresh: () => page.refresh(),
    player,
    play: () => {
      setEditing(false);
      page.hideHint();
      player.toggle();
    },
    seek: (step) => {
      setEditing(false);
      player.seek(step);
    },
    actions: {
      ...page.actions,
      ".train": () => page.toggle(),
      ".kept": () => parts.keptGait(),
      ".over": () => parts.startOver(),
      ".save": () => parts.save(),
      ".load": () => file.click(),
      ".edit": () => setEditing(!options.editing),
      ".add-mass": () => building.addMass(workshop, null),
      ".remove-mass": () => building.removeMass(workshop),
      ".join": () => {
        options.joining = !options.joining;
        page.refresh();
      },
      ".remove-spring": () => building.removeSpring(workshop),
      ".csv": csv,
      ...downloads("robot", display.picture, scene),
    },
    changes: {
      robot: ({ value }) => parts.usePlan(value),
      aim: ({ value }) => parts.set({ aim: value }, null),
      poses: ({ checked }) => {
        options.poses = checked;
      },
      mass: ({ value }) => parts.choose(Number(value)),
      spring: ({ value }) => parts.choose(`spring ${Number(value)}`),
      muscle: ({ checked }) => building.setMuscle(workshop, checked),
    },
    keys: {
      t: () => page.toggle(),
      e: () => setEditing(!options.editing),
      m: () => building.toggleMuscle(workshop),
      Delete: () => building.removeChosen(workshop),
      Backspace: () => building.removeChosen(workshop),
      Escape: () => {
        options.joining = false;
      },
    },
  });
}
