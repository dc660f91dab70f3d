// The sentences and words that the scripts of several pages show. Other files contain other texts. pages/NAME/texts.js: the
// texts of one page. formula-texts.js: texts about formulas. static/pages/texts.js: the texts of the pages' HTML. For a site in
// another language, translate all of these files. The site serves the translated files under the same names.

/** The language of the page, as a BCP 47 tag. */
export const LANGUAGE = "en";
/** The names of places that have fields. @type {Record<string, string>} */
export const PLACES = { cue: "Cue ball", velocity: "Velocity", goal: "Goal", target: "Target", mass: "Mass" };
export const NO_PRESETS = "The examples did not load. Reload the page to try again.";
export const COPIED = "Link copied";
/** @param {string} done a message @param {string | null} formula its formula if you are typing another one, else null */
export const insteadOfTyped = (done, formula) =>
  formula === null ? done : `${done.replace(/\.$/, "")}. The formula used is \u201c${formula}\u201d, because what you typed has not compiled.`;
export const NOT_COPIED = "The link is in the address bar";
export const DIED = "The compiler crashed on this formula and was restarted. Try another formula.";
export const EXPORTING = "Writing the files …";
export const NOT_EXPORTED = "Some of the needed files did not load, so nothing was written. Try again.";
/** @param {number} count */
export const exported = (count) => `${count} files in one archive: WebAssembly, JavaScript with types, and a page that uses both.`;
/** @param {number} share from 0 to 1 */
export const loading = (share) => `Python: ${Math.round(share * 100)} %`;
/** Why a shared link was not used. Each page adds reasons of its own. */
export const TOO_LONG = "That link is longer than any link of this site, so it was not used.";
export const OTHER_VERSION = "That link was made by another version of this page, so it was not used.";
export const DAMAGED = "That link is damaged, so it was not used.";
export const BAD_NUMBER = "A number in that link cannot be used, so the link was not used.";
export const THEMES = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" };
/** Says whether a module was compiled in this browser, and how long that took.
 * @param {string | null} ms the milliseconds that it took, or null for a module that was compiled during the build */
export const compiled = (ms) => (ms === null ? "compiled beforehand" : `compiled here in ${ms}\u00a0ms`);
export const NO_PYTHON_HERE = "Python did not load";
export const NO_PROGRAM = "The page did not load completely. Reload it to try again.";

// The foot of every page

export const EMBED_PAGE = "Embed this in your page";
export const EMBED_HOW = "Copy this into the HTML of your page. The frame shows what you see now, stores nothing, and needs none of your scripts.";
export const EMBED_ELEMENT_HOW = "Or copy these two lines. They show only the picture, without Python. The second line contains the compiled formula.";
export const REPORT = "Report a problem";
export const REPORT_HOW =
  "Copy this text. Add what you did, what happened and what you expected. Then open an issue where you found Eglantine. The last line contains everything that the page shows now, so read it before you publish.";
export const COPY = "Copy";
export const TEXT_COPIED = "Copied.";
export const TEXT_NOT_COPIED = "The browser did not allow copying. Select the text and press Ctrl+C.";
/** The beginning of a report about a problem. @param {string} version @param {string} address @param {string} browser */
export const reportOf = (version, address, browser) =>
  `What I did:\n\nWhat happened:\n\nWhat I expected:\n\nEglantine ${version}\n${browser}\n${address}`;

// Simulations, descents and points

export const RACKS = { four: "Four layers", two: "Two layers", line: "A line", cluster: "A cluster", own: "Your own" };
export const PAUSE = "Pause";
export const PLAY = "Play";
/** @param {number} step @param {number} steps @param {number} seconds */
export const clock = (step, steps, seconds) => `${seconds.toFixed(3)}\u00a0s \u00b7 ${step}/${steps}`;
/** The clock for a screen reader. @param {number} step @param {number} steps @param {number} seconds */
export const momentSpoken = (step, steps, seconds) => `${seconds.toFixed(3)}\u00a0seconds, step ${step} of ${steps}`;
export const TO_BEST = "Back to the best";
/** The place where Python found that numbers stop being finite. @param {import("./model/types.js").Located} trouble */
export const located = ({ step, end, where, reason, file, line }) => {
  const claim = where === "derivative" ? "The gradient is not finite" : "Not finite";
  const when = end ? "in the loss, after the last step" : `from step ${step + 1} on`;
  return reason === null ? `${claim} ${when}.` : `${claim} ${when}: ${reason} (${file}, line ${line}).`;
};
/** The cost of the table.
 * @param {string | null} ms @param {string} bytes @param {string} memory @param {string | null} call */
export const tableCost = (ms, bytes, memory, call) => {
  const time = call === null ? "" : ` \u00b7 ${call}\u00a0ms a\u00a0gradient`;
  return `${compiled(ms)} \u00b7 ${bytes} of WebAssembly \u00b7 ${memory} of memory${time}`;
};
export const NO_LOSSES = "The loss curve will appear here.";
/** @param {string} loss @param {number} iteration */
export const lossSpoken = (loss, iteration) => `Loss ${loss} after ${iteration} iterations.`;
export const AXES = { x: "x", y: "y", z: "z", along: "distance along the slice", slope: "slope", t: "time" };
/** @param {number} number from 1 */
export const pointName = (number) => String(number);
/** @param {number} number from 1 @param {number} count @param {string} x @param {string} y */
export const pointGripPlace = (number, count, x, y) => `Point ${number} of ${count} at x ${x}, y ${y}.`;
/** @param {number} most */
export const pointsFull = (most) => `You have ${most} points already, and this page allows no more.`;
export const HALF_RATE = "Half the step size";
