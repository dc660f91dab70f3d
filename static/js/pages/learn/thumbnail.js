// The page Learn's small picture: two moons, and the answers of a network that has learned them.

/** @typedef {import("../../widgets/thumbnail.js").Thumbnail} Thumbnail */

import { loadDigits, loadLesson } from "../../engine/presets.js";
import { PlotFrame } from "../../model/plot-frame.js";
import { readInks } from "../../widgets/palette.js";
import { Data } from "./data.js";
import { firstLesson } from "./lesson.js";
import { Pupil } from "./pupil.js";
import { paintLearned, regionOf } from "./scene.js";

const STEPS = 600;

/** @param {Record<string, string>} manifest @returns {Promise<Thumbnail>} */
export async function thumbnail(manifest) {
  const { beginning, artifact, points, waves } = await loadLesson(manifest);
  const lesson = firstLesson(beginning);
  const data = new Data(beginning, points, waves, () => loadDigits(manifest)).of(lesson);
  const pupil = new Pupil(artifact.network);
  pupil.begin(lesson.seed, data, lesson);
  pupil.learn(STEPS, lesson.seed, data, lesson);
  const { seen, weights } = pupil;
  if (seen === null) throw new Error("The network has not begun.");
  const scene = { lesson, beginning, data, seen, weights, tests: false };
  return (ctx, widthPx, heightPx) => {
    const margins = { left: 26, right: 14, top: 22, bottom: 34 };
    paintLearned(ctx, new PlotFrame(regionOf(scene), widthPx, heightPx, margins), readInks(ctx.canvas), scene);
  };
}
