// The buttons, lists and switches of the fit page, and tables that are pasted or dropped on it.

/** @typedef {import("../../page/simulation-page.js").SimulationPage<Doc>} Page */
/** @typedef {import("./doc.js").Beginning} Beginning */
/** @typedef {import("./doc.js").Datum} Datum */
/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("./fitter.js").Fitter} Fitter */
/** @typedef {import("./scene.js").FitScene} FitScene */
/** @typedef {import("./view.js").FitView} FitView */
/** @typedef {{confidence: boolean, prediction: boolean, absolute: boolean}} Options */
/**
 * The parts and actions that the panel needs.
 * @typedef {object} PanelParts
 * @property {Page} page
 * @property {FitView} display
 * @property {Beginning} beginning
 * @property {Options} options
 * @property {() => Fitter} fitter returns the kernels of the present formula
 * @property {() => Promise<Record<string, import("../../model/types.js").Module>>} exported returns the modules to export; they
 *   need no other modules
 * @property {() => FitScene} scene returns the scene that is shown
 * @property {() => number} chosen returns the number of the chosen point
 * @property {(k: number) => void} choose chooses point k
 * @property {() => void} add adds a point
 * @property {(k: number) => void} remove removes point k
 * @property {(change: (doc: Doc) => Doc, tag: string | null) => void} edit changes the document
 * @property {(text: string) => void} type replaces the formula
 * @property {(name: string) => void} setData replaces the points by a set of points
 * @property {(points: readonly Datum[], left: number) => void} take replaces the points by those of a table; `left` is the
 *   number of lines that could not be read
 * @property {() => void} search searches for new start parameters
 * @property {() => void} changed called when an option has changed
 * @property {(names: readonly [string, string]) => void} pair chooses the two parameters of the valley's picture
 */

import { attachControls } from "../../page/controls.js";
import { download, plotDownloads } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import { change } from "./doc.js";
import { readTable } from "./pasted.js";
import { paintPoints, paintResiduals, paintValley, residualRegion } from "./scene.js";
import { fitAsJson, fitAsPython, pointsAsCsv } from "./tables.js";
import * as texts from "./texts.js";

const LARGEST_FILE = 2_000_000;

/** @param {PanelParts} parts @returns {() => void} removes the listeners outside the page's own elements */
export function attachFitPanel(parts) {
  const { page, display, options, beginning, fitter, scene } = parts;
  attachExport(display.find(".export"), "fit", parts.exported, (message) => display.notify(message));
  fillLists(display, beginning);
  const detachTables = attachTables(parts);
  const option = (/** @type {keyof Options} */ name) => (/** @type {HTMLInputElement} */ { checked }) => {
    options[name] = checked;
    parts.changed();
  };
  const save = (/** @type {string} */ name, /** @type {string} */ type, /** @type {string} */ text) => download(name, new Blob([text], { type }));
  const pair = () => parts.pair([display.find("[name=across]").value, display.find("[name=up]").value]);
  const detach = attachControls({
    find: (selector) => display.find(selector),
    refresh: () => page.refresh(),
    actions: {
      ...page.actions,
      ".add": () => parts.add(),
      ".remove": () => parts.remove(parts.chosen()),
      ".search": () => parts.search(),
      ".take": () => takeText(parts, display.find("[name=table]").value),
      ...plotDownloads("fit", () => plotsOf(scene()), () => display.scatter.palette),
      ".csv": () => save("fit.csv", "text/csv", pointsAsCsv(scene().doc, scene().solution)),
      ".json": () => save("fit.json", "application/json", fitAsJson(fitter().names, scene().doc, scene().solution)),
      ".as-python": () => save("fit.py", "text/x-python", fitAsPython(fitter().names, scene().doc, scene().solution, options.absolute)),
    },
    changes: {
      set: ({ value }) => parts.setData(value),
      form: ({ value }) => {
        if (value !== "") parts.type(beginning.forms[value]);
      },
      chosen: ({ value }) => parts.choose(Number(value)),
      out: ({ checked }) => parts.edit((doc) => change(doc, parts.chosen(), ([x, y, sigma]) => [x, y, sigma, checked]), null),
      confidence: option("confidence"),
      prediction: option("prediction"),
      absolute: option("absolute"),
      across: pair,
      up: pair,
      file: (input) => takeFile(parts, input.files[0]),
    },
    keys: {},
  });
  return () => {
    detach();
    detachTables();
  };
}

/** @param {FitView} display @param {Beginning} beginning */
function fillLists(display, beginning) {
  const sets = display.find("[name=set]");
  for (const { name } of beginning.sets) sets.add(new Option(texts.dataSetName(name), name));
  sets.add(Object.assign(new Option(texts.RACKS.own, "own"), { hidden: true }));
  const forms = display.find("[name=form]");
  forms.add(new Option(texts.OWN_FORM, ""));
  for (const [name, text] of Object.entries(beginning.forms)) forms.add(new Option(`${texts.FORMS[name]}: ${text}`, name));
}

/** Reads tables that the visitor pastes anywhere except into a field, and files that the visitor drops on the page.
 * @param {PanelParts} parts @returns {() => void} */
function attachTables(parts) {
  const paste = (/** @type {ClipboardEvent} */ event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const [target] = event.composedPath();
    const isField = target instanceof HTMLElement && target.matches("input, textarea");
    if (isField || !text.includes("\n")) return;
    event.preventDefault();
    takeText(parts, text);
  };
  const over = (/** @type {DragEvent} */ event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  const drop = (/** @type {DragEvent} */ event) => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    takeFile(parts, file);
  };
  document.addEventListener("paste", paste);
  document.addEventListener("dragover", over);
  document.addEventListener("drop", drop);
  return () => {
    document.removeEventListener("paste", paste);
    document.removeEventListener("dragover", over);
    document.removeEventListener("drop", drop);
  };
}

/** @param {PanelParts} parts @param {File | undefined} file */
async function takeFile(parts, file) {
  if (file === undefined) return;
  if (file.size > LARGEST_FILE) parts.display.notify(texts.LARGE_FILE);
  else takeText(parts, await file.text());
}

/** @param {PanelParts} parts @param {string} text */
function takeText(parts, text) {
  const { points, left } = readTable(text);
  parts.take(points, left);
}

/** @param {FitScene} scene */
function plotsOf(scene) {
  const of = (/** @type {typeof paintPoints} */ paint) => (/** @type {any} */ pen, /** @type {any} */ frame, /** @type {any} */ palette) =>
    paint(pen, frame, palette, scene);
  const both = [{ region: scene.region, paint: of(paintPoints) }, { region: residualRegion(scene), paint: of(paintResiduals) }];
  return scene.valley === null ? both : [...both, { region: scene.valley.region, paint: of(paintValley) }];
}
