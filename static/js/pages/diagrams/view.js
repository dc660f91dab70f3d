// Shows a diagram and everything around it.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").DiagramCard} DiagramCard */
/** @typedef {import("../../model/types.js").DiagramDoc} DiagramDoc */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Placed} Placed */
/** @typedef {import("./layout.js").Pull} Pull */
/** @typedef {{resized: () => void, newHandle: (element: HTMLElement, id: string) => void,
 *   edited: (text: string, isEdit: boolean) => void, wantForces: () => void, scrubbed: (placed: Placed | null) => void}} DiagramEvents */
/** @typedef {{doc: DiagramDoc, layout: Layout, placed: Placed, pull: Pull | null, isCompiledHere: boolean,
 *   isHeld: boolean}} DiagramScene */

import { format, formatBytes, formatShort } from "../../model/numbers.js";
import { SimulationView } from "../../page/simulation-view.js";
import { Handles, nearestHandle } from "../../widgets/handles.js";
import { cardOf } from "./cards.js";
import { DiagramPicture } from "./picture.js";
import { ProgramEditor } from "./program.js";
import { isPenrose, titleOf } from "./registry.js";
import { centreOf } from "./layout.js";
import { TermList } from "./terms.js";
import { aboutShape } from "./words.js";
import * as texts from "./texts.js";

/** A smaller energy is shown as 0. */
const NOTHING = 1e-6;
/** The shortest time between two changes of texts during a drag. Each change of a text makes the browser lay out the page. */
const TEXTS_MS = 100;

export class DiagramView extends SimulationView {
  /** @param {HTMLElement} root @param {DiagramEvents} events */
  constructor(root, events) {
    super(root, texts.NO_PYTHON_DIAGRAMS);
    this.picture = new DiagramPicture(this.find(".place"), events.resized);
    this.pictures = [this.picture];
    /** @type {Handles} */
    this.handles = new Handles(this.find(".grips"), events.newHandle);
    this.terms = new TermList(this.find(".terms"), (term) => this.lightTerm(term));
    this.program = new ProgramEditor(this.find(".program"), { light: (line) => this.lightLine(line), run: events.edited });
    this.events = events;
    /** The section "The way to this layout", or null if nobody has opened it yet.
     * @type {import("./timeline.js").Timeline | null} */
    this.timeline = null;
    this.find(".timeline").addEventListener("toggle", () => this.openTimeline(), { once: true });
    /** The forces that are shown as arrows, or null for no forces. `terms`: the numbers of the terms whose forces are shown.
     * `shape`: the shape on which these forces act, or null to show the forces on all shapes.
     * @type {{terms: readonly number[], shape: number | null} | null} */
    this.pushed = null;
    /** The module that draws the arrows of forces; null until it has loaded. @type {typeof import("./arrows.js") | null} */
    this.arrows = null;
    /** The last shape that was pointed at or focused. The picture marks its points and sizes.
     * @type {number | null} */
    this.chosen = null;
    /** The gallery's programs, once they are there. @type {Map<string, string>} */
    this.programs = new Map();
    /** @type {DiagramScene | null} */
    this.scene = null;
    /** The diagram that was drawn last. @type {DiagramArtifact | null} */
    this.seen = null;
    /** The sentence about the keys of each grip. @type {string[]} @private */
    this.keys = [];
    /** During a drag, the texts may not change before this time. @private */
    this.textsMs = 0;
    this.timer = 0;
  }

  /** @private */
  async openTimeline() {
    const { Timeline } = await import("./timeline.js");
    this.timeline = new Timeline(this.find(".timeline"), this.events.scrubbed);
    if (this.scene !== null) this.timeline.follow(this.scene.layout);
  }

  /** Highlights the shapes of a relation, and the relation's line in the program. @private
   * @param {number} term −1 for none */
  lightTerm(term) {
    const { shapes, line } = this.scene?.layout.artifact.terms[term] ?? { shapes: [], line: 0 };
    this.picture.mark("is-lit", shapes);
    this.program.light([line]);
    this.push(term < 0 ? null : { terms: [term], shape: null });
  }

  /** Shows the forces of some terms. If the module that computes forces has not been loaded yet, asks for it. The arrows then
   * appear when it has been loaded.
   * @param {{terms: readonly number[], shape: number | null} | null} pushed */
  push(pushed) {
    this.pushed = pushed;
    if (pushed !== null && this.scene !== null && this.scene.layout.pushing === null) this.events.wantForces();
    this.showForces();
  }

  /** Draws the arrows of the present layout. */
  showForces() {
    const { scene, pushed, arrows } = this;
    const isThere = scene !== null && pushed !== null && arrows !== null && scene.layout.pushing !== null;
    this.picture.showForces(isThere ? arrows.arrowsOf(arrows.pushesOf(scene.layout, scene.placed, pushed.terms, pushed.shape), scene.layout.artifact.size) : []);
  }

  /** Highlights the shapes and relations that a line of the program makes. @private @param {number} line 0 for none */
  lightLine(line) {
    const { shapes, terms } = this.scene?.layout.artifact ?? { shapes: [], terms: [] };
    const here = terms.filter((term) => term.line === line);
    const made = [...shapes.keys()].filter((k) => shapes[k].line === line);
    this.picture.mark("is-lit", line === 0 ? [] : [...made, ...here.flatMap((term) => term.shapes)]);
    this.terms.lightLine(line);
    this.program.light([line]);
  }

  /** Marks the shape that is pointed at or dragged, and its relations. @param {number | null} near
   * @param {number | null} held */
  mark(near, held) {
    const shapes = (/** @type {number | null} */ grip) => (grip === null ? [] : this.shapesOf(grip));
    this.picture.mark("is-near", shapes(near));
    this.picture.mark("is-held", shapes(held));
    this.point(held ?? near);
  }

  /** Marks the shape that has the focus, and its relations. @param {number | null} grip */
  focus(grip) {
    this.picture.mark("is-focused", grip === null ? [] : this.shapesOf(grip));
    this.point(grip);
  }

  /** @private @param {number | null} grip */
  point(grip) {
    const shape = grip === null ? null : this.shapeOf(grip);
    this.terms.light(shape);
    const terms = this.scene?.layout.artifact.terms ?? [];
    const own = [...terms.keys()].filter((k) => shape !== null && terms[k].shapes.includes(shape));
    this.push(shape === null || this.scene?.isHeld === true ? null : { terms: own, shape });
    if (shape === null || shape === this.chosen) return;
    this.chosen = shape;
    if (this.scene !== null) this.showParts(this.scene);
  }

  /** @private @param {number} grip */
  shapeOf(grip) {
    return this.scene?.layout.artifact.grips[grip]?.[0] ?? grip;
  }

  /** Returns the shape of a grip and, if the shape is a group, the group's members. @private @param {number} grip
   * @returns {number[]} */
  shapesOf(grip) {
    const shape = this.shapeOf(grip);
    const members = this.scene?.layout.artifact.shapes[shape].members ?? [];
    return [shape, ...members];
  }

  /** Finds the mark at a place of the picture, and returns the number of its grip. The chosen shape has a mark for each point
   * and each size that you can drag. Returns null if no mark is near. @param {number} xPx
   * @param {number} yPx
   * @param {number} reachPx @returns {number | null} */
  partAt(xPx, yPx, reachPx) {
    const found = nearestHandle(this.marks(false), xPx, yPx, reachPx);
    if (found === null) return null;
    // In a small shape the middle is near its marks, and a press there takes the whole shape.
    const [middleX, middleY] = this.picture.toPx(this.centreOf(/** @type {number} */ (this.chosen)));
    const isNearer = Math.hypot(found.xPx - xPx, found.yPx - yPx) < Math.hypot(middleX - xPx, middleY - yPx);
    return isNearer ? Number(found.grip) : null;
  }

  /** Returns the marks of the points and sizes of the chosen shape. If `isWhole` is true, adds a mark for the middle of the
   * shape.
   * @private
   * @param {boolean} isWhole
   * @returns {import("../../widgets/handles.js").Handle[]} */
  marks(isWhole) {
    const { scene, chosen } = this;
    if (scene === null || chosen === null) return [];
    return scene.layout.artifact.grips.flatMap(([shape, part], grip) => {
      if (shape !== chosen || (part === "" && !isWhole)) return [];
      const [xPx, yPx] = this.picture.toPx(centreOf(scene.placed, grip));
      return [{ id: String(grip), place: "", keys: "", xPx, yPx }];
    });
  }

  /** @param {number} grip @returns {Point} */
  centreOf(grip) {
    return this.scene === null ? [0, 0] : centreOf(this.scene.placed, grip);
  }

  /** @param {DiagramScene} scene @returns {boolean} whether texts were drawn too */
  draw(scene) {
    this.scene = scene;
    const { layout, placed, pull, isCompiledHere } = scene;
    const { artifact } = layout;
    if (artifact !== this.seen) this.begin(artifact);
    this.picture.draw(artifact, placed, scene.isHeld);
    if (this.isTooEarly(scene.isHeld)) {
      this.handles.move(this.marks(true));
      this.showPin(pull, artifact);
      return false;
    }
    // While you drag a shape, the other grips keep their places and labels until the diagram is at rest.
    const alone = scene.isHeld ? this.chosen : null;
    const handles = this.shapeHandles(artifact, placed, alone);
    if (alone === null) this.handles.show(handles);
    else this.handles.update(handles);
    this.showPin(pull, artifact);
    this.terms.show(layout, placed, scene.isHeld);
    if (scene.isHeld) this.pushed = null;
    else this.showDocument(scene);
    this.showForces();
    this.data(".energy", Math.abs(placed.energy) < NOTHING ? 0 : placed.energy);
    this.data(".missed", layout.worst(placed), 2);
    const { ms, bytes } = artifact.cost;
    const frame = Number.isFinite(layout.fastestMs) ? formatShort(layout.fastestMs) : null;
    this.text(".cost", texts.diagramCost(isCompiledHere ? formatShort(ms) : null, formatBytes(bytes), frame));
    const missed = layout.violated(placed).length;
    this.speaker.say(handles, missed === 0 ? texts.ALL_HOLD : texts.relationsMissedSpoken(missed), this.handles.focused);
    return true;
  }

  /** Shows which diagram this is, and its program. @private @param {DiagramScene} scene */
  showDocument(scene) {
    const { doc, layout } = scene;
    const { title, note } = titleOf(doc.id);
    this.showParts(scene);
    this.timeline?.follow(layout);
    this.find("[name=diagram]").value = doc.id;
    this.find(".program").hidden = isPenrose(doc.id);
    this.find(".resample").disabled = isPenrose(doc.id);
    this.find(".vary").disabled = isPenrose(doc.id);
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(".gallery .card"))) card.setAttribute("aria-pressed", String(card.dataset.id === doc.id));
    this.find(".place").setAttribute("aria-label", texts.diagramLabel(title));
    this.text(".about", note);
    this.program.show(doc.program ?? this.programs.get(doc.id) ?? "", doc.program !== null && doc.data === null);
    this.data(".unknowns", layout.artifact.unknowns.length);
  }

  /** @private @param {DiagramArtifact} artifact another diagram */
  begin(artifact) {
    [this.seen, this.chosen] = [artifact, null];
    this.root.style.setProperty("--diagram-ratio", String(artifact.size[0] / artifact.size[1]));
    this.keys = artifact.grips.map(([shape, part]) => [...(part === "" ? aboutShape(artifact, shape) : []), texts.SHAPE_KEYS].join(" "));
    this.textsMs = 0;
  }

  /** True if the next drawing in a drag includes texts. */
  get isTextDue() {
    return performance.now() >= this.textsMs;
  }

  /** @private @param {boolean} isHeld @returns {boolean} whether texts must wait, which a later frame will then draw */
  isTooEarly(isHeld) {
    const now = performance.now();
    if (isHeld && !this.isTextDue) {
      this.timer ||= window.setTimeout(this.events.resized, this.textsMs - now);
      return true;
    }
    clearTimeout(this.timer);
    this.timer = 0;
    this.textsMs = now + TEXTS_MS;
    return false;
  }

  /** Makes a handle for each grip of a shape that you can drag. @private @param {DiagramArtifact} artifact
   * @param {Placed} placed
   * @param {number | null} alone the shape, or null for the grips of all shapes
   * @returns {import("../../widgets/handles.js").Handle[]} */
  shapeHandles(artifact, placed, alone) {
    const { shapes, grips } = artifact;
    return grips.flatMap(([shape, part], grip) => {
      const { name, kind, moves } = shapes[shape];
      if ((!moves && part === "") || (alone !== null && shape !== alone)) return [];
      const at = centreOf(placed, grip);
      const [xPx, yPx] = this.picture.toPx(at);
      const place = texts.shapePlace(part === "" ? name : texts.partOf(name, part), texts.SHAPE_KINDS[kind], ...rounded(at));
      return [{ id: String(grip), place, keys: this.keys[grip], xPx, yPx }];
    });
  }

  /** Shows the marks of the points and sizes of the chosen shape, and no others. @private @param {DiagramScene} scene */
  showParts({ layout: { artifact } }) {
    for (const [id, element] of this.handles.elements) {
      const [shape, part] = artifact.grips[Number(id)] ?? [];
      element.classList.toggle("is-part", part !== "" && shape === this.chosen);
    }
  }

  /** @private @param {Pull | null} pull @param {DiagramArtifact} artifact */
  showPin(pull, artifact) {
    const button = this.find(".pin");
    button.hidden = pull === null;
    if (pull === null) return;
    const [xPx, yPx] = this.picture.toPx(pull.at);
    button.style.transform = `translate(${xPx.toFixed(1)}px, ${yPx.toFixed(1)}px)`;
    const label = texts.unpin(artifact.shapes[pull.shape].name);
    if (button.getAttribute("aria-label") !== label) {
      button.setAttribute("aria-label", label);
      button.title = label;
    }
  }

  /** Shows the gallery. @param {readonly DiagramCard[]} cards @param {(id: string) => void} choose */
  showCards(cards, choose) {
    this.programs = new Map(cards.map(({ id, text }) => [id, text]));
    const list = this.find(".gallery");
    for (const { id, svg } of cards) {
      const item = cardOf(svg, texts.DIAGRAMS[id].title, () => choose(id));
      item.querySelector("button")?.setAttribute("data-id", id);
      list.append(item);
    }
    if (this.scene !== null) this.draw(this.scene);
  }
}

/** @param {Point} point @returns {[string, string]} in whole units, as they are read aloud */
function rounded([x, y]) {
  return [format(Math.round(x) + 0), format(Math.round(y) + 0)];
}
