// The buttons, lists and switches of the page Learn.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../model/types.js").Lesson} Lesson */
/** @typedef {import("../../model/types.js").LessonBeginning} LessonBeginning */
/** @typedef {import("../../page/simulation-page.js").SimulationPage<Lesson>} Page */
/** @typedef {import("./lesson.js").Changes} Changes */
/** @typedef {import("./pupil.js").Pupil} Pupil */
/** @typedef {import("./scene.js").LearnScene} LearnScene */
/** @typedef {import("./training.js").Training} Training */
/** @typedef {import("./view.js").LearnView} LearnView */
/**
 * The parts and actions that the panel needs.
 * @typedef {object} PanelParts
 * @property {Page} page
 * @property {LearnView} display
 * @property {LessonBeginning} beginning
 * @property {Compiler} compiler
 * @property {Training} training
 * @property {{tests: boolean, label: number}} options `tests`: whether to show the test points; `label`: the class of
 *   a point that you add
 * @property {Lesson} lesson the present lesson
 * @property {Pupil} pupil the network that is being trained
 * @property {LearnScene | null} scene the scene that is shown
 * @property {() => void} once makes one step of the training
 * @property {() => void} again starts the training again from the seed
 * @property {(set: string) => void} setData chooses a set of data
 * @property {(changes: Changes, tag: string | null) => void} set changes settings
 * @property {(change: (lesson: Lesson) => Lesson) => void} shape changes the network's shape
 * @property {(change: (lesson: Lesson) => Lesson, tag: string | null) => void} edit changes the lesson; changes with the
 *   same tag are undone together
 * @property {(x: number, y: number) => void} addPoint adds a point with the class `options.label`
 */

import { attachControls } from "../../page/controls.js";
import { download, plotDownloads } from "../../widgets/downloads.js";
import { attachArchive } from "../../widgets/exports.js";
import * as texts from "./texts.js";
import * as lessons from "./lesson.js";
import { paintLearned, regionOf } from "./scene.js";
import { FASTEST } from "./training.js";

/** @param {PanelParts} learn @returns {() => void} removes the listeners outside the page's own elements */
export function attachLearnPanel(learn) {
  const { page, display, beginning, options, training } = learn;
  const find = (/** @type {string} */ selector) => display.find(selector);
  const sets = find("[name=set]");
  for (const name of lessons.setsOf(beginning)) sets.add(new Option(texts.LEARN_SETS[name], name));
  for (const name of beginning.activations) find("[name=activation]").add(new Option(name, name));
  for (const batch of lessons.BATCHES) find("[name=batch]").add(new Option(String(batch), String(batch)));
  attachArchive(find(".export"), () => trained(learn), (message) => display.notify(message));
  return attachControls({
    find,
    refresh: () => page.refresh(),
    actions: {
      ...page.actions,
      ".train": () => page.toggle(),
      ".once": () => learn.once(),
      ".again": () => learn.again(),
      ".layers-more": () => learn.shape((lesson) => lessons.changeLayers(lesson, beginning, 1)),
      ".layers-fewer": () => learn.shape((lesson) => lessons.changeLayers(lesson, beginning, -1)),
      ".new-seed": () => learn.set({ seed: (learn.lesson.seed + 1) % lessons.LARGEST_SEED }, null),
      ".add": () => learn.addPoint(Number(display.typed.get("x")), Number(display.typed.get("y"))),
      ".remove": () => learn.edit(lessons.removePoint, null),
      ...plotDownloads("learned", () => plotsOf(learn.scene), () => display.learned.palette),
      ".csv": () => download("data.csv", new Blob([csvOf(learn.scene)], { type: "text/csv" })),
    },
    changes: {
      set: ({ value }) => learn.setData(value),
      activation: ({ value }) => learn.shape((lesson) => lessons.adjust(lesson, { activation: value })),
      optimiser: ({ value }) => learn.shape((lesson) => lessons.adjust(lesson, { optimiser: value })),
      batch: ({ value }) => learn.set({ batch: Number(value) }, null),
      speed: ({ value }) => {
        training.perSecond = value === "fastest" ? FASTEST : Number(value);
      },
      tests: ({ checked }) => {
        options.tests = checked;
      },
      label: ({ value }) => {
        options.label = Number(value);
      },
    },
    keys: { p: () => page.toggle(), ".": () => learn.once(), r: () => learn.again() },
  });
}

/** Returns files with the trained network: a module, a script that calls the module, and a Python program.
 * @param {PanelParts} learn @returns {Promise<{name: string, files: Map<string, Uint8Array>, say: string} | null>} */
async function trained({ compiler, lesson, pupil }) {
  const { exportedFiles } = await import("../../engine/exporting.js");
  const answer = await compiler.compileTrained(lessons.trainedSpecOf(lesson), [...pupil.weights]);
  if (!("artifact" in answer)) throw new Error("Python did not answer.");
  const files = await exportedFiles({ network: answer.artifact.module });
  if (files === null) throw new Error("Python did not answer.");
  files.set("network.py", new TextEncoder().encode(answer.artifact.program));
  return { name: "network", files, say: texts.networkExported(files.size) };
}

/** @param {LearnScene | null} scene */
function plotsOf(scene) {
  if (scene === null) return [];
  const paint = (/** @type {any} */ pen, /** @type {any} */ frame, /** @type {any} */ inks) => paintLearned(pen, frame, inks, scene);
  return [{ region: regionOf(scene), paint }];
}

/** Writes the data as CSV. The row of an example begins with 0 for training or 1 for a test. The example's numbers follow, and
 * then its class if it has one. If the data are a line of text, the line is the only field.
 * @param {LearnScene | null} scene @returns {string} */
function csvOf(scene) {
  if (scene === null) return "";
  const { lesson, data: { examples, tests } } = scene;
  if (lesson.set === lessons.TEXT) return `"${lesson.line.replaceAll('"', '""')}"\n`;
  const rows = [examples, tests].flatMap(({ x, label, count }, isTest) =>
    x.slice(0, count).map((numbers, k) => [isTest, ...numbers, ...(label === undefined ? [] : [label[k]])].join(",")));
  return [...rows, ""].join("\n");
}
