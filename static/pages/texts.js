// Every sentence and word of the pages' HTML. tools/pages.py puts them into the pages, so no page loads this file.
// The texts of only one page’s HTML are in texts/NAME.js, and the texts of several pages are here. The texts of the pages’
// scripts are below static/js, in texts.js, formula-texts.js and pages/NAME/texts.js. The HTML may also use the texts of the
// scripts.

import { TEXTS as billiards } from "./texts/billiards.js";
import { TEXTS as bril } from "./texts/bril.js";
import { TEXTS as diagrams } from "./texts/diagrams.js";
import { TEXTS as fit } from "./texts/fit.js";
import { TEXTS as home } from "./texts/home.js";
import { TEXTS as learn } from "./texts/learn.js";
import { TEXTS as playground } from "./texts/playground.js";
import { TEXTS as quadratic } from "./texts/quadratic.js";
import { TEXTS as regression } from "./texts/regression.js";
import { TEXTS as robot } from "./texts/robot.js";
import { TEXTS as sparse } from "./texts/sparse.js";
import { TEXTS as tape } from "./texts/tape.js";

export * from "../js/formula-texts.js";
export * from "../js/pages/billiards/texts.js";
export * from "../js/pages/bril/texts.js";
export * from "../js/pages/diagrams/texts.js";
export * from "../js/pages/diagrams/trio-texts.js";
export * from "../js/pages/docs/texts.js";
export * from "../js/pages/fit/texts.js";
export * from "../js/pages/learn/texts.js";
export * from "../js/pages/playground/texts.js";
export * from "../js/pages/quadratic/texts.js";
export * from "../js/pages/regression/texts.js";
export * from "../js/pages/robot/texts.js";
export * from "../js/pages/sparse/texts.js";
export * from "../js/pages/tape/texts.js";
export * from "../js/texts.js";

const SHARED = {
  name: "Eglantine",
  quadratic: "Quadratic",
  billiards: "Billiards",
  fit: "Fit",
  regression: "Regression",
  robot: "Robot",
  learn: "Learn",
  tape: "Tape",
  sparse: "Sparse",
  bril: "Bril",
  diagrams: "Diagrams",
  playground: "Playground",
  book: "Book",
  docs: "Docs",
  searchDocs: "Search the documentation",
  openInPlayground: "Open in the playground",
  menu: "Menu",
  pagesToRead: "Read",
  pagesToPlay: "Play",
  pagesToMake: "Make",
  keys: "Keys",
  close: "Close",
  run: "Run",
  stop: "Stop",
  rows: "Rows",
  pages: "Pages",
  mathematics: "The mathematics",
  source: "This page’s source",
  skip: "Skip to the content",
  fullScreen: "Full screen",
  cardAlt: "A grey surface with a pink disc, its quadratic approximation, at a point that can be dragged",
  embedPage: "Embed this",
  report: "Report a problem",
  licence: "MIT licence",
  openWhole: "Open in Eglantine",
  missingTitle: "Eglantine: no such page",
  missingHeading: "There is no page here",
  missingWhat: "The address may have a typo, or the page may have moved.",
  missingHome: "Go to the start page",
  missingUp: "If these links bring you back here, try the address one level up:",
  missingUpLink: "go one folder up",
  damagedTitle: "This page is damaged on this device",
  damagedSentence:
    "The copy of this page on your device has been changed, so it is not shown. Connect to the network and reload to " +
    "get a fresh copy.",
  damagedAgain: "Reload",
  noScript:
    "This page needs JavaScript, because it computes everything in your browser. Turn JavaScript on and reload the page.",
  fromDisk:
    "You opened this page from a folder, and browsers do not run scripts from a folder. Run “python3 serve.py” in " +
    "Eglantine’s folder and open the printed address, or put this folder on a web server.",
  framed: "This page is blank because another site has embedded it.",
  openAlone: "Open the page by itself.",
  theme: "Theme",
  formula: "Formula for z",
  preset: "Examples",
  undo: "Undo",
  redo: "Redo",
  reset: "Reset",
  share: "Copy link",
  export: "Export code",
  values: "Value, gradient and Hessian at the point",
  badge: "Are these numbers right?",
  hint: "Drag the point",
  legendPoint: "the point: drag it",
  legendSurface: "the surface z = f(x, y)",
  legendDisc: "its quadratic approximation",
  legendUphill: "the gradient: straight uphill",
  legendDrag: "drag these",
  legendGoal: "the goal",
  legendContour: "equal loss",
  region: "Region",
  leave: "Leave",
  retry: "Try again",
  formulaShown: "the formula as mathematics",
  namesToComplete: "names to complete",
  table: "Billiards table",
  playback: "Playback",
  play: "Play",
  stepBack: "One step back",
  stepForward: "One step forward",
  moment: "Moment shown, in steps",
  speed: "Speed",
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
  friction: "Friction",
  frictionNumber: "Friction, as a number",
  steps: "Steps",
  stepsNumber: "Steps, as a number",
  exports: "Download",
  exportPng: "Picture as PNG",
  exportSvg: "Picture as SVG",
  train: "Train",
  progress: "Progress of the training",
  startOver: "Start over",
  seed: "Seed",
  gravityNumber: "Gravity, as a number",
  noiseNumber: "Noise, as a number",
  surface: "The loss of every line, by slope (across) and intercept (up)",
  absolute: "Absolute",
  perSecond: "Steps a second",
  point: "Point",
  dataSet: "Data",
  addPoint: "Add a point",
  removePoint: "Remove point",
  chapters: "Chapters of Fit",
  chapterLine: "A line, fitted by descent",
  chapterFormula: "Any formula",
  form: "Form",
  parameters: "Parameters",
  argument: "argument",
  group: "Group",
  row: "Row",
  value: "Value",
};

/** Texts of the pages' HTML, by the data-text or data-label of their element. */
export const TEXTS = /** @type {Record<string, string>} */ ({
  ...SHARED,
  ...billiards,
  ...bril,
  ...diagrams,
  ...fit,
  ...home,
  ...learn,
  ...playground,
  ...quadratic,
  ...regression,
  ...robot,
  ...sparse,
  ...tape,
});

/** The keys of the pages, with their names on keyboards. @type {Record<string, string>} */
export const KEYS = {
  tab: "Tab",
  arrows: "Arrows",
  pageUpDown: "Page Up, Page Down",
  escape: "Escape",
  shift: "Shift + arrows",
  alt: "Alt + arrows",
  upDown: "Up, Down",
  plus: "+, −",
  home: "Home",
  digits: "1 to 8",
  enter: "Enter",
  slash: "/",
  delete: "Delete",
  c: "C",
  p: "P",
  steps: "comma, full stop",
  stop: "full stop",
  o: "O",
  r: "R",
  t: "T",
  e: "E",
  m: "M",
  x: "X",
  run: "Ctrl + Enter",
  leave: "Escape, Tab",
  undo: "Ctrl + Z",
  redo: "Ctrl + Y",
  n: "N",
  help: "?",
};
/** The effects of the keys. @type {Record<string, string>} */
export const KEY_USES = {
  reach: "go to the next thing you can drag or press",
  reachRows: "go to the next row or control",
  reachLists: "go to the next list or control",
  move: "move it",
  moveOrTurn: "move the point, or turn the picture",
  moveOrTurnAll: "move the point or the map, turn the surface or the slice",
  stepViews: "in a presentation: go to the previous view or to the next view",
  endPresentation: "end the presentation",
  tenTimes: "ten times as far",
  tenth: "a tenth as far",
  zoom: "zoom in and out",
  putBack: "put it back where it began",
  chooseOrder: "choose the order of the approximation",
  letGo: "let the node go",
  cutHere: "cut the node’s springs",
  dragOrCut: "switch between dragging and cutting",
  makeTarget: "make a ball the target",
  choose: "choose the row",
  removeBall: "remove the ball",
  removePoint: "remove the point",
  leaveOut: "leave out the point, or include it",
  removePart: "while editing: remove what you chose",
  play: "play or pause",
  step: "one step back or forward",
  oneStep: "descend by one step",
  descend: "descend or pause",
  optimise: "optimise or pause",
  train: "train or pause",
  trainOnce: "train by one step",
  startOver: "start again",
  edit: "edit the robot, or stop editing",
  muscle: "while editing: switch the spring between muscle and plain",
  run: "run the program",
  leave: "leave the editor",
  search: "search the documentation",
  chooseFound: "go to the next result of the search",
  lightUp: "light up the code that a row comes from",
  reachRelations: "in the list of relations: light up the shapes of the next relation",
  unpin: "let go of the pinned shape",
  resample: "try another layout",
  undo: "undo",
  redo: "redo",
  help: "open or close this table",
};
