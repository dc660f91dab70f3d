// Every sentence and word that the pages' scripts show. The words of the pages' HTML are in static/pages/texts.js.
// For another language, translate both files: a site in that language serves its own texts under these names.

/** The language of the page, as a BCP 47 tag. */
export const LANGUAGE = "en";

/** The names of places that have fields. @type {Record<string, string>} */
export const PLACES = { cue: "Cue ball", velocity: "Velocity", goal: "Goal", target: "Target", mass: "Mass" };
/** The name of the playground's editor. */
export const PROGRAM = "Program";

/** The formulas of app/formulas/examples.py by id: the title, and a sentence about what to try. */
export const EXAMPLES = /** @type {Record<string, {title: string, note: string}>} */ ({
  power: {
    title: "Power",
    note: "Drag towards larger x and y, and both slopes grow. Along x = 1 the height does not depend on y.",
  },
  saddle: {
    title: "Saddle",
    note: "This surface is quadratic already, so the disc lies in it wherever you drag the point.",
  },
  "quadratic-form": {
    title: "Quadratic form",
    note: "Minimum, maximum or saddle? The signs of the two eigenvalues decide.",
  },
  "monkey-saddle": {
    title: "Monkey saddle",
    note: "Three valleys meet at the origin. Set x and y to 0: the disc is flat there, but the surface is not.",
  },
  ripples: {
    title: "Ripples",
    note: "Increase k to make the waves shorter. Then the disc leaves the surface sooner.",
  },
  hills: {
    title: "Hills",
    note: "The green arrow points uphill. Drag the point that way until the arrow vanishes: there is a top.",
  },
  rosenbrock: {
    title: "Rosenbrock’s valley",
    note: "The arrow points across the valley, not along it. The lowest point is at (1, 1).",
  },
  himmelblau: {
    title: "Himmelblau’s bowls",
    note: "The surface has four minima, all of height 0. One of them is at (3, 2).",
  },
  ridge: {
    title: "Ridge",
    note: "The height stays the same along the ridge and changes only across it.",
  },
  "egg-crate": {
    title: "Egg crate",
    note: "Drag the point from a top to a bottom and watch the disc change from a dome into a bowl.",
  },
  "half-sphere": {
    title: "Half a sphere",
    note: "The formula is not defined outside the circle. Near the circle the slopes grow without bound.",
  },
  logarithm: {
    title: "Two sheets",
    note: "The formula is defined only where x and y have the same sign, so the surface has two parts.",
  },
  peano: {
    title: "Peano’s surface",
    note: "On every straight line through the origin, the origin is a maximum. Yet the surface has no maximum there.",
  },
  roof: {
    title: "Roof",
    note: "The roof has a sharp edge. The disc follows only the side that the point is on.",
  },
  stairs: {
    title: "Spiral stairs",
    note: "The surface has a cut along the negative x-axis. Across it the angle jumps by a full turn.",
  },
});
export const OWN_FORMULA = "Your formula";
export const QUIET_NOTE = "Type x, y and functions such as sin, exp, log, sqrt.";
export const NO_PYTHON = "Python did not load, so you cannot edit formulas. You can still use the examples.";
export const NO_PRESETS = "The examples did not load. Reload the page to try again.";
export const COPIED = "Link copied";
/** @param {string} done a message @param {string | null} formula its formula if you are typing another one, else null */
export const insteadOfTyped = (done, formula) =>
  formula === null ? done : `${done.replace(/\.$/, "")}. The formula in it is \u201c${formula}\u201d, because what you typed has not compiled.`;
export const NOT_COPIED = "The link is in the address bar";
export const SLOW = "This formula took more than 2 seconds to compile, so the page gave up. Try a shorter one.";
export const DIED = "The compiler crashed on this formula and was restarted. Try another one.";
export const BROKEN_MODULE = "This browser refused the compiled module. Try another formula.";

export const PLOT_TROUBLE = {
  module: "The file named by src holds no formula. Use the one that Quadratic’s “Embed” gives you.",
};
/** @param {string} formula */
export const plotWithout = (formula) => `${formula} needs a src that names its module. Quadratic’s “Embed” gives you one.`;
/** @param {string} source */
export const plotMissing = (source) => `The formula’s module did not load from ${source}.`;
/** @param {string} formula @param {string} compiled */
export const plotOther = (formula, compiled) => `The module computes ${compiled}, not ${formula}. Embed it again from Quadratic.`;
export const EXPORTING = "Writing the files …";
export const NOT_EXPORTED = "Some of the needed files did not load, so nothing was written. Try again.";
export const EMBEDDED = "<eglantine-plot> needs only eglantine-plot.js and formula.wasm. The file plot.html shows how to use them.";
/** @param {number} count */
export const exported = (count) => `${count} files in one archive: WebAssembly, JavaScript, its types, and a page that uses them.`;

/** @param {number} share from 0 to 1 */
export const loading = (share) => `Python: ${Math.round(share * 100)} %`;
/** @param {readonly string[]} letters */
const listed = (letters) => `${letters.slice(0, -1).join(", ")} and ${letters.at(-1)}`;
/** @param {readonly string[]} letters */
export const freeLetters = (letters) => (letters.length === 1 ? `${letters[0]} has no value yet.` : `${listed(letters)} have no values yet.`);
/** @param {readonly string[]} letters */
export const addSliders = (letters) => (letters.length === 1 ? `Add a slider for ${letters[0]}` : `Add sliders for ${listed(letters)}`);
export const SLIDER_RANGE = "Range";
export const SLIDER_PLAY = "Play";
export const SLIDER_PAUSE = "Pause";
/** @param {string} name */
export const sliderRangeLabel = (name) => `range of ${name}`;
/** @param {string} name @param {boolean} plays */
export const sliderPlayLabel = (name, plays) => (plays ? `pause ${name}` : `play ${name}`);
export const SLIDER_FIELDS = { min: "from", max: "to", step: "step", speed: "speed" };
/** @param {string} name @param {string} field */
export const sliderFieldLabel = (name, field) => `${field} of ${name}`;
/** @param {string} suggestion */
export const useInstead = (suggestion) => `Use ${suggestion}`;
/** @param {number} column from 0 @param {string} message */
export const atColumn = (column, message) => `Column ${column + 1}: ${message.replaceAll(/`([^`]*)`/g, "\u201c$1\u201d")}`;
/** @param {string} title */
export const surfaceLabel = (title) =>
  `Surface z = ${title} with its quadratic approximation. Arrow keys turn it, plus and minus zoom.`;
/** @param {string} formula */
export const curveLabel = (formula) =>
  `Curve y = ${formula} with its tangent and the parabola that touches it. Arrow keys move it, plus and minus zoom.`;
/** The place of a curve's point. @param {string} x @param {string} f */
export const curvePointPlace = (x, f) => `Point at x ${x}, where f is ${f}.`;
/** @param {string} place */
export const curvePointLabel = (place) => `${place} Left and right move it. Home puts it back.`;
/** The place of a surface's point. @param {string} x @param {string} y @param {string} f */
export const pointPlace = (x, y, f) => `Point at x ${x}, y ${y}, where f is ${f}.`;
/** @param {string} place */
export const pointLabel = (place) => `${place} Arrow keys move it. Home puts it back.`;
/** @param {string} title */
export const mapLabel = (title) => `Contour map of z = ${title}, seen from above. Arrow keys move the region, plus and minus zoom.`;
/** @param {string} angle */
export const sliceGripLabel = (angle) => `Direction of the slice, ${angle} degrees. Arrow keys turn it.`;
/** The curvature along the slice. @param {string} slope @param {string} bend */
export const sliceNumbers = (slope, bend) => `Along the slice: slope ${slope}, second derivative ${bend}.`;
/** The kinds of critical points. */
export const CRITICAL_KINDS = { minimum: "minimum", maximum: "maximum", saddle: "saddle point", undecided: "slope 0, kind open" };
/** @param {string} kind @param {string} x @param {string} y @param {string} f */
export const criticalPoint = (kind, x, y, f) => `${kind} at (${x}, ${y}), height ${f}`;
export const NO_CRITICAL = "No critical point was found in this region.";
export const CRITICAL_COMING = "The search for critical points begins once Python has loaded.";
/** @param {number} count of places */
export const criticalCurve = (count) => `The searches ended at ${count} places of slope 0 that perhaps lie on whole curves.`;
/** @param {number} count */
export const criticalMore = (count) => `There are ${count} more.`;
/** How a descent ends, after a number of steps. */
export const DESCENT_ENDS = /** @type {Record<string, (steps: number) => string>} */ ({
  arrived: (steps) => (steps === 0 ? "The descent cannot begin, because the slope is 0 here." : `The descent arrives after ${steps} steps, where the slope is 0.`),
  left: (steps) => `The descent leaves the region after ${steps} steps.`,
  edge: (steps) => `The descent ends after ${steps} steps, at a kink or at an edge of the surface.`,
  running: (steps) => `After ${steps} steps the descent is still on its way.`,
});
/** @param {string} error */
export const largestError = (error) => `Inside the disc, the approximation is off by at most ${error}.`;
/** The name of a view that was just saved. @param {number} number */
export const newView = (number) => `View ${number}`;
export const SHOW_VIEW = "Show";
/** @param {string} name */
export const showView = (name) => `Show ${name}`;
/** @param {number} number */
export const viewName = (number) => `Name of view ${number}`;
/** @param {string} name */
export const moveViewUp = (name) => `Move ${name} up`;
/** @param {string} name */
export const moveViewDown = (name) => `Move ${name} down`;
/** @param {string} name */
export const removeView = (name) => `Remove ${name}`;
export const LECTURE_FULL = "The saved views fill a whole link already, so this one was not added. Remove another one first.";
/** What a presentation says above the picture. @param {string} name of the view @param {string} formula */
export const caption = (name, formula) => (name === "" ? `z = ${formula}` : `${name}: z = ${formula}`);
/** @param {number} number @param {number} count */
export const viewCount = (number, count) => `${number} of ${count}`;
/** @param {string} formula */
export const figureTitle = (formula) => `z = ${formula}`;
export const POINT_ROLE = "draggable point";
/** @param {string} name */
export const sliderLabel = (name) => `parameter ${name}`;
/** @param {string} name */
export const sliderNumberLabel = (name) => `parameter ${name}, as a number`;

const TOO_LONG = "That link is too long to be one of ours, so it was not used.";
const OTHER_VERSION = "That link was made by another version of this page, so it was not used.";
const DAMAGED = "That link is damaged, so it was not used.";
const BAD_NUMBER = "A number in that link cannot be used, so the link was not used.";
/** Why a shared link was not used. */
export const REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  formula: "The formula in that link cannot be shown, so the link was not used.",
  number: BAD_NUMBER,
  region: "The region in that link is empty, so the link was not used.",
  preset: "That link names an example this page does not have, so it was not used.",
  saved: "The saved views in that link cannot be shown, so the link was not used.",
};

export const THEMES = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

/** The curvature of a surface at a point. */
export const SHAPES = {
  up: "The surface curves upwards in every direction.",
  down: "The surface curves downwards in every direction.",
  saddle: "The surface curves up one way and down the other.",
  "up-flat": "The surface curves up one way and not the other.",
  "down-flat": "The surface curves down one way and not the other.",
  flat: "The surface does not curve here.",
  undefined: "No curvature is defined here.",
};
export const KINDS = {
  minimum: "This is a minimum.",
  maximum: "This is a maximum.",
  saddle: "This is a saddle point.",
  undecided: "The slope is 0. Second derivatives leave the kind of point open.",
};
/** @param {string} kind @param {string} shape */
export const stationary = (kind, shape) => `${kind} ${shape}`;
/** @param {string} shape @param {string} slope */
export const sloping = (shape, slope) => `The slope is ${slope}, not 0. ${shape}`;
export const NO_SLOPE = "No slope is defined at this point.";
/** Why there are no derivatives at a point, or null if there are. @param {number} f its value there */
export const noDerivatives = (f) =>
  Number.isFinite(f) ? null : `f is ${Number.isNaN(f) ? "not defined" : "infinite"} at this point, so it has no slope and no curvature here.`;

/** @param {string | null} ms null for a module that was compiled during the build */
const compiled = (ms) => (ms === null ? "compiled beforehand" : `compiled here in ${ms}\u00a0ms`);
/** The cost of the last edit.
 * @param {string | null} ms @param {string} bytes @param {string | null} callMicroseconds */
export const cost = (ms, bytes, callMicroseconds) => {
  const call = callMicroseconds === null ? "" : ` · ${callMicroseconds}\u00a0µs a\u00a0call`;
  return `${compiled(ms)} · ${bytes} of WebAssembly${call}`;
};

/** The small print while Python has not loaded yet. @param {string | null} callMicroseconds */
export const interpreted = (callMicroseconds) => {
  const call = callMicroseconds === null ? "" : ` · ${callMicroseconds}\u00a0µs a\u00a0call`;
  return `first tier: your formula is interpreted until Python has compiled it${call}`;
};

const ENTRIES = /** @type {Record<string, string>} */ ({ f: "f", fx: "∂f/∂x", fy: "∂f/∂y", fxx: "∂²f/∂x²", fxy: "∂²f/∂x∂y", fyy: "∂²f/∂y²", df: "df" });
/** @param {string} entry @param {"value" | "slope" | "cotangent" | "tangent" | undefined} part */
const wrongNumber = (entry, part) => {
  if (part === undefined) return ENTRIES[entry];
  return { value: entry, slope: `A slope of ${entry}`, cotangent: `The cotangent of ${entry}`, tangent: `The tangent of ${entry}` }[part];
};
/** The badge's text before the first verdict. */
export const NOT_CHECKED = "These numbers will be checked once Python has loaded.";
/** The badge's text for a verdict, with the reason. @param {import("./model/types.js").Verdict} verdict */
export const badge = (verdict) => {
  const equal = `The interpreter gives the same bits${verdict.count === undefined ? "" : ` for all ${verdict.count} numbers`}`;
  switch (verdict.state) {
    case "agree": {
      const within = verdict.within === 0 ? "exactly" : `to ${verdict.within.toExponential(0).replace("-", "\u2212")} of their size`;
      return { mark: "checked ✓", detail: ` ${equal}. Finite differences ${verdict.count === undefined ? "agree" : "agree with the result’s slopes"} ${within}.` };
    }
    case "differ": {
      const by = verdict.by === "interpreter" ? "the interpreter gives" : "finite differences give";
      return { mark: "wrong ✗", detail: ` ${wrongNumber(verdict.entry, verdict.part)} is ${verdict.shown} but ${by} ${verdict.expected}. Do not trust it.` };
    }
    case "undefined":
      return { mark: "not defined here", detail: ` ${equal}. There is nothing to differentiate.` };
    case "singular":
      return { mark: "not differentiable here", detail: ` ${ENTRIES[verdict.entry]} is not finite. ${equal}.` };
    case "kink":
      return { mark: "not differentiable here", detail: ` ${ENTRIES[verdict.entry]} has a kink or a jump, so the page shows one side’s value. ${equal}.` };
    case "edge":
      return { mark: "half checked", detail: ` ${equal}, but the formula has no value on one side, so finite differences cannot check it.` };
    default:
      return { mark: "half checked", detail: ` ${equal}, but the surface bends too sharply for finite differences.` };
  }
};

/** Row names of the table for assistive technology. */
export const ROWS = {
  f: "f",
  fx: "df by dx",
  fy: "df by dy",
  fxx: "second derivative, x twice",
  fxy: "second derivative, x and y",
  fyy: "second derivative, y twice",
};
/** Shown in place of a derivative's formula. */
export const LONG_FORMULA = "too long to show";
export const GROUPS = { f: "f", g: "∇f", h: "H" };

// The foot of every page

export const EMBED_PAGE = "Embed this in your page";
export const EMBED_HOW = "Copy this into the HTML of your page. The frame shows what you see now, stores nothing, and needs no script of yours.";
export const EMBED_ELEMENT_HOW = "Or copy these two lines: the picture alone, without Python. The formula’s compiled code is in the second line.";
export const REPORT = "Report a problem";
export const REPORT_HOW =
  "Copy this, add what you did, what happened and what you expected, and open an issue where you found Eglantine. The last line holds what the page shows now, so look at it first.";
export const COPY = "Copy";
export const TEXT_COPIED = "Copied.";
export const TEXT_NOT_COPIED = "The browser did not allow that. Select the text and copy it with Ctrl+C.";
/** What a report about a problem begins with. @param {string} version @param {string} address @param {string} browser */
export const reportOf = (version, address, browser) =>
  `What I did:\n\nWhat happened:\n\nWhat I expected:\n\nEglantine ${version}\n${browser}\n${address}`;

// Playground

/** The programs in static/programs. The page begins with the first. @type {Record<string, string>} */
export const PROGRAMS = {
  power: "A power and a sine",
  newton: "Newton’s method",
  billiards: "A shot of billiards",
  pendulum: "A pendulum",
  network: "A neural network",
  maxout: "A network that learns by eg.stepper",
  mandelbrot: "Mandelbrot’s set",
  fixed_point: "An implicit function",
  digits: "Fifty digits",
};
/** Words for the compiler's passes. @type {Record<string, string>} */
export const STAGES = {
  traced: "traced",
  derivative: "derivative",
  "calls in place": "inlined",
  "lowered and pruned": "lowered",
  "loops joined": "joined",
  "sums in arms": "sums moved",
};
/** @type {Record<string, string>} */
export const DERIVATIVE_KINDS = {
  value: "its value",
  gradient: "its gradient",
  value_and_grad: "value and gradient",
  hessian: "its Hessian",
  jacobian: "its Jacobian",
};
export const PYTHON_READY = "Python is ready";
export const NO_PYTHON_HERE = "Python did not load";
export const NO_PYTHON_TO_RUN = "Python did not load, so the program cannot run. Press “Try again” above, then Run.";
/** @param {string} name of a package */
export const loadingPackage = (name) => `Loading ${name}…`;
export const NO_PROGRAM = "The page did not load completely. Reload it to try again.";
/** The label of the frames with a program's pictures. */
export const PICTURES_SHOWN = "What the program shows";
export const PICTURE_LOST = "A function in this picture did not end, so the page removed the picture.";
export const YOUR_PROGRAM = "Your program";
/** @param {string} name of a file */
export const openedFile = (name) => `Opened ${name}. Read it before you press Run, if somebody else wrote it.`;
/** @param {string} name of a file */
export const notOpened = (name) => `${name} is too long for a program, or is no text.`;
export const OWN_PROGRAM = "Your earlier program";
export const FROM_LINK = "This program came by a link. Read it before you press Run.";
export const PROGRAM_TOO_LONG = "The program does not fit into a link. It has more than 20,000 characters, or a character that is not valid.";
/** Why a shared program was not used. */
export const PROGRAM_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  program: "The program in that link has characters that cannot be shown, so it was not used.",
};
/** Why a program's results are lost. @type {Record<"slow" | "loading" | "died" | "stopped", (seconds: number) => string>} */
export const LOST = {
  slow: (seconds) => `Stopped${seconds > 0 ? ` after ${seconds}\u00a0s` : ": it took too long"}. Your program is still here.`,
  loading: () => "Loading packages took longer than 60\u00a0s. Your program is still here.",
  died: () => "Python crashed and was restarted. Your program is still here.",
  stopped: () => "Stopped. Your program is still here.",
};
/** Why a block of the documentation has no result. */
export const BLOCK_LOST = {
  slow: "Stopped, because it took too long.",
  loading: "Stopped, because loading took too long.",
  died: "Python crashed. Press Run to try again.",
  stopped: "Stopped.",
};
export const RAN_INTO_ERROR = "Ran into an error.";
export const SAME_OUTPUT = "The output is the same as here.";
/** @param {number} ms */
export const ranHere = (ms) => `Ran in this page in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms.`;
export const NO_INDEX = "The search did not load. Type again to retry.";
/** @param {string} query */
export const nothingFound = (query) => `Nothing here mentions all of “${query}”.`;
/** @param {number} count */
export const sectionsFound = (count) => (count === 1 ? "One section" : `${count} sections`);
/** What Stop does after the program has ended. */
export const STOP_LEFT = "The program has ended. Stop also ends whatever it left running, and clears what it defined.";
/** @param {number} line */
export const lineOf = (line) => `Line ${line}`;
/** @param {number} line @param {string} name */
export const calledAt = (line, name) => `called in line ${line}${name === "<module>" ? "" : `, ${name}`}`;
/** Shown beside a call that occurs several times in a row in an error's list of calls. */
export const AGAIN = "again and again";
/** @param {number} ms @param {number} count of functions */
export const ranIn = (ms, count) => {
  const remark = count === 0 ? "The program defined no function with @eg.fn, so there is nothing to show." : "";
  return `Ran in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms. ${remark}`;
};
/** @param {number} count negative if unknown */
export const moreLines = (count) => (count < 0 ? "… more lines" : `… ${count.toLocaleString(LANGUAGE)} more lines`);
/** @param {number} count */
export const moreBytes = (count) => `… ${count.toLocaleString(LANGUAGE)} more bytes`;
/** @param {string} name @param {number} lines */
export const foldedFunction = (name, lines) => `  (func ${name} … ${lines} lines of the library)`;
/** @param {string} name @param {string} type */
export const argumentLabel = (name, type) => `${name}, ${type}`;
/** The number of lit lines. @param {number} own rows @param {number} derived rows @param {number} instructions */
export const litLines = (own, derived, instructions) =>
  `${own} ${own === 1 ? "row" : "rows"}, ${derived} more for derivatives, ${instructions} ${instructions === 1 ? "instruction" : "instructions"}`;
/** @param {number} ms @param {number} bytes @param {number | null} us */
export const playgroundCost = (ms, bytes, us) => {
  const call = us === null ? "" : ` \u00b7 ${us < 10 ? us.toPrecision(2) : Math.round(us)}\u00a0µs a\u00a0call`;
  return `compiled in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms \u00b7 ${bytes.toLocaleString(LANGUAGE)} bytes${call}`;
};

// Billiards

export const RACKS = { four: "Four layers", two: "Two layers", line: "A line", cluster: "A cluster", own: "Your own" };
export const PAUSE = "Pause";
export const PLAY = "Play";
export const OPTIMISE = "Optimise";
export const NO_TABLE = "The table did not load. Reload the page to try again.";
export const NO_PYTHON_TABLE = "Python did not load, so you can play only with this number of balls and these walls.";
export const WAITING = "The new table compiles once Python has loaded";
export const COMPILING = "Compiling the table";
export const LOOKING = "Searching for the best place";
export const NO_BEST = "With this velocity the cue ball cannot reach the target from any place on the table. Change the velocity or the target.";
export const DESCENT_AGAIN = "The optimiser crashed and was restarted. It can continue from here.";
export const NO_DESCENT = "The optimiser stopped. Reload the page to start it again.";
export const TABLE_SLOW = "This table took more than 20 seconds to compile, so the page went back to the one before.";
/** @param {number} most */
export const tableFull = (most) => `There are already ${most} balls, the most that this page can take.`;
/** @param {number | string} grip @param {string} x @param {string} y @param {boolean} isTarget */
export const gripPlace = (grip, x, y, isTarget) => {
  const name = { goal: "Goal", tip: "Tip of the cue ball\u2019s velocity", cue: "Cue ball" }[grip] ?? `Ball ${grip}`;
  return `${name}${isTarget ? ", the target," : ""} at x ${x}, y ${y}.`;
};
/** @param {number | string} grip */
export const gripKeys = (grip) =>
  typeof grip === "number" ? "Arrow keys move it. Enter makes it the target. Delete removes it." : "Arrow keys move it.";
/** @param {number} step @param {number} steps @param {number} seconds */
export const clock = (step, steps, seconds) => `${seconds.toFixed(3)}\u00a0s \u00b7 ${step}/${steps}`;
/** The clock for a screen reader. @param {number} step @param {number} steps @param {number} seconds */
export const momentSpoken = (step, steps, seconds) => `${seconds.toFixed(3)}\u00a0seconds, step ${step} of ${steps}`;
/** The distance from the goal at which a shot with this loss ends. @param {number} loss */
const away = (loss) => {
  const mm = 1000 * Math.sqrt(loss);
  if (mm < 0.01) return "less than 0.01\u00a0mm";
  return mm < 100 ? `${Number(mm.toPrecision(2))}\u00a0mm` : `${Number((mm / 10).toPrecision(2))}\u00a0cm`;
};
/** The state of a descent, with its loss, its iterations, the share of each step that it takes, and its best iteration. */
export const OUTCOMES = /** @type {Record<string, (loss: number, iteration: number, share: number, best: number) => string>} */ ({
  there: (loss, iteration) => `Done: the ball ends ${away(loss)} from the goal, after ${iteration} iterations.`,
  beside: (loss) => `Stuck ${away(loss)} from the goal: the loss has no slope here. Try another start.`,
  stalled: (loss) => `Stalled ${away(loss)} from the goal: even tiny steps no longer help. Try another start.`,
  flat: () => "The gradient is zero, because nothing that the cue ball hits reaches the target.",
  diverged: (loss, iteration, share, best) => `Diverged in iteration ${iteration}, because the steps are too large. The best was iteration ${best}.`,
  running: (loss, iteration, share) =>
    share === 1 ? "Descending." : `Descending with 1/${1 / share} of the step size, because larger steps overshot.`,
  paused: () => "Paused.",
  rest: () => "Drag the goal, or press Optimise.",
});
export const TO_BEST = "Back to the best";
export const TO_GOOD = "Back to the last good shot";
export const FROM_BEST = "Start from the best place";
/** The first position that is not finite. @param {{step: number, ball: number} | null} trouble */
export const notFinite = (trouble) =>
  trouble === null
    ? "The loss or its gradient is not finite, though every position is."
    : `Not finite: ball ${trouble.ball} flies off to infinity in step ${trouble.step}.`;
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
export const TABLE_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  table: "The table in that link cannot be set up, so the link was not used.",
};

// Robot

export const TRAIN = "Train";
export const CONTINUE = "Continue";
export const EDIT = "Edit the robot";
export const DONE_EDITING = "Done editing";
export const JOIN = "Add a spring";
export const NO_ROBOT = "The robot did not load. Reload the page to try again.";
export const NO_PYTHON_ROBOT = "Python did not load, so only a robot with these masses and springs can walk.";
export const WAITING_ROBOT = "The new robot compiles once Python has loaded";
export const COMPILING_ROBOT = "Compiling the robot";
export const ROBOT_SLOW = "This robot took more than 20 seconds to compile, so the page went back to the one before.";
export const DIED_ROBOT = "The compiler crashed on this robot and was restarted. The page went back to the one before.";
export const TRAINING_AGAIN = "The training crashed and was restarted. It can continue from here.";
export const NO_TRAINING = "The training stopped. Reload the page to start it again.";
export const TO_GOOD_ROBOT = "Back to the last good robot";
export const HEAD_STAYS = "You cannot remove mass 0, the filled one, because the loss measures where it ends.";
export const LEAST_ROBOT = "A robot needs at least two masses and a spring, so you cannot remove this one.";
export const COPIED_UNTRAINED = "Link copied. It opens an untrained robot, because weights do not fit into a link. Save them to a file instead.";
export const WEIGHTS_LOADED = "Weights loaded";
export const WEIGHTS_REFUSED = {
  broken: "That file does not hold a robot\u2019s weights, so it was not used.",
  other: "Those weights are for a robot with other masses or springs, so they were not used.",
};
/** @param {string} name */
export const robotName = (name) => ({ A: "A, all muscle", B: "B, two legs", C: "C, tall", D: "D, three legs" })[name] ?? name;
export const OWN_ROBOT = "one of your own";
/** @param {number} mass */
export const massName = (mass) => (mass === 0 ? "0, filled" : String(mass));
/** @param {number} k @param {number} a @param {number} b @param {boolean} muscle */
export const springName = (k, a, b, muscle) => `${a}\u2013${b}${muscle ? ", muscle" : ""}`;
/** @param {number} mass */
export const joinTo = (mass) => `Now choose the mass to join to mass ${mass}`;
/** @param {number} a @param {number} b */
export const joinedAlready = (a, b) => `A spring already joins masses ${a} and ${b}.`;
/** @param {number} masses @param {number} springs */
export const robotFull = (masses, springs) => `A robot on this page has at most ${masses} masses and ${springs} springs.`;
/** @param {number | "goal"} grip @param {string} x @param {string} y */
export const holdPlace = (grip, x, y) => `${grip === "goal" ? "Goal" : `Mass ${massName(grip)}`} at x ${x}, y ${y}.`;
/** @param {number | "goal"} grip */
export const holdKeys = (grip) => `Arrow keys move it.${grip === "goal" || grip === 0 ? "" : " Delete removes it."}`;
/** @param {number} friction */
export const frictionNote = (friction) =>
  friction >= 2 ? "Friction 2: feet stick where they land." : friction === 0 ? "Friction 0: ice." : "";
/** The state before any training. @param {boolean} toGoal @param {boolean} isKept whether the robot has its plan's own gait */
export const walkRests = (toGoal, isKept) => {
  if (toGoal) return "Drag the goal, then train it to end there.";
  const first = isKept ? "Press Play to see it walk. Press Start over, then Train, to see it learn." : "Press Train to see it learn.";
  return `${first} The goal matters once you train it to end there.`;
};
/** The state of a training.
 * @param {"running" | "done" | "paused" | "diverged"} state @param {number} iteration
 * @param {{loss: number, iteration: number} | null} best */
export const trainingOutcome = (state, iteration, best) => {
  const loss = String(Number(best?.loss.toPrecision(3))).replaceAll("-", "\u2212");
  const least = (/** @type {string} */ start) =>
    best === null || !Number.isFinite(best.loss) ? "No loss was finite." : `${start}: loss ${loss} at iteration ${best.iteration}.`;
  if (state === "running") return "Training.";
  if (state === "done" && best?.iteration === 0) return `Trained for ${iteration} iterations. None was better than the start, so the start was kept.`;
  if (state === "done") return `Trained for ${iteration} iterations. ${least("Kept the best")}`;
  if (state === "paused") return best === null ? "Paused." : `Paused. ${least("The best so far")}`;
  return `Diverged at iteration ${iteration}: the loss or its gradient is not finite. ${least("Kept the best")}`;
};
/** @param {number} iteration @param {string} where @param {boolean} isKept whether there was a best walk */
export const divergedBecause = (iteration, where, isKept) => `Diverged at iteration ${iteration}.${isKept ? " The best walk was kept." : ""} ${where}`;
/** @param {number} step @param {number} mass */
export const robotGone = (step, mass) =>
  `Mass ${mass} flies more than 1 km away in step ${step}. Use fewer springs at each mass.`;
/** @param {number} step @param {number} mass */
export const robotNotFinite = (step, mass) => `Not finite: mass ${mass} flies off to infinity in step ${step}.`;
export const ROBOT_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  robot: "The robot in that link cannot be built, so the link was not used.",
};

// Regression

export const DESCEND = "Descend";
export const NO_POINTS = "The points did not load. Reload the page to try again.";
export const AXES = { x: "x", y: "y", z: "z", along: "distance along the slice", slope: "slope", t: "time" };
/** @param {number} origin the x at which the height is measured */
export const intercept = (origin) => (origin === 0 ? "intercept" : `height at x = ${origin}`);
/** @param {string} name */
export const setName = (name) => `Anscombe ${name}`;
/** @param {number} number from 1 */
export const pointName = (number) => String(number);
export const FIT_FIELDS = { line: ["Slope of the line", "Intercept of the line"], point: ["x of the point", "y of the point"] };
/** @param {number} number from 1 @param {number} count @param {string} x @param {string} y */
export const pointGripPlace = (number, count, x, y) => `Point ${number} of ${count} at x ${x}, y ${y}.`;
export const POINT_GRIP_KEYS = "Arrow keys move it. Delete removes it.";
/** @param {string} slope @param {string} height */
export const lineGripPlace = (slope, height) => `The line: slope ${slope}, intercept ${height}.`;
export const LINE_GRIP_KEYS = "Arrow keys change them. Home puts the line back where it began.";
/** @param {number} most */
export const pointsFull = (most) => `There are already ${most} points, the most that this page can take.`;
/** @param {string} bytes @param {string | null} microseconds */
export const fitCost = (bytes, microseconds) => {
  const step = microseconds === null ? "" : ` \u00b7 ${microseconds}\u00a0µs a\u00a0step`;
  return `loss and gradient compiled beforehand \u00b7 ${bytes} of WebAssembly${step}`;
};
export const DESCENDING = "Descending.";
export const FIT_RESTS = "Press Descend, or drag a point.";
/** The state of a descent. */
export const FIT_OUTCOMES = /** @type {Record<string, (best: string, iteration: number) => string>} */ ({
  paused: () => "Paused.",
  converged: (best, iteration) => `Converged after ${iteration} steps: the gradient is zero. Loss ${best}.`,
  circling: (best) => `Going round in circles, because the steps are too large to settle. The best loss was ${best}.`,
  diverged: (best, iteration) => `Diverged at step ${iteration}: each step climbed higher on the other side. The best loss was ${best}.`,
});
export const HALF_RATE = "Half the step size";
/** @param {string} slope @param {string} height @param {string} loss @param {number} iteration */
export const fitSpoken = (slope, height, loss, iteration) => `Slope ${slope}, intercept ${height}, loss ${loss} after ${iteration} steps.`;
export const FIT_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  fit: "The points in that link cannot be shown, so the link was not used.",
};

// Fit

/** The titles of the data sets that are not named by their source. */
const DATA_SETS = /** @type {Record<string, string>} */ ({ tea: "A cup of tea (made up)", I: "Anscombe I", II: "Anscombe II", III: "Anscombe III", IV: "Anscombe IV" });
/** @param {string} name */
export const dataSetName = (name) => DATA_SETS[name] ?? `NIST: ${name}`;
export const FORMS = /** @type {Record<string, string>} */ ({
  line: "Line",
  parabola: "Parabola",
  cubic: "Cubic",
  exponential: "Exponential",
  decay: "Decay",
  power: "Power",
  logistic: "Logistic",
  bell: "Bell",
  wave: "Wave",
});
export const OWN_FORM = "Your own";
export const RESIDUAL = "residual";
export const HELD = "held";
export const LEFT_OUT = "It is left out.";
export const DATUM_KEYS = "Arrow keys move it. X leaves it out. Delete removes it.";
export const DATUM_FIELDS = ["x of the point", "y of the point", "Standard deviation of y"];
/** @param {number} count @param {number} out */
export const pointCount = (count, out) => (out === 0 ? `${count} points` : `${count} points, ${out} left out`);
/** @param {string} name */
export const parameterLabel = (name) => `Value of ${name}. Typing a number holds it.`;
/** @param {string} name */
export const holdLabel = (name) => `Hold ${name}`;
/** @param {string} name */
export const nudgeLabel = (name) => `Move ${name} and hold it`;
/** @param {"lower" | "upper"} side @param {string} name */
export const boundLabel = (side, name) => (side === "lower" ? `Lower bound of ${name}` : `Upper bound of ${name}`);
/** @param {number} value @param {number} digits that agree */
export const certifiedAs = (value, digits) => `${String(value).replace("-", "\u2212")} (${digits === 11 ? "all 11" : digits} digits agree)`;
/** @param {string[]} parameters each with its value */
export const fitFound = (parameters) => `Fitted: ${parameters.join(", ")}.`;
/** @param {string | null} ms of compilation @param {string} bytes @param {string | null} microseconds of a fit */
export const fitterCost = (ms, bytes, microseconds) => {
  const call = microseconds === null ? "" : ` \u00b7 ${microseconds}\u00a0µs a\u00a0fit while you drag`;
  return `the model is ${bytes} of WebAssembly, compiled ${ms === null ? "beforehand" : `in ${ms}\u00a0ms`}${call}`;
};
export const FIT_NOTE = "Type x, letters for the numbers to find, and functions such as sin, exp, log, sqrt.";
export const WAITING_FIT = "Compiling the solver for this formula …";
export const SEARCH_START = "Search for a better start";
/** How a fit ended. `missing` is the number of points that are missing for as many points as parameters. */
export const FIT_ENDINGS = /** @type {Record<string, (rounds: number, missing: number) => string>} */ ({
  converged: (rounds) => `Fitted in ${rounds} ${rounds === 1 ? "round" : "rounds"}: no small change of the parameters makes the squares smaller.`,
  exhausted: (rounds) => `Not settled after ${rounds} rounds. The curve is the best so far. Try another start, a bound, or a simpler formula.`,
  stuck: () => "Stuck: no step from here makes the squares smaller. The curve is the best so far. Try another start or a bound.",
  undefined: () => "The formula is undefined at a point. Move a bound, hold a parameter, or leave the point out.",
  dependent: () => "Two parameters do the same to the curve, so the data cannot tell them apart. Hold one of them.",
  few: (_, missing) => `There are fewer points than parameters. Add ${missing} or hold ${missing}.`,
});
export const NO_FIT_PYTHON = "Python did not load, so new formulas cannot be compiled. The formulas of the lists still work.";
export const FIT_SLOW = "Compiling this formula took too long, so it was stopped.";
export const DIED_FIT = "Python stopped while it compiled this formula. It is starting again.";
export const NO_FIT = "The data could not be loaded. Reload the page.";
export const EMPTY_TABLE = "There are no numbers in that table. Paste two columns, x and y, or three with the standard deviation of y.";
export const LARGE_FILE = "That file is larger than 2 MB, so it was not read.";
/** @param {number} count @param {number} left lines without numbers @param {number} over points beyond the most */
export const tableTaken = (count, left, over) => {
  const lines = left === 0 ? "" : ` ${left} ${left === 1 ? "line" : "lines"} without numbers left out.`;
  const rest = over === 0 ? "" : ` The other ${over} are too many for this page.`;
  return `Took ${count} points.${lines}${rest}`;
};
export const COPIED_WITHOUT_POINTS = "Link copied, but without the points: there are too many for a link. Save them as CSV.";
export const FITTER_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  formula: "The formula in that link cannot be shown, so the link was not used.",
  points: "The points in that link cannot be shown, so the link was not used.",
};

// Bril

const BRIL_TITLES = /** @type {Record<string, string>} */ ({
  root: "A square root by Newton’s method",
  quotient: "A quotient",
  square: "x·x",
  size: "|x| by a branch",
  saddle: "A valley in two variables",
  choice: "A branch that no derivative passes",
  sine: "The series of the sine",
  inside: "A derivative inside a program",
});
/** @param {string} id of a program; one with a slash is from Bril’s benchmarks */
export const brilTitle = (id) => BRIL_TITLES[id] ?? `Bril: ${id}`;
export const RESULT = "result";
export const FIRST_BLOCK = "start";
/** @param {string} name of a function */
export const adjointOf = (name) => `back through @${name}`;
/** @param {string} label @param {string} to the labels of the blocks that may follow */
export const blockLabel = (label, to) => (to === "" ? `Block ${label}, the end` : `Block ${label}, then ${to}`);
/** @param {string} name @param {string} type */
export const brilArgument = (name, type) => `${name}, ${type}`;
/** @param {number} line from 1; 0 if it is not known @param {string} message */
export const atLine = (line, message) => (line > 0 ? `Line ${line}: ${message}` : message);
export const PRINTS_NOTHING = "It prints nothing.";
/** @param {number} step @param {number} steps @param {string} instruction */
export const stepOf = (step, steps, instruction) => `Step ${step} of ${steps}: ${instruction}`;
/** @param {number} steps */
export const stepsCut = (steps) => `Only the first ${steps} steps are shown, without derivatives.`;
/** @param {string | null} ms of compilation @param {string} bytes */
export const brilCost = (ms, bytes) => `value and gradient are ${bytes} of WebAssembly, compiled ${ms === null ? "beforehand" : `in ${ms}\u00a0ms`}`;
/** @param {string} from @param {string} to results @param {boolean} climbs */
export const brilDescent = (from, to, climbs) => (climbs ? `The result climbs from ${from} to ${to}: the steps are too large.` : `The result goes from ${from} to ${to}.`);
export const NO_BRIL_PYTHON = "Python did not load, so new programs cannot be read. The listed programs still work.";
export const BRIL_SLOW = "This program took too long, so it was stopped.";
export const DIED_BRIL = "Python stopped while it read this program. It is starting again.";
export const NO_BRIL = "The programs could not be loaded. Reload the page.";
export const BRIL_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  program: "The program in that link cannot be shown, so the link was not used.",
};

// Sparse

export const NO_NET = "The net could not be loaded. Reload the page.";
export const NODE_KEYS = "Arrow keys pull it. Home lets it go. Delete cuts its springs.";
/** @param {number} row @param {number} column from 1 @param {string} x @param {string} y */
export const nodePlace = (row, column, x, y) => `Node in row ${row}, column ${column}, at ${x}, ${y}.`;
/** @param {number} group from 1 @param {number} groups @param {number} columns how many columns are in the group */
export const groupOf = (group, groups, columns) => `Group ${group} of ${groups}: ${columns} columns share one direction.`;
/** @param {number} steps */
export const netRests = (steps) => (steps === 1 ? "At rest after one step." : `At rest after ${steps} steps.`);
export const NET_MOVES = "Looking for where it rests …";
/** @param {string} bytes @param {string | null} ms */
export const netCost = (bytes, ms) => `one step is ${bytes} of WebAssembly, compiled beforehand${ms === null ? "" : `; 95 of 100 frames took at most ${ms}\u00a0ms of work`}`;
export const NET_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
};

// Learn

export const LEARN = "Learn";
export const NO_NETWORK = "The network did not load. Reload the page to try again.";
export const NO_PYTHON_NETWORK = "Python did not load, so only the network that is here can learn.";
export const WAITING_NETWORK = "The new network compiles once Python has loaded";
export const COMPILING_NETWORK = "Compiling the network";
export const NETWORK_SLOW = "This network took more than 20 seconds to compile, so the page went back to the one before.";
export const DIED_NETWORK = "The compiler crashed on this network and was restarted. The page went back to the one before.";
/** @type {Record<string, string>} */
export const LEARN_SETS = {
  moons: "Two moons",
  spirals: "Spirals",
  circles: "Circles",
  xor: "Exclusive or",
  clouds: "Two clouds",
  own: "Only your points",
  digits: "Handwritten digits",
  sine: "A sine (LSTM)",
};
export const NOTHING = "\u2013";
/** @param {number} part of all answers */
export const rightShare = (part) => `${(100 * part).toFixed(1)}\u00a0%`;
/** @param {number} steps */
export const stepCount = (steps) => `${steps.toLocaleString(LANGUAGE)} steps`;
/** @param {number} layers */
export const layerCount = (layers) => (layers === 1 ? "1 hidden layer" : `${layers} hidden layers`);
/** @param {number} layer from 0 @param {number} units @param {string} task */
export const layerUnits = (layer, units, task) => `${task === "sine" ? "LSTM" : `Layer ${layer + 1}`}: ${units} ${units === 1 ? "unit" : "units"}`;
/** @param {number} layer from 0 @param {1 | -1} by */
export const unitsLabel = (layer, by) => `${by > 0 ? "One more unit" : "One unit less"} in layer ${layer + 1}`;
/** @param {string} task @param {readonly number[]} hidden */
export const networkLabel = (task, hidden) => {
  if (task === "sine") return `An LSTM of ${hidden[0]} units: the output of each, over time.`;
  const layers = hidden.length === 0 ? "no hidden layers" : `${layerCount(hidden.length)} of ${hidden.join(", ")} units`;
  return `A network with ${layers}: what each unit does, and the weights between them.`;
};
export const NETWORK_INPUT = "inputs";
export const NETWORK_OUTPUT = "classes";
export const MEMORY_UNITS = "output of each unit, over time";
/** @param {number} guess @param {number} label */
export const wrongGuess = (guess, label) => `${guess} \u2260 ${label}`;
/** The state of a training, with the share of right answers and the steps so far. */
export const LEARN_OUTCOMES = /** @type {Record<string, (right: string, steps: number) => string>} */ ({
  rest: () => "Press Learn, or click into the picture to add points.",
  running: () => "Learning.",
  paused: (right, steps) => `Paused after ${stepCount(steps)}.`,
  learned: (right) => `Learned: ${right} of the answers are right.`,
  lost: (right, steps) => `Diverged after ${stepCount(steps)}: the loss is no longer finite, because the steps were too large.`,
});
export const LOWER_RATE = "Start again with a tenth of the rate";
/** @param {number} step @param {string} right @param {string | null} testRight */
export const learnedSpoken = (step, right, testRight) =>
  `After ${stepCount(step)}, ${right} of the data${testRight === null ? "" : ` and ${testRight} of the tests`} are right.`;
/** @param {string | null} ms @param {string} bytes @param {number | null} perSecond */
export const networkCost = (ms, bytes, perSecond) => {
  const speed = perSecond === null ? "" : ` \u00b7 up to ${perSecond.toLocaleString(LANGUAGE)} steps a second`;
  return `${compiled(ms)} \u00b7 ${bytes} of WebAssembly${speed}`;
};
/** @param {number} count */
export const networkExported = (count) => `${count} files in one archive: the trained network as WebAssembly with its script, and as Python.`;
export const LESSON_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  lesson: "The network in that link cannot be made, so the link was not used.",
};

// Diagrams

/** The diagrams of app/diagrams/gallery: the title, and a sentence about what to try. */
export const DIAGRAMS = /** @type {Record<string, {title: string, note: string}>} */ ({
  euler_sets: { title: "Sets", note: "A circle inside another is a subset. Drag a label out of its circle: the circle comes along." },
  commutative_square: { title: "Commutative diagram", note: "Arrows stop just before the letters. Drag one letter, or the arrow m." },
  labelled_graph: { title: "Graph", note: "All edges have the same length and nodes push each other away. Pull at a node or a label." },
  family_tree: { title: "Family tree", note: "Parents stay above the middle of their children. Drag a grandchild sideways." },
  flowchart: { title: "Flow chart", note: "Arrows go from border to border. Drag a step." },
  neural_network: { title: "Neural network", note: "All distances are given, so the relations leave nothing open. Whatever you pull stays where it is." },
  nine_point_circle: { title: "Nine-point circle", note: "The circle passes through nine special points of any triangle. Drag a corner, or the circle." },
  incircle: { title: "Incircle and circumcircle", note: "Both circles follow from the triangle. Drag the green one, and the triangle follows it." },
  pythagoras: { title: "Pythagoras", note: "The sides of the triangle are given, so everything moves as one. Drag any square." },
  tangent_circles: { title: "Apollonius’ problem", note: "One circle touches three others. Drag any of them." },
  seven_coins: { title: "Seven coins", note: "Six coins just fit around one. Drag one of them around." },
  circle_packing: { title: "Packed circles", note: "The outer circle is as small as it can be. Drag a circle out of the heap." },
  gears: { title: "Gears", note: "Each gear touches the next. Pull the last one." },
  free_body: { title: "Forces on a slope", note: "The three forces add up to nothing. Drag the block along the slope." },
  lens: { title: "Lens", note: "Two rays decide where the image is. Nothing is left open here, so the image stays when you pull it." },
  circuit: { title: "Circuit", note: "The parts sit on the wires. Drag the capacitor." },
  hanging_chain: { title: "Hanging chain", note: "The chain hangs as low as its links allow." },
  planets: { title: "Planets", note: "The sizes of the orbits follow Kepler’s third law. A planet that you drag stays on its orbit." },
  water_molecule: { title: "Water", note: "The bonds have one length and an angle of 104.5 degrees. Drag a hydrogen atom." },
  steiner_tree: { title: "Shortest net", note: "Roads meet at 120 degrees where the net is shortest. Pull a crossing aside and let go." },
  map_labels: { title: "Map labels", note: "No label covers a town or another label. Drag a label to the other side of its town." },
  word_cloud: { title: "Word cloud", note: "All words want to be in the middle, and none may overlap another. Drag a word through the crowd." },
  timeline: { title: "Timeline", note: "Dates stand to scale, and labels avoid each other. Drag a label." },
  box_model: { title: "Box model", note: "Each box lies around the one before. Drag the innermost box." },
  latin_square: { title: "Board", note: "Each cell touches its neighbours, so the board moves as a whole." },
  island: { title: "Island", note: "The trees stand as far from each other as the shore allows. Drag a tree." },
});
export const PENROSE_NOTE = "Penrose compiled this diagram, and our optimiser lays it out. Drag any shape, input or computed.";
export const NO_PENROSE = "This diagram cannot be read. Start the server with python3 serve.py --diagrams and the folder of the diagrams.";
export const NO_REGISTRY = "This server has no folder of Penrose’s diagrams. Start it with python3 serve.py --diagrams and the folder.";
/** @param {number} count */
export const registryAbout = (count) => `${count} diagrams of Penrose’s registry. Penrose lets you drag shapes whose place is an input. Here you can drag every shape.`;
/** @param {string} name @param {number} size */
export const registryEntry = (name, size) => `${name} (${size.toLocaleString("en")} operations)`;
/** The names of the kinds of shapes. @type {Record<string, string>} */
export const SHAPE_KINDS = {
  circle: "circle", ellipse: "ellipse", rectangle: "rectangle", image: "image", text: "text", line: "line", polyline: "chain of lines",
  polygon: "polygon", path: "curve", outline: "curve", group: "group",
};
/** The relations of a shape that a screen reader tells with the shape, as seen from the first shape and from the second.
 * @type {Record<string, readonly [(other: string) => string, (other: string) => string]>} */
export const SHAPE_RELATIONS = {
  contains: [(other) => `Contains ${other}.`, (other) => `Inside ${other}.`],
  touching: [(other) => `Touches ${other}.`, (other) => `Touches ${other}.`],
  overlapping: [(other) => `Overlaps ${other}.`, (other) => `Overlaps ${other}.`],
};
/** @param {string} name @param {string} kind @param {string} x @param {string} y */
export const shapePlace = (name, kind, x, y) => `${name}, ${kind}, at x ${x}, y ${y}.`;
export const SHAPE_KEYS = "Arrow keys move it, and the diagram follows.";
/** The points and sizes of a shape. @type {Record<string, string>} */
const PARTS = { r: "radius", rx: "width", ry: "height", size: "corner" };
/** @param {string} name of a shape @param {string} part */
export const partOf = (name, part) => `${name}: ${PARTS[part] ?? part}`;
/** @param {string} weight */
export const weightMark = (weight) => `From here on, relations count ${weight} times.`;
/** @param {number} count @param {string} energy @param {string} worst @param {string} weight */
export const moment = (count, energy, worst, weight) => `After ${count} iterations: energy ${energy}, worst miss ${worst}, relations count ${weight} times`;
export const PROGRAM_OF_DIAGRAM = "The diagram’s program";
/** @param {number} line @param {string} message */
export const troubleInLine = (line, message) => `Line ${line}: ${message}`;
export const PROGRAM_OF_LINK = "This link brings a program of its own. Press Run to lay its diagram out.";
export const RUNNING_PROGRAM = "Running your program …";
export const PROGRAM_FAILED = "Your program ran for too long or ended Python, so the diagram stays as it was. Change the program to run it again.";
/** @param {string} name */
export const unpin = (name) => `Let go of ${name}`;
export const UNPIN = "Let go of the pin";
export const OTHER_START = "Try another layout";
/** @param {string} title */
export const diagramLabel = (title) => `Diagram: ${title}. Every shape in it that can move can be dragged.`;
/** @param {number} seed */
export const variation = (seed) => `Seed ${seed}`;
/** @param {number} seed @param {number} missed relations */
export const variationMissed = (seed, missed) => `Seed ${seed}, ${missed} missed`;
/** @param {string} words of a relation @param {number} line of the program */
export const termOfLine = (words, line) => (line > 0 ? `${words} (line ${line})` : words);
export const ALL_HOLD = "All relations hold.";
/** @param {number} count */
export const relationsHold = (count) => `All ${count} relations hold.`;
/** @param {number} count */
export const relationsMissedSpoken = (count) => (count === 1 ? "One relation does not hold." : `${count} relations do not hold.`);
/** @param {number} count @param {string} worst in words @param {number} by */
export const relationsMissed = (count, worst, by) =>
  `${relationsMissedSpoken(count)} ${count === 1 ? "It" : "The worst"} is ${worst}, missed by ${Number(by.toPrecision(2))}.`;
/** @param {string | null} ms @param {string} bytes @param {string | null} frame */
export const diagramCost = (ms, bytes, frame) => {
  const time = frame === null ? "" : ` \u00b7 ${frame}\u00a0ms a\u00a0layout while you drag`;
  return `${compiled(ms)} \u00b7 ${bytes} of WebAssembly${time}`;
};
export const NO_PYTHON_DIAGRAMS = "Python did not load, so you can use only this diagram.";
export const NO_DIAGRAMS = "The diagrams did not load. Reload the page to try again.";
export const WAITING_DIAGRAM = "The diagram compiles once Python has loaded";
export const COMPILING_DIAGRAM = "Compiling the diagram";
export const DIAGRAM_SLOW = "This diagram took more than 20 seconds to compile, so the page went back to the one before.";
export const DIED_DIAGRAM = "The compiler crashed on this diagram and was restarted. The page went back to the one before.";
export const DIAGRAM_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  number: BAD_NUMBER,
  diagram: "The diagram in that link cannot be shown, so the link was not used.",
};

// Tape

/** The formulas of app/tape/tape.py by id. */
export const TAPES = /** @type {Record<string, {title: string, note: string}>} */ ({
  survey: { title: "The textbook example", note: "The formula uses x and y twice each. Every use adds its share to the cotangent." },
  power: { title: "Power", note: "This formula is one operation with two partial derivatives. The compiler looks both up in a table." },
  distance: { title: "Distance", note: "The slope of a square root is 1 divided by twice its value. That value is already on the tape." },
  logistic: { title: "Logistic curve", note: "The rows form a chain, so each cotangent is a product of slopes from the end to that row. The formula does not use y." },
  valley: { title: "Rosenbrock’s valley", note: "At the minimum, (1, 1), every cotangent that reaches x and y is 0." },
  larger: { title: "The larger one", note: "Only the larger of x y and x + y gets a cotangent. Make x y the smaller one, and the cotangent goes to x + y." },
});
export const INPUT = "input";
export const SEED = "1 to begin with";
export const FROM = "from";
export const WHERE = "where";
export const COTANGENT_OF = "Cotangent of";
export const TANGENT_OF = "Tangent of";
export const NO_PART = "The result does not depend on this row, so it gets no cotangent.";
export const NO_COTANGENT_YET = "No cotangent has reached this row yet.";
export const SLOPE_NAMES = { values: "", gradient: "Cotangent", tangents: "Tangent" };
export const INPUTS = { x: "x", y: "y", dx: "Direction along x", dy: "Direction along y" };
/** @param {keyof typeof INPUTS} name */
export const inputNumber = (name) => `${INPUTS[name]}, as a number`;
/** @param {string} term @param {string} user */
export const termFrom = (term, user) => `${term} from ${user}`;
/** @param {string} number */
const inBrackets = (number) => (number.startsWith("\u2212") ? `(${number})` : number);
/** @param {string} before @param {string} term @param {string} total */
export const addition = (before, term, total) => `${before} + ${inBrackets(term)} = ${total}`;
/** @param {number} count */
export const soFar = (count) => `so far, ${count} more to come`;
/** @param {string} cotangent @param {string} term @param {string} operand */
export const passes = (cotangent, term, operand) => `× cotangent ${cotangent} = ${term}, passed on to ${operand}`;
/** @param {string} tangent @param {string} share */
export const timesTangent = (tangent, share) => `× tangent ${tangent} = ${share}`;
/** @param {number} step @param {number} steps */
export const tapeClock = (step, steps) => `step ${step} of ${steps}`;
export const STEP_INPUTS = "The inputs are given.";
/** @param {string} name @param {string} value */
export const stepForward = (name, value) => `Forwards: ${name} is ${value}.`;
/** @param {string} name @param {string} value @param {string} tangent */
export const stepTangent = (name, value, tangent) => `Forwards: ${name} is ${value}, its tangent ${tangent}.`;
/** @param {string} name */
export const stepSeed = (name) => `Now back: the result is ${name}, and its cotangent is 1.`;
/** @param {string} name @param {string} cotangent @param {readonly string[]} to */
export const stepBack = (name, cotangent, to) =>
  `Back: ${name} has the cotangent ${cotangent} and passes it on, times its slopes, to ${to.join(" and ")}.`;
export const BOX_VALUE = "value";
export const BOX_UNKNOWN = "not known yet";
/** @param {string | null} ms @param {string} bytes @param {number} count */
export const tapeCost = (ms, bytes, count) =>
  `${compiled(ms)} \u00b7 ${bytes} of WebAssembly for all ${count} numbers`;
