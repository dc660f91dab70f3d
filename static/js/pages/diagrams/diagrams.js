// The page "Diagrams": a diagram, its layout, and your actions on it.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").DiagramDoc} DiagramDoc */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./layout.js").Placed} Placed */
/** @typedef {import("./layout.js").Pull} Pull */
/** @typedef {import("./settling.js").Settled} Settled */

import { ModuleSource } from "../../engine/module-source.js";
import { Journey, step } from "../../page/journey.js";
import { SimulationPage } from "../../page/simulation-page.js";
import { FrameTime } from "./frame-time.js";
import { attachDiagram, attachShapeKeys } from "./hands.js";
import { Layout, centreOf } from "./layout.js";
import { decodeDiagram, encodeDiagram } from "./link.js";
import { attachDiagramPanel } from "./panel.js";
import { OF_TRIO, filesOf, isPenrose } from "./registry.js";
import { ProgramSandbox } from "./sandboxed.js";
import { DiagramView } from "./view.js";
import * as texts from "./texts.js";

/** `SimulationPage` expects a run that it can start and pause. A diagram responds to each change at once, so its run does
 * nothing.
 */
const NO_RUN = { running: false, follows: true, pause: () => {}, forget: () => {} };

export class Diagrams {
  /** @param {HTMLElement} root @param {{names: readonly string[], artifact: DiagramArtifact}} loaded the default diagram first
   * @param {Compiler} compiler */
  constructor(root, { names, artifact }, compiler) {
    this.root = root;
    this.names = names;
    this.compiler = compiler;
    /** The sandbox for changed programs, or null if no program has been changed yet. @type {ProgramSandbox | null} */
    this.sandbox = null;
    /** @type {DiagramDoc} */
    this.first = this.fresh(names[0], null);
    this.source = new ModuleSource((spec) => this.compile(spec), (made) => new Layout(made), specOf(this.first), artifact);
    this.journey = new Journey(this.first, {
      specOf,
      source: this.source,
      adopted: (before) => {
        if (before.id !== this.doc.id || before.data !== this.doc.data) this.variations?.clear();
        this.page.refresh();
      },
      arrived: () => this.page.refresh(),
      notify: (message, stays) => this.display.notify(message, stays),
      retract: (message) => this.display.retract(message),
      waiting: () => (root.dataset.python === "ready" ? texts.COMPILING_DIAGRAM : texts.WAITING_DIAGRAM),
    });
    /** The layout of a document. @type {{doc: DiagramDoc, layout: Layout, placed: Placed} | null} */
    this.seen = null;
    /** Documents from links, whose numbers are rounded. @type {WeakSet<DiagramDoc>} */
    this.rounded = new WeakSet();
    /** A drag that one frame could not finish. @type {Pull | null} */
    this.unfinished = null;
    /** True if a new layout was solved for the pointer but is not drawn yet. @private */
    this.hasSolved = false;
    /** @private */
    this.frameTime = new FrameTime();
    /** The end of a drag, while it takes more frames.
     * @type {{parts: Generator<Settled, Settled>, tag: string, over: () => void} | null} @private */
    this.resting = null;
    /** The module that ends drags, once a drag has begun. @type {typeof import("./settling.js") | null} @private */
    this.ending = null;
    /** The program of a link that was shown last. @type {string | null} */
    this.linked = null;
    /** Called when the diagram has been drawn. */
    this.onDraw = () => {};
    /** The layout for which we last requested the module of forces. @type {Layout | null} */
    this.pushed = null;
    /** The unknowns when the drag began. @type {readonly number[] | null} */
    this.home = null;
    /** While a shape's size is dragged: the shape's middle when the drag began. Otherwise null. @type {Point | null} */
    this.stays = null;
    this.display = new DiagramView(root, {
      resized: () => this.page.refresh(),
      newHandle: (element, id) => attachShapeKeys(this.hands, element, id),
      edited: (text, isEdit) => this.runProgram(text, isEdit),
      wantForces: () => this.wantForces(),
      scrubbed: (placed) => this.scrub(placed),
    });
    this.page = this.pageOn();
    /** Other layouts, once somebody has asked for them. @type {import("./variations.js").Variations | null} */
    this.variations = null;
    /** @type {import("./hands.js").DiagramHands} */
    this.hands = {
      page: this.page,
      display: this.display,
      drag: (grip, at) => this.drag(this.pullOf(grip, at)),
      release: (grip, over) => this.release(grip, over),
      nudge: (shape, dx, dy) => this.nudge(shape, dx, dy),
      unpin: () => this.unpin(),
    };
    this.page.begin([attachDiagram(this.hands), attachDiagramPanel(this)]);
  }

  /** @private @returns {SimulationPage<DiagramDoc>} */
  pageOn() {
    /** @type {import("../../page/simulation-page.js").SimulationParts<DiagramDoc>} */
    const parts = {
      first: this.first,
      journey: this.journey,
      display: this.display,
      run: NO_RUN,
      start: () => {},
      draw: () => this.draw(),
      hint: "eglantine-diagram-hint-seen",
      encode: () => encodeDiagram(this.doc),
      decode: (fragment) => {
        const opened = decodeDiagram(fragment, this.names);
        if ("refused" in opened) return { refused: texts.DIAGRAM_REFUSED[opened.refused] };
        this.rounded.add(opened.doc);
        return opened;
      },
      ready: () => this.prepare(),
    };
    return new SimulationPage(this.root, parts);
  }

  get doc() {
    return this.journey.present;
  }

  /** The diagram in use. @returns {DiagramArtifact} */
  get artifact() {
    return this.source.artifact;
  }

  /** The layout of the present document. @returns {Placed} */
  get placed() {
    const { doc, source: { made: layout } } = this;
    if (this.seen?.doc !== doc || this.seen.layout !== layout) this.seen = { doc, layout, placed: this.place(doc, layout) };
    return this.seen.placed;
  }

  /** @private @param {DiagramDoc} doc @param {Layout} layout @returns {Placed} */
  place(doc, layout) {
    if (doc.x === null && doc.warm !== null) return layout.after(doc.warm.unknowns, doc.warm.x);
    if (doc.x === null || doc.x.length !== layout.artifact.unknowns.length) return layout.first();
    return this.rounded.has(doc) ? layout.solve(doc.x, this.pull) : layout.at(doc.x);
  }

  /** The shape that stays where it was dragged. @returns {Pull | null} */
  get pull() {
    const { pin } = this.doc;
    if (pin === null) return null;
    const { shapes, grips } = this.artifact;
    const grip = grips.findIndex(([shape, part]) => shapes[shape].moves && shapes[shape].name === pin.shape && part === pin.part);
    return grip < 0 ? null : { shape: grips[grip][0], grip, at: pin.at, stays: pin.stays };
  }

  /** Makes a pull that moves a grip to a point. If the grip changes a shape's size, the pull also holds the shape's middle at
   * its place. @private
   * @param {number} grip @param {Point} at
   * @returns {Pull} */
  pullOf(grip, at) {
    const [shape, part] = this.artifact.grips[grip];
    const isSize = part !== "" && !part.startsWith("point");
    return { shape, grip, at, stays: isSize ? (this.stays ??= centreOf(this.placed, shape)) : null };
  }

  // Your actions. Each makes the next document, and then `refresh` shows it.

  /** Compiles the gallery's second diagram. This makes Python load its modules before the visitor chooses another diagram.
   * @private */
  prepare() {
    this.page.refresh();
    if (this.journey.pending === null) this.source.prepare(specOf(this.fresh(this.names[1], null)));
  }

  /** Goes to another diagram of the gallery. @param {string} id */
  choose(id) {
    this.page.replace(this.fresh(id, null));
  }

  /** Computes the diagram's layout for another seed. @param {number} seed */
  resample(seed = this.artifact.seed + 1) {
    this.page.goTo(step((doc) => ({ ...this.fresh(doc.id, seed), program: doc.program, trio: doc.trio, data: doc.data })));
  }

  /** Shows other layouts of this diagram. */
  async vary() {
    const { Variations } = await import("./variations.js");
    this.variations ??= new Variations(this.display.find(".variations"), this.source, specOf, (seed) => this.resample(seed));
    this.variations.show(this.doc, this.artifact.seed);
  }

  /** @private @param {string} id @param {number | null} seed @returns {DiagramDoc} a diagram as it is laid out at first */
  fresh(id, seed) {
    return { id, seed, x: null, pin: null, program: null, trio: null, data: null, warm: null };
  }

  /** Gets the module of forces for the present diagram. */
  async wantForces() {
    const { doc: { id, data }, source: { made: layout } } = this;
    if (this.pushed === layout || isPenrose(id) || this.root.dataset.python !== "ready") return;
    this.pushed = layout;
    const [answer, arrows] = await Promise.all([this.compiler.compileForces(id, data), import("./arrows.js")]);
    this.display.arrows = arrows;
    if ("artifact" in answer) layout.takeForces(answer.artifact);
    else this.pushed = null;
    this.display.showForces();
  }

  /** Shows a layout from an earlier iteration of the solver. If `placed` is null, shows the present layout.
   * @param {Placed | null} placed */
  scrub(placed) {
    if (placed === null) this.draw();
    else this.display.draw({ ...this.scene, placed, pull: null });
  }

  /** @private @param {string} spec */
  async compile(spec) {
    const [id, , data] = JSON.parse(spec);
    if (!isPenrose(id)) return this.compiler.compileDiagram(spec);
    try {
      const [graph, shapes] = data === undefined ? await filesOf(id) : JSON.parse(data);
      const [answer, { graphKernel }] = await Promise.all([this.compiler.compilePenrose(graph, shapes), import("./graph-kernel.js")]);
      return "artifact" in answer ? { ...answer, artifact: { ...answer.artifact, makeKernel: graphKernel } } : answer;
    } catch {
      return { error: { message: texts.NO_PENROSE, column: 0, end_column: 0, suggestion: null, kind: "Error" } };
    }
  }

  /** Shows the program from a link, with a note on how to run it. The program runs only when the visitor presses Run.
   * @private */
  offerLinked() {
    const { program, data } = this.doc;
    if (program === null || data !== null || program === this.linked) return;
    this.linked = program;
    this.display.program.offer();
  }

  /** Runs a changed program in the sandbox, and shows the diagram that it makes. A shape that was in the last diagram too (with
   * the same name) starts at its place there.
   * @param {string} text @param {boolean} isEdit true if it is an edit of the program that ran last */
  async runProgram(text, isEdit) {
    const { program } = this.display;
    this.sandbox ??= new ProgramSandbox(this.compiler.python.manifest, () => {});
    program.say(texts.RUNNING_PROGRAM);
    const ran = await this.sandbox.run(text, isEdit);
    if ("superseded" in ran) return;
    if ("trouble" in ran) program.refuse(ran.trouble);
    else if ("failed" in ran) program.say(texts.PROGRAM_FAILED);
    else {
      program.say("");
      const warm = { unknowns: this.artifact.unknowns, x: this.placed.x };
      this.page.goTo(step(({ id }) => ({ ...this.fresh(id, null), program: text, data: ran.data, warm })));
    }
  }

  /** Shows the diagram that Penrose made of a trio. @param {import("../../model/types.js").Trio} trio @param {string} data */
  showTrio(trio, data) {
    this.page.replace({ ...this.fresh(OF_TRIO, null), trio, data });
  }

  /** Pulls a shape, and lets the whole diagram follow. @param {Pull} pull */
  drag(pull) {
    const { placed: from, source: { made: layout } } = this;
    if (this.ending === null) void this.loadEnding();
    const leftMs = this.frameTime.left(this.display.isTextDue ? "texts" : "plain");
    const placed = layout.frame(from, pull, (this.home ??= from.x), leftMs);
    this.resting = null;
    this.unfinished = placed.isOver ? null : pull;
    this.hasSolved = true;
    this.adopt(placed, pull, `drag ${pull.grip}`);
  }

  /** Ends a drag. The solver moves the shapes so that the relations hold again. The dragged shape stays at the pointer
   * if the relations allow it. @param {number} grip
   * @param {() => void} over called when the diagram has settled */
  release(grip, over) {
    this.unfinished = null;
    const { home } = this;
    [this.home, this.stays] = [null, null];
    if (this.pull?.grip === grip) this.settle(this.pull, home, `drag ${grip}`, over);
    else over();
  }

  /** @param {number} grip @param {number} dx @param {number} dy as shares of the canvas */
  nudge(grip, dx, dy) {
    const [x, y] = this.pull?.grip === grip ? this.pull.at : centreOf(this.placed, grip);
    const size = Math.min(...this.artifact.size);
    this.stays = null;
    this.settle(this.pullOf(grip, [x + dx * size, y + dy * size]), null, `keys ${grip}`, () => {});
    this.stays = null;
  }

  /** Releases the pinned shape. */
  unpin() {
    if (this.doc.pin === null) return;
    this.journey.settle();
    this.settle(null, null, "unpin", () => {});
  }

  /** @private @param {Pull | null} pull or null to let the diagram go @param {readonly number[] | null} home where a drag began
   * @param {string} tag @param {() => void} over */
  settle(pull, home, tag, over) {
    if (this.ending === null) {
      void this.loadEnding().then(() => this.settle(pull, home, tag, over));
      return;
    }
    this.resting = { parts: this.ending.resting(this.source.made, this.placed.x, pull, home), tag, over };
    this.rest();
  }

  /** @private */
  async loadEnding() {
    this.ending = await import("./settling.js");
  }

  /** Lets the diagram settle during one frame. If it needs longer, the next frame continues. @private */
  rest() {
    if (this.resting === null) return;
    const { parts, tag, over } = this.resting;
    const { value: { placed, pull }, done } = parts.next();
    if (done) this.resting = null;
    this.adopt(placed, pull, tag);
    if (done) over();
  }

  /** @private @param {Placed} placed @param {Pull | null} pull @param {string | null} tag */
  adopt(placed, pull, tag) {
    const { shapes, grips } = this.artifact;
    const pin = pull === null ? null : { shape: shapes[pull.shape].name, part: grips[pull.grip][1], at: pull.at, stays: pull.stays };
    this.journey.change((doc) => ({ ...doc, x: placed.x, pin }), tag);
    this.seen = { doc: this.doc, layout: this.source.made, placed };
    this.page.refresh();
  }

  /** @private @returns {import("./view.js").DiagramScene} */
  get scene() {
    const { doc, journey, source, placed } = this;
    return { doc, layout: source.made, placed, pull: this.pull, isCompiledHere: source.isCompiledHere, isHeld: journey.isHeld };
  }

  /** @private */
  draw() {
    if (this.unfinished !== null && this.journey.isHeld) {
      // The frame in which the pointer has moved has solved already.
      if (this.hasSolved) this.page.refresh();
      else this.drag(this.unfinished);
    } else if (this.resting !== null && this.seen?.doc === this.doc) {
      this.rest();
    }
    this.hasSolved = false;
    this.frameTime.measure(() => this.show());
  }

  /** Draws the picture, and perhaps the texts around it. @private @returns {boolean} whether texts were drawn too */
  show() {
    const { journey, display } = this;
    if (!display.draw(this.scene)) return false;
    display.timeline?.end();
    this.offerLinked();
    this.onDraw();
    display.showJourney(journey);
    this.page.showOutcome(this.outcome());
    this.page.link.plan(!journey.isHeld && journey.pending === null);
    return true;
  }

  /** @private @returns {import("../../page/simulation-page.js").Outcome} */
  outcome() {
    const { placed, artifact, source: { made: layout } } = this;
    const violated = layout.violated(placed);
    if (violated.length === 0) {
      const count = artifact.terms.filter(({ must }) => must).length;
      return { sentence: texts.relationsHold(count), words: null, remedy: null };
    }
    const sentence = texts.relationsMissed(violated.length, artifact.terms[violated[0]].words, placed.amounts[violated[0]]);
    if (this.doc.pin !== null) return { sentence, words: texts.UNPIN, remedy: () => this.unpin() };
    return { sentence, words: texts.OTHER_START, remedy: () => this.resample() };
  }
}

/** @param {DiagramDoc} doc @returns {string} the module and the starts that a document needs */
function specOf({ id, seed, data }) {
  if (data !== null) return JSON.stringify([id, seed, data]);
  return JSON.stringify(seed === null ? [id] : [id, seed]);
}
