// The buttons, lists and switches of the robot page.

/** @typedef {import("./robot.js").Robot} Robot */

import { download } from "../widgets/downloads.js";

/** @param {Robot} page @returns {() => void} detaches what lies outside the page's own elements */
export function attachRobotPanel(page) {
  attachButtons(page);
  attachSwitches(page);
  const onHash = () => page.openLink();
  const onKey = (/** @type {KeyboardEvent} */ event) => shortcut(page, event);
  window.addEventListener("hashchange", onHash);
  document.addEventListener("keydown", onKey);
  return () => {
    window.removeEventListener("hashchange", onHash);
    document.removeEventListener("keydown", onKey);
  };
}

/** @param {Robot} page */
function attachButtons(page) {
  const { player, options, display: { picture } } = page;
  const file = page.display.find("[name=file]");
  const actions = /** @type {[string, () => void][]} */ ([
    [".play", () => play(page)],
    [".back", () => player.seek(player.step - 1)],
    [".forward", () => player.seek(player.step + 1)],
    [".train", () => page.train()],
    [".remedy", () => page.remedy?.()],
    [".kept", () => page.keptGait()],
    [".over", () => page.startOver()],
    [".save", () => page.saveWeights()],
    [".load", () => file.click()],
    [".edit", () => page.setEditing(!options.editing)],
    [".add-mass", () => page.addMass(null)],
    [".remove-mass", () => page.removeMass(options.mass)],
    [".join", () => {
      options.joining = !options.joining;
      page.refresh();
    }],
    [".remove-spring", () => page.removeSpring()],
    [".undo", () => page.undo()],
    [".redo", () => page.redo()],
    [".reset", () => page.reset()],
    [".share", () => page.share()],
    [".png", async () => page.scene && download("robot.png", await picture.png(page.scene))],
    [".svg", () => page.scene && download("robot.svg", new Blob([picture.svg(page.scene)], { type: "image/svg+xml" }))],
    [".csv", () => page.scene && download("robot.csv", new Blob([page.scene.motion.csv(page.beginning.dt)], { type: "text/csv" }))],
  ]);
  for (const [selector, action] of actions) page.display.find(selector).addEventListener("click", action);
  file.addEventListener("change", () => {
    if (file.files.length > 0) page.loadWeights(file.files[0]);
    file.value = "";
  });
}

/** @param {Robot} page */
function play(page) {
  page.setEditing(false);
  page.player.toggle();
}

/** @param {Robot} page */
function attachSwitches(page) {
  const { display, player, options } = page;
  const changes = /** @type {[string, (control: any) => void][]} */ ([
    ["robot", ({ value }) => page.usePlan(value)],
    ["aim", ({ value }) => page.set({ aim: value }, null)],
    ["poses", ({ checked }) => {
      options.poses = checked;
    }],
    ["mass", ({ value }) => page.choose(Number(value))],
    ["spring", ({ value }) => page.choose(`spring ${Number(value)}`)],
    ["muscle", ({ checked }) => page.setMuscle(checked)],
    ["speed", ({ value }) => player.setSpeed(Number(value))],
  ]);
  for (const [name, change] of changes) {
    const control = display.find(`[name=${name}]`);
    control.addEventListener("change", () => {
      change(control);
      page.refresh();
    });
  }
  const moment = display.find("[name=moment]");
  moment.addEventListener("input", () => {
    page.setEditing(false);
    player.seek(Number(moment.value));
  });
}

/** @param {Robot} page @param {KeyboardEvent} event */
function shortcut(page, event) {
  const { target } = event;
  const types = target instanceof HTMLInputElement && target.type === "text";
  if (types || target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
  const { player, options } = page;
  if (event.key === "p") play(page);
  else if (event.key === ",") player.seek(player.step - 1);
  else if (event.key === ".") player.seek(player.step + 1);
  else if (event.key === "t") page.train();
  else if (event.key === "e") page.setEditing(!options.editing);
  else if (event.key === "Escape" && options.joining) options.joining = false;
  else return;
  page.refresh();
  event.preventDefault();
}
