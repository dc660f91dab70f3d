// Every sentence and word the pages show, in one place. Another language is another file like this one: tools/pages.py
// puts its words into the pages, and a site in that language serves it under this name.

/** Of the page, as BCP 47 says it. */
export const LANGUAGE = "en";

/** Words of the pages' HTML, by the data-text or data-label of their element. */
export const TEXTS = /** @type {Record<string, string>} */ ({
  name: "Eglantine",
  quadratic: "Quadratic",
  billiards: "Billiards",
  regression: "Regression",
  robot: "Robot",
  tape: "Tape",
  playground: "Playground",
  playgroundTitle: "Eglantine: a program, its derivatives and their WebAssembly",
  program: "Program",
  exampleProgram: "Examples",
  run: "Run",
  stop: "Stop",
  stopAfter: "limit",
  nothingYet: "Press Run: the functions of the program will be shown here.",
  codeKeys: "Ctrl+Enter runs; Escape, Tab leaves",
  output: "Output of the program",
  functionShown: "Function",
  kindShown: "show",
  rows: "Rows",
  passes: "Passes",
  rowsList: "Rows of the function, one a line. Arrow keys light up what each comes from.",
  wat: "WebAssembly",
  watList: "WebAssembly, one instruction a line. Arrow keys light up what each comes from.",
  asText: "Text",
  asBytes: "Bytes",
  bytesList: "The module’s bytes. Left and right go from instruction to instruction.",
  litOwn: "what you point at",
  litDerived: "its derivative",
  call: "Call",
  returned: "Result",
  playgroundIntro:
    "A program in Python is traced to rows, the rows are differentiated, and both become WebAssembly, all of it in your browser. " +
    "Press Run, then click any token: what it became lights up, its derivatives in green. It works the other " +
    "way round too: point at a row or an instruction and see what it was written for.",
  playgroundMaths:
    "Each row is one operation, named by the place in the program that it comes from. Differentiating a row z = f(x, y) adds " +
    "rows for ∂f/∂x and ∂f/∂y and for what they multiply, and these keep its place: that is how a line of WebAssembly knows " +
    "which part of which formula it is the derivative of. A derivative of a derivative keeps it too.",
  playgroundSafe:
    "The program runs in a frame of its own, apart from this page: it can reach no network and nothing that this site keeps. Nothing runs until you press Run, not even a program that came by a link, and a " +
    "program that takes too long is stopped; what you wrote stays. Loops of compiled functions count their rounds and " +
    "stop as well. Packages come from beside this page alone: await micropip.install(\"mpmath\") works, others are an error.",
  pages: "Pages",
  mathematics: "The mathematics",
  source: "This page’s source",
  missingTitle: "Eglantine: no such page",
  missingHeading: "There is no page here",
  missingWhat: "The address may have a typing mistake, or the page has another name now.",
  missingHome: "Go to the start page",
  missingUp: "Do these links bring you back here? Then the address leads too deep:",
  missingUpLink: "go one folder up",
  damagedTitle: "This page is damaged on this device",
  damagedSentence:
    "The copy that this device keeps for when there is no network is not the one that was stored, so it is not shown. " +
    "Connect to the network and reload: the page is then fetched anew.",
  damagedAgain: "Reload",
  noScript: "This page needs JavaScript: it computes everything in your browser. Turn JavaScript on and reload the page.",
  fromDisk:
    "You opened this page from a folder, and from there your browser does not run its scripts. Start “python3 serve.py” in " +
    "Eglantine’s folder and open the address that it prints, or put this folder on a web server.",
  homeTitle: "Eglantine: derivatives at once",
  quadraticTitle: "Eglantine: a surface and its quadratic approximation",
  billiardsTitle: "Eglantine: a billiards shot that follows its goal",
  robotTitle: "Eglantine: a robot that learns to walk",
  homeHeading: "Derivatives at once",
  homeWhat:
    "Eglantine turns a formula, or a function in Python, into WebAssembly that computes it and its derivatives, in your browser " +
    "and in about a millisecond. So a derivative can follow your hand.",
  homeTry: "Drag the pink point.",
  homeCommands: "From its source, one command gives you these pages, another the package for Python:",
  homeFormula: "Type a formula of your own",
  homeProgram: "Write a program",
  homePages: "What derivatives are good for",
  homeQuadratic: "A surface and the quadratic that touches it. Type any formula.",
  homeRegression: "A line that falls down the slope of its loss, onto points you can drag.",
  homeBilliards: "A shot that follows its goal, back through every collision.",
  homeRobot: "A robot that learns to walk by the gradient of its whole walk.",
  homeTape: "What reverse mode does, number by number, forwards and back.",
  homePlayground: "Your own Python, its derivatives and their bytes, side by side.",
  homeSurfaces: "Surfaces to begin with",
  homeMaths:
    "The pink disc is the quadratic that has the surface’s value, slopes and curvatures at the point: six numbers, f, ∇f and the Hessian. " +
    "None of them comes from small differences. Each operation of the formula has a derivative that is known, and the " +
    "chain rule makes one program of them, which is compiled like any other and runs in a fraction of a microsecond.",
  homeHow:
    "What you see here needs no server and no Python: the modules were compiled when the page was built, and the pictures above " +
    "are computed by them as you scroll. Python comes to your browser on the pages where you can change the formula.",
  theme: "Theme",
  formula: "Formula for z",
  preset: "Examples",
  undo: "Undo",
  redo: "Redo",
  reset: "Reset",
  share: "Copy link",
  export: "Export code",
  embed: "Embed",
  at: "at",
  values: "Value, gradient and Hessian at the point",
  eigenvalues: "eigenvalues",
  badge: "Whether these numbers are right",
  turnLeft: "Turn left",
  turnRight: "Turn right",
  tiltUp: "Look from higher",
  tiltDown: "Look from lower",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  hint: "Drag the point",
  retry: "Try again",
  intro:
    "The grey sheet is z = f(x, y). The pink disc is its quadratic approximation at the point: it has the surface’s " +
    "value, slope and curvature there, and nothing more. Drag the point and see where the disc hugs the surface and " +
    "where it leaves. The green arrow goes straight uphill. Zoom in (wheel, pinch, +) and the two become one. " +
    "Drag the background to turn the picture.",
  about:
    "Type any formula: it is differentiated twice and compiled to WebAssembly in your browser, by a compiler written in Python.",
  quadraticMaths:
    "The disc is Taylor’s polynomial of degree two: f(p) + ∇f(p)·d + ½ d·H(p)d, for a step d from the point p. The gradient ∇f holds " +
    "the two slopes, the Hessian H how they change. Reverse mode gives the gradient in one sweep back through the formula, " +
    "and forward mode over that the Hessian: exact but for rounding, with no step size to choose.",
  quadraticKeys:
    "Keys: Tab reaches the point and the picture. Arrows move the point (Shift ten times, Alt a tenth) or turn the picture, plus and " +
    "minus zoom, Home puts back what was moved.",

  table: "Billiards table",
  hintGoal: "Drag the goal",
  hintPlay: "Press Play",
  playback: "Playback",
  play: "Play",
  stepBack: "One step back",
  stepForward: "One step forward",
  moment: "Moment shown, in steps",
  speed: "Speed",
  optimise: "Optimise",
  once: "One step",
  follow: "Follow the goal",
  loss: "Loss",
  iteration: "Iteration",
  curve: "Loss by iteration, on a logarithmic scale",
  optimiser: "Method",
  descent: "Gradient descent",
  momentum: "Momentum",
  adam: "Adam",
  rate: "Step size",
  cue: "Cue ball",
  velocity: "Velocity",
  goal: "Goal",
  ball: "Ball",
  target: "Target",
  rack: "Rack",
  addBall: "Add a ball",
  removeBall: "Remove target",
  cushions: "Cushions",
  impact: "Time of impact",
  traces: "Paths",
  friction: "Friction",
  frictionNumber: "Friction, as a number",
  steps: "Steps",
  stepsNumber: "Steps, as a number",
  field: "Over the table",
  fieldNone: "Nothing",
  fieldLoss: "Loss by cue position",
  fieldGradient: "Loss and its gradient",
  bestStart: "Start from the best place",
  exports: "Download",
  exportPng: "Picture as PNG",
  exportSvg: "Picture as SVG",
  exportCsv: "Paths as CSV",
  billiardsIntro:
    "Your goal: get the filled ball to stop inside the pink ring. The dotted line shows how far off it is. Drag the ring: the gradient of the whole " +
    "shot, every collision included, says how to move the cue ball and its velocity, and the shot follows. Drag the pink dots to try a shot " +
    "of your own, then press Optimise. Green arrows point where the loss falls: from the cue ball for its place, from " +
    "the tip of its arrow for its velocity.",
  billiardsField:
    "The loss is the square of the dotted line: how far the target is from the goal after the last step. Show it over the " +
    "table: each square is a place the cue ball could start from, the stronger its shade the better. A small change can make a ball miss, so " +
    "the picture has cliffs and narrow valleys. Descent sees only the slope where it is, and so it can be stuck. " +
    "Where a step leads over a cliff or to and fro, it goes back to the best shot and on by half of each step.",
  billiardsImpact:
    "Time moves in steps. Without the time of impact, every bounce waits for the end of its step, and the gradient " +
    "no longer knows that a ball that sets out nearer arrives earlier. Switch it off at the start: ∂x is all but 0, and descent goes a longer way.",
  billiardsMaths:
    "The simulation is a function of four numbers, the cue ball’s place and velocity: a loop of steps, in each of them a " +
    "test for every pair of balls. Reverse mode runs that loop backwards once and so costs a few simulations, however many " +
    "numbers there are. A test has no derivative, but the time of impact inside it does: t = −d/v changes with where the balls are.",
  billiardsKeys:
    "Keys: Tab reaches all that can be held, arrows move it (Shift ten times, Alt a tenth), Enter makes a ball the " +
    "target, Delete removes it. P plays, comma and full stop go one step, O optimises. A double click adds a ball.",

  arena: "The robot and its goal",
  train: "Train",
  iterations: "iterations",
  trainRate: "step size",
  progress: "Progress of the training",
  gaitCurve: "Loss by iteration",
  keptGait: "Trained gait",
  startOver: "Start over",
  saveWeights: "Save weights",
  loadWeights: "Load weights",
  seed: "Seed",
  mass: "Mass",
  spring: "Spring",
  muscle: "Muscle",
  addMass: "Add a mass",
  removeMass: "Remove mass",
  removeSpring: "Remove spring",
  editorHow:
    "Drag a mass. Click a spring to choose it, and again to make it a muscle, or plain. Double-click beside the robot to add a mass.",
  aim: "Train it to",
  aimFar: "go as far right as it can",
  aimGoal: "end at the goal",
  poses: "Poses",
  gravity: "Gravity",
  gravityNumber: "Gravity, as a number",
  exportMotion: "Motion as CSV",
  robotIntro:
    "A robot of masses and springs. Some springs are muscles: a small neural network sees where the masses are, how fast, " +
    "and where the goal is, and tells each muscle how long to be. Nobody wrote the gait. Press Play to see it; " +
    "press Start over, then Train, and watch it being found.",
  robotShort: "A muscle that shortens,",
  robotLong:
    "one that lengthens. How far the filled mass gets is what counts: the dotted line is its way, and the marks under the ground are " +
    "where the walks of a training ended.",
  robotTraining:
    "The loss says how badly a walk went: it is minus the x where the filled mass ends, or the square of its distance from the goal. " +
    "Its gradient goes back through every step of the simulation, every touch of the ground included, to each of the thousands of " +
    "weights, and each iteration moves them all a little against it. The way there is chaotic, so the loss jumps now and then, " +
    "and the best walk is kept. Friction, gravity, the goal and the robot’s shape may change while it trains. Edit " +
    "the robot, or build one of your own from a triangle: each new one is compiled in your browser.",
  robotMaths:
    "A step is v ← v + Δt·(spring forces + gravity), x ← x + Δt·v, and the ground stops what falls into it. The network is " +
    "one hidden layer: muscle = tanh(W₂·tanh(W₁·s + b₁) + b₂), for what the robot senses, s. Reverse mode keeps the loop’s " +
    "states and runs it backwards, so that the gradient by all weights costs a few walks and a few megabytes.",
  robotKeys:
    "Keys: Tab reaches all that can be held, arrows move it (Shift ten times, Alt a tenth). P plays, comma and full stop go one " +
    "step, T trains, E edits; then Delete removes what is chosen, and M makes a spring a muscle, or plain.",

  regressionTitle: "Eglantine: a line that descends to its points",
  scatter: "Points and the line that is fitted to them",
  surface: "The loss of every line: slope across, intercept upwards",
  hintPoint: "Drag a point",
  descend: "Descend",
  followPoints: "Follow the points",
  lossKind: "Loss of a residual",
  squared: "Squared",
  absolute: "Absolute",
  huber: "Huber",
  threshold: "Huber’s threshold",
  perSecond: "Steps a second",
  lineFitted: "Line",
  lineExact: "Least squares",
  slopeOfLine: "slope",
  point: "Point",
  dataSet: "Data",
  addPoint: "Add a point",
  removePoint: "Remove point",
  centred: "Measure x from its mean",
  residuals: "Residuals",
  exactLine: "Line of least squares",
  exportPoints: "Points as CSV",
  regressionIntro:
    "The line starts flat and descends: at each step, its slope and intercept move a little the way of the green arrow on the " +
    "right, against the gradient of the loss. There every place is a line, and every curve joins lines of equal loss; the cross " +
    "is the line of least squares. Press Descend, then drag a point: the loss changes under the line, and the line follows. Drag the pink " +
    "dot on the right to start elsewhere.",
  regressionSets:
    "These four sets are Anscombe’s (1973). To the means, variances, correlation and the line of least squares they are one and the same; " +
    "the eye sees a cloud, a curve, a line with one point astray, and a slope that a single point decides. With Huber’s loss or the " +
    "absolute one the third set’s stray point loses its pull.",
  regressionValley:
    "Why is it slow? Turning the line about x = 0 and shifting it do nearly the same to points that are far from 0, so " +
    "the loss is a narrow valley: descent falls across it at once and then creeps along. Measure x from its mean, and the valley " +
    "becomes a bowl. A step that is too large climbs out on the other side and diverges.",
  regressionMaths:
    "The loss is the mean of ρ(r) over the residuals r = slope·(x − origin) + intercept − y, with ρ(r) = r², |r|, or Huber’s: " +
    "½ r² up to a threshold, linear beyond. Reverse mode gives both derivatives in one sweep back through the loop over the " +
    "points. Module, loop and gradient together are a few hundred bytes of WebAssembly.",
  regressionKeys:
    "Keys: Tab reaches all that can be held, arrows move it (Shift ten times, Alt a tenth), Delete removes a point. P descends or pauses, " +
    "a full stop goes one step. A double click adds a point, or puts the line there.",

  tapeTitle: "Eglantine: a tape, forwards and back",
  graph: "The rows of the formula and what each needs",
  firstStep: "To the beginning",
  lastStep: "To the end",
  stepOfTape: "Step of the computation",
  modes: "Show",
  modeValues: "Values",
  modeGradient: "Gradient: forwards, then back",
  modeTangents: "Tangents: forwards",
  formulaOfTape: "Formula for f",
  exportTape: "All numbers as CSV",
  detail: "The row that is chosen",
  tapeTable: "The tape as a table",
  row: "Row",
  operation: "Operation",
  value: "Value",
  sumOf: "Sum of",
  tapeIntro:
    "A compiler reads a formula as a tape: one operation a row. Going forwards, each row computes its value from rows " +
    "above it. Going back, from the result to x and y, each row has a cotangent: how much the result changes with that row. " +
    "It passes that on to its operands, times its slope, and what arrives from several users adds up. Press Play, or drag the " +
    "slider; click a row to check its numbers.",
  tapeHow:
    "Nothing here is computed for show: rows, slopes and sums are the compiler’s own, all in one small module of WebAssembly, and " +
    "the cotangents of x and y equal the gradient that it compiles to the last bit. So change x and y as you like.",
  tapeMaths:
    "If row w uses row v, then the cotangent of v gets (cotangent of w) · ∂w/∂v: the chain rule, summed over all users. One walk " +
    "back gives the slopes by every input, however many there are. Forwards with tangents it is the other way round: " +
    "dw = Σ ∂w/∂v · dv, one direction (dx, dy) for each walk, which suits few inputs and many results.",
  tapeKeys:
    "Keys: P plays or pauses, comma and full stop go one step, Tab reaches each row, Enter chooses it.",
});

/** The formulas of app/formulas/examples.py by their ids: what they are called, and a sentence on what to try. */
export const EXAMPLES = /** @type {Record<string, {title: string, note: string}>} */ ({
  power: {
    title: "Power",
    note: "Both slopes grow at once. At x = 1 the surface is flat in y.",
  },
  saddle: {
    title: "Saddle",
    note: "A quadratic is its own approximation: the disc lies in the surface wherever you drag.",
  },
  "quadratic-form": {
    title: "Quadratic form",
    note: "Minimum, maximum or saddle? The signs of the two eigenvalues decide.",
  },
  "monkey-saddle": {
    title: "Monkey saddle",
    note: "Three valleys meet at the origin. Set x and y to 0: the disc is flat there, the surface is not.",
  },
  ripples: {
    title: "Ripples",
    note: "The shorter the waves, the sooner the disc leaves them. Change k.",
  },
  hills: {
    title: "Hills",
    note: "Climb: go where the green arrow points until it vanishes.",
  },
  rosenbrock: {
    title: "Rosenbrock’s valley",
    note: "The arrow points across the valley, not along it; the minimum is at (1, 1).",
  },
  himmelblau: {
    title: "Himmelblau’s bowls",
    note: "Four minima, all of height 0. One of them is at (3, 2).",
  },
  ridge: {
    title: "Ridge",
    note: "Along the ridge nothing changes, across it everything does.",
  },
  "egg-crate": {
    title: "Egg crate",
    note: "Drag from a top to a bottom and watch the disc turn inside out.",
  },
  "half-sphere": {
    title: "Half a sphere",
    note: "Outside the circle the formula is not defined; near it the slopes grow without bound.",
  },
  logarithm: {
    title: "Two sheets",
    note: "Defined where x and y have the same sign, and only there.",
  },
  peano: {
    title: "Peano’s surface",
    note: "Along every straight line the origin is a maximum, and yet it is none.",
  },
  roof: {
    title: "Roof",
    note: "Near the edge the disc does not know that the other side exists.",
  },
  stairs: {
    title: "Spiral stairs",
    note: "Behind the cut the angle jumps by a full turn.",
  },
});
export const OWN_FORMULA = "Your formula";
export const QUIET_NOTE = "Type x, y and functions such as sin, exp, log, sqrt.";
export const NO_PYTHON = "Python did not load, so formulas cannot be edited. The examples work.";
export const NO_PRESETS = "The examples did not load. Reload the page to try again.";
export const COPIED = "Link copied";
/** @param {string} done what was kept @param {string | null} formula that it is for, where another one is being typed */
export const insteadOfTyped = (done, formula) =>
  formula === null ? done : `${done.replace(/\.$/, "")}, for \u201c${formula}\u201d: what is typed has not compiled.`;
export const NOT_COPIED = "The link is in the address bar";
export const SLOW = "This formula took more than 2 seconds to compile, so it was stopped. Try a shorter one.";
export const DIED = "The compiler stopped on this formula and was started again. Try another one.";
export const BROKEN_MODULE = "This browser refused the compiled module. Try another formula.";

export const PLOT_TROUBLE = {
  module: "The file that src names holds no formula; take the one that Quadratic’s “Embed” gives.",
};
/** @param {string} formula */
export const plotWithout = (formula) => `No src names the module of ${formula}: Quadratic’s “Embed” gives one.`;
/** @param {string} source */
export const plotMissing = (source) => `The formula’s module did not load from ${source}.`;
/** @param {string} formula @param {string} compiled */
export const plotOther = (formula, compiled) => `The module computes ${compiled}, not ${formula}: embed it again from Quadratic.`;
export const EXPORTING = "Writing the files …";
export const NOT_EXPORTED = "Not all that it takes was loaded, so no files were written. Try again.";
export const EMBEDDED = "eglantine-plot.js and formula.wasm are all that <eglantine-plot> needs; plot.html shows how.";
/** @param {number} count */
export const exported = (count) => `${count} files in one archive: WebAssembly, JavaScript, its types, and a page that uses them.`;

/** @param {number} share from 0 to 1 */
export const loading = (share) => `Python: ${Math.round(share * 100)} %`;
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
/** Where the point of a curve is. @param {string} x @param {string} f */
export const curvePointPlace = (x, f) => `Point at x ${x}, where f is ${f}.`;
/** @param {string} place */
export const curvePointLabel = (place) => `${place} Left and right move it; Home puts it back.`;
/** Where the point of a surface is. @param {string} x @param {string} y @param {string} f */
export const pointPlace = (x, y, f) => `Point at x ${x}, y ${y}, where f is ${f}.`;
/** @param {string} place */
export const pointLabel = (place) => `${place} Arrow keys move it; Home puts it back.`;
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
};

export const THEMES = { system: "Theme: system", light: "Theme: light", dark: "Theme: dark" };

/** How a surface curves at a point. */
export const SHAPES = {
  up: "curves upwards every way",
  down: "curves downwards every way",
  saddle: "saddle-shaped: up one way, down the other",
  "up-flat": "curves upwards one way, flat the other",
  "down-flat": "curves downwards one way, flat the other",
  flat: "no curvature here",
  undefined: "no curvature is defined here",
};
export const KINDS = {
  minimum: "A minimum",
  maximum: "A maximum",
  saddle: "A saddle point",
  undecided: "Stationary; second derivatives do not decide its kind",
};
/** @param {string} shape */
export const stationary = (shape) => `: ${shape}.`;
/** @param {string} shape @param {string} slope */
export const sloping = (shape, slope) => `Slope ${slope}, so not stationary; ${shape}.`;
export const NO_SLOPE = "No slope is defined at this point.";
/** Why there are no derivatives at a point; null where there are. @param {number} f its value there */
export const noDerivatives = (f) =>
  Number.isFinite(f) ? null : `f is ${Number.isNaN(f) ? "not defined" : "infinite"} at this point, so it has no slope and no curvature here.`;

/** @param {string | null} ms null for a module that was compiled with the page */
const compiled = (ms) => (ms === null ? "compiled beforehand" : `compiled here in ${ms}\u00a0ms`);
/** What the last edit cost.
 * @param {string | null} ms @param {string} bytes @param {string | null} callMicroseconds */
export const cost = (ms, bytes, callMicroseconds) => {
  const call = callMicroseconds === null ? "" : ` · ${callMicroseconds}\u00a0µs a\u00a0call`;
  return `${compiled(ms)} · ${bytes} of WebAssembly${call}`;
};

const ENTRIES = /** @type {Record<string, string>} */ ({ f: "f", fx: "∂f/∂x", fy: "∂f/∂y", fxx: "∂²f/∂x²", fxy: "∂²f/∂x∂y", fyy: "∂²f/∂y²", df: "df" });
/** @param {string} entry @param {"value" | "slope" | "cotangent" | "tangent" | undefined} part */
const wrongNumber = (entry, part) => {
  if (part === undefined) return ENTRIES[entry];
  return { value: entry, slope: `A slope of ${entry}`, cotangent: `The cotangent of ${entry}`, tangent: `The tangent of ${entry}` }[part];
};
/** Before the badge says anything. */
export const NOT_CHECKED = "These numbers will be checked once Python has loaded.";
/** What the badge says, and how that is known. @param {import("./model/types.js").Verdict} verdict */
export const badge = (verdict) => {
  const equal = `The interpreter gives the same bits${verdict.count === undefined ? "" : ` for all ${verdict.count} numbers`}`;
  switch (verdict.state) {
    case "agree": {
      const within = verdict.within === 0 ? "exactly" : `to ${verdict.within.toExponential(0).replace("-", "\u2212")} of their size`;
      return { mark: "checked ✓", detail: ` ${equal}; finite differences ${verdict.count === undefined ? "agree" : "agree with the result’s slopes"} ${within}.` };
    }
    case "differ": {
      const by = verdict.by === "interpreter" ? "the interpreter" : "finite differences";
      return { mark: "wrong ✗", detail: ` ${wrongNumber(verdict.entry, verdict.part)} is ${verdict.shown}, but by ${by} ${verdict.expected}. Do not trust it.` };
    }
    case "undefined":
      return { mark: "not defined here", detail: ` ${equal}; there is nothing to differentiate.` };
    case "singular":
      return { mark: "not differentiable here", detail: ` ${ENTRIES[verdict.entry]} is not finite. ${equal}.` };
    case "kink":
      return { mark: "not differentiable here", detail: ` ${ENTRIES[verdict.entry]} has a kink or a jump, and the value of one side. ${equal}.` };
    case "edge":
      return { mark: "half checked", detail: ` ${equal}; but at this edge differences have no other side.` };
    default:
      return { mark: "half checked", detail: ` ${equal}; but it bends too sharply for finite differences.` };
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
/** In the place of a derivative's formula. */
export const LONG_FORMULA = "too long to show";
export const GROUPS = { f: "f", g: "∇f", h: "H" };

// Playground

/** The programs in static/programs, the first is shown at first. @type {Record<string, string>} */
export const PROGRAMS = {
  power: "A power and a sine",
  newton: "Newton’s method",
  billiards: "A shot of billiards",
  pendulum: "A pendulum",
  network: "A neural network",
  mandelbrot: "Mandelbrot’s set",
  fixed_point: "An implicit function",
  digits: "Fifty digits",
};
/** What the compiler calls its passes. @type {Record<string, string>} */
export const STAGES = {
  traced: "traced",
  derivative: "derivative",
  "calls in place": "in place",
  "lowered and pruned": "lowered",
  "loops joined": "joined",
  "sums in arms": "summed",
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
export const OWN_PROGRAM = "What you wrote before";
export const FROM_LINK = "This program came by a link. Read it before you press Run.";
export const PROGRAM_TOO_LONG = "The program is too long for a link: at most 20,000 characters, none of them half a character.";
/** Why a shared program was not used. */
export const PROGRAM_REFUSED = {
  long: TOO_LONG,
  version: OTHER_VERSION,
  broken: DAMAGED,
  program: "The program in that link holds characters that cannot be shown, so it was not used.",
};
/** Why what a program defined is gone. @type {Record<"slow" | "loading" | "died" | "stopped", (seconds: number) => string>} */
export const LOST = {
  slow: (seconds) => `Stopped${seconds > 0 ? ` after ${seconds}\u00a0s` : ": it took too long"}. Your program is still here.`,
  loading: () => "Loading packages took longer than 60\u00a0s. Your program is still here.",
  died: () => "Python broke down and was started again. Your program is still here.",
  stopped: () => "Stopped. Your program is still here.",
};
/** What Stop does when the program has ended. */
export const STOP_LEFT = "The program has ended. Stop also ends whatever it left running, and clears what it defined.";
/** @param {number} line */
export const lineOf = (line) => `Line ${line}`;
/** @param {number} line @param {string} name */
export const calledAt = (line, name) => `called in line ${line}${name === "<module>" ? "" : `, ${name}`}`;
/** Beside a call that a way to an error holds several times one after the other. */
export const AGAIN = "again and again";
/** @param {number} ms @param {number} count of functions */
export const ranIn = (ms, count) => {
  const what = count === 0 ? "It defined no function with @eg.fn, so there is nothing to show." : "";
  return `Ran in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms. ${what}`;
};
/** @param {number} count less than 0 where it is not known */
export const moreLines = (count) => (count < 0 ? "… more lines" : `… ${count.toLocaleString(LANGUAGE)} more lines`);
/** @param {number} count */
export const moreBytes = (count) => `… ${count.toLocaleString(LANGUAGE)} more bytes`;
/** @param {string} name @param {number} lines */
export const foldedFunction = (name, lines) => `  (func ${name} … ${lines} lines of the library)`;
/** @param {string} name @param {string} type */
export const argumentLabel = (name, type) => `${name}, ${type}`;
/** What is lit. @param {number} own rows @param {number} derived rows @param {number} instructions */
export const litLines = (own, derived, instructions) =>
  `${own} ${own === 1 ? "row" : "rows"}, ${derived} of derivatives, ${instructions} ${instructions === 1 ? "instruction" : "instructions"}`;
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
export const NO_PYTHON_TABLE = "Python did not load, so only this number of balls and these walls can be played.";
export const WAITING = "Another table: compiled as soon as Python is there";
export const COMPILING = "Compiling the table";
export const LOOKING = "Looking for the best place";
export const NO_BEST = "From nowhere on the table does this velocity reach the target. Change it, or the target.";
export const DESCENT_AGAIN = "The optimiser broke down and was started again. It can go on from here.";
export const NO_DESCENT = "The optimiser stopped. Reload the page to start it again.";
export const TABLE_SLOW = "This table took more than 20 seconds to compile, so it was left. The one before goes on.";
/** @param {number} most */
export const tableFull = (most) => `There are ${most} balls already, the most this page takes.`;
/** @param {number | string} grip @param {string} x @param {string} y @param {boolean} isTarget */
export const gripPlace = (grip, x, y, isTarget) => {
  const name = { goal: "Goal", tip: "Tip of the cue ball\u2019s velocity", cue: "Cue ball" }[grip] ?? `Ball ${grip}`;
  return `${name}${isTarget ? ", the target," : ""} at x ${x}, y ${y}.`;
};
/** @param {number | string} grip */
export const gripKeys = (grip) =>
  typeof grip === "number" ? "Arrow keys move it; Enter makes it the target; Delete removes it." : "Arrow keys move it.";
/** @param {number} step @param {number} steps @param {number} seconds */
export const clock = (step, steps, seconds) => `${seconds.toFixed(3)}\u00a0s \u00b7 ${step}/${steps}`;
/** The same for a screen reader. @param {number} step @param {number} steps @param {number} seconds */
export const momentSpoken = (step, steps, seconds) => `${seconds.toFixed(3)}\u00a0seconds, step ${step} of ${steps}`;
/** How far from the goal a shot of a loss ends. @param {number} loss */
const away = (loss) => {
  const mm = 1000 * Math.sqrt(loss);
  if (mm < 0.01) return "less than 0.01\u00a0mm";
  return mm < 100 ? `${Number(mm.toPrecision(2))}\u00a0mm` : `${Number((mm / 10).toPrecision(2))}\u00a0cm`;
};
/** How a descent stands: its loss, how often it has stepped, the share of each step that it takes, and its best iteration. */
export const OUTCOMES = /** @type {Record<string, (loss: number, iteration: number, share: number, best: number) => string>} */ ({
  there: (loss, iteration) => `There: the ball ends ${away(loss)} from the goal, after ${iteration} iterations.`,
  beside: (loss) => `Stuck ${away(loss)} beside the goal: no slope is left here. Another start may reach it.`,
  stalled: (loss) => `Stalled ${away(loss)} beside the goal, though with ever smaller steps. Another start may reach it.`,
  flat: () => "The gradient is zero: nothing the cue ball meets reaches the target.",
  diverged: (loss, iteration, share, best) => `Diverged in iteration ${iteration}: the steps are too large. The best was iteration ${best}.`,
  running: (loss, iteration, share) =>
    share === 1 ? "Descending." : `Descending, by 1/${1 / share} of each step: larger ones lost the way.`,
  paused: () => "Paused.",
  rest: () => "Drag the goal, or press Optimise.",
});
export const TO_BEST = "Back to the best";
export const TO_GOOD = "Back to the last good shot";
export const FROM_BEST = "Start from the best place";
/** Where numbers stop being finite. @param {{step: number, ball: number} | null} trouble */
export const notFinite = (trouble) =>
  trouble === null
    ? "The loss or its gradient is not finite, though every position is."
    : `Not finite: ball ${trouble.ball} leaves all bounds in step ${trouble.step}.`;
/** The same, as Python finds it. @param {import("./model/types.js").Located} trouble */
export const located = ({ step, end, where, reason, file, line }) => {
  const what = where === "derivative" ? "The gradient is not finite" : "Not finite";
  const when = end ? "in the loss, after the last step" : `from step ${step + 1} on`;
  return reason === null ? `${what} ${when}.` : `${what} ${when}: ${reason} (${file}, line ${line}).`;
};
/** What the table cost.
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
export const WAITING_ROBOT = "Another robot: compiled as soon as Python is there";
export const COMPILING_ROBOT = "Compiling the robot";
export const ROBOT_SLOW = "This robot took more than 20 seconds to compile, so it was left. The one before goes on.";
export const DIED_ROBOT = "The compiler stopped on this robot and was started again. The one before goes on.";
export const TRAINING_AGAIN = "The training broke down and was started again. It can go on from here.";
export const NO_TRAINING = "The training stopped. Reload the page to start it again.";
export const TO_GOOD_ROBOT = "Back to the last good robot";
export const HEAD_STAYS = "Mass 0, the filled one, is what the loss is about. It stays.";
export const LEAST_ROBOT = "A robot has two masses and a spring at least, so that stays.";
export const COPIED_UNTRAINED = "Link copied. It begins untrained: a link cannot hold the weights, but a file can.";
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
export const joinTo = (mass) => `Join mass ${mass} to: choose a mass`;
/** @param {number} a @param {number} b */
export const joinedAlready = (a, b) => `A spring joins masses ${a} and ${b} already.`;
/** @param {number} masses @param {number} springs */
export const robotFull = (masses, springs) => `This page takes ${masses} masses and ${springs} springs at most.`;
/** @param {number | "goal"} grip @param {string} x @param {string} y */
export const holdPlace = (grip, x, y) => `${grip === "goal" ? "Goal" : `Mass ${massName(grip)}`} at x ${x}, y ${y}.`;
/** @param {number | "goal"} grip */
export const holdKeys = (grip) => `Arrow keys move it${grip === "goal" || grip === 0 ? "" : "; Delete removes it"}.`;
/** @param {number} friction */
export const frictionNote = (friction) =>
  friction >= 2 ? "Friction 2: feet stick where they land." : friction === 0 ? "Friction 0: ice." : "";
/** Before any training. @param {boolean} toGoal @param {boolean} isKept whether it walks by the gait that came with it */
export const walkRests = (toGoal, isKept) => {
  if (toGoal) return "Drag the goal, then train it to end there.";
  const first = isKept ? "Press Play to see it walk; Start over, then Train, to see it learn." : "Press Train to see it learn.";
  return `${first} The goal counts once you train it to end there.`;
};
/** How a training stands.
 * @param {"running" | "done" | "paused" | "diverged"} state @param {number} iteration
 * @param {{loss: number, iteration: number} | null} best */
export const trainingOutcome = (state, iteration, best) => {
  const least = best === null || !Number.isFinite(best.loss) ? "none was finite" : `${String(Number(best.loss.toPrecision(3))).replaceAll("-", "\u2212")} at iteration ${best.iteration}`;
  if (state === "running") return "Training.";
  if (state === "done" && best?.iteration === 0) return `Trained for ${iteration} iterations. None was better than the beginning, which is kept.`;
  if (state === "done") return `Trained for ${iteration} iterations. Kept the best: ${least}.`;
  if (state === "paused") return best === null ? "Paused." : `Paused. The best so far: ${least}.`;
  return `Diverged at iteration ${iteration}: the loss or its gradient is not finite. Kept the best: ${least}.`;
};
/** @param {number} iteration @param {string} where @param {boolean} isKept whether there was a best */
export const divergedBecause = (iteration, where, isKept) => `Diverged at iteration ${iteration}${isKept ? "; the best is kept" : ""}. ${where}`;
/** @param {number} step @param {number} mass */
export const robotGone = (step, mass) =>
  `Mass ${mass} is thrown farther than 1 km in step ${step}. Fewer springs at each mass help.`;
/** @param {number} step @param {number} mass */
export const robotNotFinite = (step, mass) => `Not finite: mass ${mass} leaves all bounds in step ${step}.`;
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
export const AXES = { x: "x", y: "y", slope: "slope" };
/** @param {number} origin where it is measured */
export const intercept = (origin) => (origin === 0 ? "intercept" : `height at x = ${origin}`);
/** @param {string} name */
export const setName = (name) => `Anscombe ${name}`;
/** @param {number} number from 1 */
export const pointName = (number) => String(number);
export const FIT_FIELDS = { line: ["Slope of the line", "Intercept of the line"], point: ["x of the point", "y of the point"] };
/** @param {number} number from 1 @param {number} count @param {string} x @param {string} y */
export const pointGripPlace = (number, count, x, y) => `Point ${number} of ${count} at x ${x}, y ${y}.`;
export const POINT_GRIP_KEYS = "Arrow keys move it; Delete removes it.";
/** @param {string} slope @param {string} height */
export const lineGripPlace = (slope, height) => `The line: slope ${slope}, intercept ${height}.`;
export const LINE_GRIP_KEYS = "Arrow keys change them; Home puts it where it began.";
/** @param {number} most */
export const pointsFull = (most) => `There are ${most} points already, the most this page takes.`;
/** @param {string} bytes @param {string | null} microseconds */
export const fitCost = (bytes, microseconds) => {
  const step = microseconds === null ? "" : ` \u00b7 ${microseconds}\u00a0µs a\u00a0step`;
  return `loss and gradient compiled beforehand \u00b7 ${bytes} of WebAssembly${step}`;
};
export const DESCENDING = "Descending.";
export const FIT_RESTS = "Press Descend, or drag a point.";
/** How a descent stands. */
export const FIT_OUTCOMES = /** @type {Record<string, (best: string, iteration: number) => string>} */ ({
  paused: () => "Paused.",
  converged: (best, iteration) => `Converged: after ${iteration} steps no slope is left. Loss ${best}.`,
  circling: (best) => `Going round in circles: the steps are too large to settle. The best loss was ${best}.`,
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

// Tape

/** The formulas of app/tape/tape.py by their ids. */
export const TAPES = /** @type {Record<string, {title: string, note: string}>} */ ({
  survey: { title: "The textbook’s", note: "x and y are used twice each: every use adds its share to the cotangent." },
  power: { title: "Power", note: "One operation, two partial derivatives: both stand in the compiler’s table." },
  distance: { title: "Distance", note: "Going back, the root divides by twice its own value, which is on the tape already." },
  logistic: { title: "Logistic curve", note: "A chain: cotangents are products of slopes, taken from the end. y has no part in it." },
  valley: { title: "Rosenbrock’s valley", note: "At the minimum, (1, 1), every cotangent that reaches x and y is 0." },
  larger: { title: "The larger one", note: "Only what is taken gets a cotangent. Make x y the smaller one and see it change sides." },
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
export const soFar = (count) => `so far; ${count} more to come`;
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
  `${compiled(ms)} \u00b7 ${bytes} of WebAssembly compute all ${count} numbers`;
