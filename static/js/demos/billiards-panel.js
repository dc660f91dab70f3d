// The buttons, lists and switches of the billiards page.

/** @typedef {import("./billiards.js").Billiards} Billiards */
/** @typedef {import("../model/types.js").Optimiser} Optimiser */

import * as tables from "../model/table.js";
import { download } from "../widgets/downloads.js";
import * as texts from "../texts.js";

/** @param {Billiards} page @returns {() => void} detaches what lies outside the page's own elements */
export function attachPanel(page) {
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

/** @param {Billiards} page */
function attachButtons(page) {
  const { player, display: { picture } } = page;
  const actions = /** @type {[string, () => void][]} */ ([
    [".play", () => player.toggle()],
    [".back", () => player.seek(player.step - 1)],
    [".forward", () => player.seek(player.step + 1)],
    [".optimise", () => page.optimise()],
    [".once", () => page.once()],
    [".remedy", () => page.remedy?.()],
    [".add", () => page.add(null)],
    [".remove", () => page.edit((table) => tables.removeBall(table, table.target), null, "task")],
    [".best", () => page.startFromBest()],
    [".undo", () => page.undo()],
    [".redo", () => page.redo()],
    [".reset", () => page.reset()],
    [".share", () => page.share()],
    [".png", async () => page.scene && download("billiards.png", await picture.png(page.scene))],
    [".svg", () => page.scene && download("billiards.svg", new Blob([picture.svg(page.scene)], { type: "image/svg+xml" }))],
    [".csv", () => page.scene && download("billiards.csv", new Blob([page.scene.paths.csv(page.beginning.dt)], { type: "text/csv" }))],
  ]);
  for (const [selector, action] of actions) page.display.find(selector).addEventListener("click", action);
}

/** @param {Billiards} page */
function attachSwitches(page) {
  const { display, player, options, beginning } = page;
  const racks = display.find("[name=rack]");
  for (const name of /** @type {(keyof typeof texts.RACKS)[]} */ ([...Object.keys(beginning.racks), "own"])) {
    racks.add(Object.assign(new Option(texts.RACKS[name], name), { hidden: name === "own" }));
  }
  const changes = /** @type {[string, (control: any) => void][]} */ ([
    ["rack", ({ value }) => page.edit((table) => tables.setRack(table, beginning.racks[value]), null, "task")],
    ["target", ({ value }) => page.choose(Number(value))],
    ["optimiser", ({ value }) => page.set({ optimiser: /** @type {Optimiser} */ (value) }, null)],
    ["cushions", ({ checked }) => page.set({ cushions: checked }, null)],
    ["impact", ({ checked }) => page.set({ timeOfImpact: checked }, null)],
    ["traces", ({ checked }) => {
      options.traces = checked;
    }],
    ["follow", ({ checked }) => {
      options.follow = checked;
    }],
    ["field", ({ value }) => {
      options.show = value;
    }],
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
  moment.addEventListener("input", () => player.seek(Number(moment.value)));
}

/** @param {Billiards} page @param {KeyboardEvent} event */
function shortcut(page, event) {
  const { target } = event;
  const types = target instanceof HTMLInputElement && target.type === "text";
  if (types || target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
  const { player } = page;
  if (event.key === "p") player.toggle();
  else if (event.key === ",") player.seek(player.step - 1);
  else if (event.key === ".") player.seek(player.step + 1);
  else if (event.key === "o") page.optimise();
  else return;
  event.preventDefault();
}
