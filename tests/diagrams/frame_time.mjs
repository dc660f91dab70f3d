// Prints how many milliseconds the solver gets in a frame: before any drawing, and after drawings of some lengths.

import { FrameTime } from "../../static/js/pages/diagrams/frame-time.js";

let now = 0;
globalThis.performance = { now: () => now };
const time = new FrameTime();

/** Draws for some milliseconds. @param {number} ms @param {boolean} hasTexts */
const draw = (ms, hasTexts) => time.measure(() => {
  now += ms;
  return hasTexts;
});

const first = time.left("plain");
for (const ms of [3, 3, 100, 3, 3]) draw(ms, false);
const [plain, unknown] = [time.left("plain"), time.left("texts")];
draw(50, true);
process.stdout.write(JSON.stringify({ first, plain, unknown, slow: time.left("texts") }));
