// Shows a diagram and everything around it.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").DiagramCard} DiagramCard */
/** @typedef {import("../../model/types.js").DiagramDoc} DiagramDoc */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Placed} Placed */
/** @typedef {import("./layout.js").Pull} Pull */
/** @typedef {{resized: () => void, newHandle: (element: HTMLElement, id: string) => void}} DiagramEvents */
/** @typedef {{doc: DiagramDoc, layout: Layout, placed: Placed, pull: Pull | null, isCompiledHere: boolean,
 *   isHeld: boolean}} DiagramScene */

import { format, formatBytes, formatShort } from "../../model/numbers.js";
import { SimulationView } from "../../page/simulation-view.js";
import { Handles } from "../../widgets/handles.js";
import { cardOf } from "./cards.js";
import { DiagramPicture } from "./picture.js";
import { ProgramText } from "./program.js";
import { centreOf } from "./layout.js";
import { TermList } from "./terms.js";
import { aboutShape } from "./words.js";
import * as texts from "../../texts.js";

/** A smaller energy is shown as 0. */
const NOTHING = 1e-6;

export class DiagramView extends SimulationView {
  /** @param {HTMLElement} root @param {DiagramEvents} events */
  constructor(root, events) {
    super(root, texts.NO_PYTHON_DIAGRAMS);
    this.picture = new DiagramPicture(this.find(".place"), events.resized);
    this.pictures = [this.picture];
    /** @type {Handles} */
    this.handles = new Handles(this.find(".grips"), events.newHandle);
    this.terms = new TermList(this.find(".terms"), (term) => this.lightTerm(term));
    this.program = new ProgramText(this.find(".program-text"), (line) => this.lightLine(line));
    /** The gallery's programs, once they are there. @type {Map<string, string>} */
    this.programs = new Map();
    /** @type {DiagramScene | null} */
    this.scene = null;
  }

  /** Lights up the shapes of a relation, and its line. @private @param {number} term −1 for none */
  lightTerm(term) {
    const { shapes, line } = this.scene?.layout.artifact.terms[term] ?? { shapes: [], line: 0 };
    this.picture.mark("is-lit", shapes);
    this.program.light([line]);
  }

  /** Lights up what a line of the program makes. @private @param {number} line 0 for none */
  lightLine(line) {
    const { shapes, terms } = this.scene?.layout.artifact ?? { shapes: [], terms: [] };
    const here = terms.filter((term) => term.line === line);
    const made = [...shapes.keys()].filter((k) => shapes[k].line === line);
    this.picture.mark("is-lit", line === 0 ? [] : [...made, ...here.flatMap((term) => term.shapes)]);
    this.terms.lightLine(line);
    this.program.light([line]);
  }

  /** Marks the shape that is pointed at or held, and its relations. @param {number | null} near @param {number | null} held */
  mark(near, held) {
    this.picture.mark("is-near", near === null ? [] : [near]);
    this.picture.mark("is-held", held === null ? [] : [held]);
    this.terms.light(held ?? near);
  }

  /** @param {number} shape @returns {Point} */
  centreOf(shape) {
    return this.scene === null ? [0, 0] : centreOf(this.scene.placed, shape);
  }

  /** @param {DiagramScene} scene */
  draw(scene) {
    this.scene = scene;
    const { doc, layout, placed, pull, isCompiledHere } = scene;
    const { artifact } = layout;
    const { title, note } = texts.DIAGRAMS[doc.id];
    this.root.style.setProperty("--diagram-ratio", String(artifact.size[0] / artifact.size[1]));
    this.picture.draw(artifact, placed);
    const handles = this.shapeHandles(artifact, placed);
    this.handles.show(handles);
    this.showPin(pull, artifact);
    this.terms.show(layout, placed, scene.isHeld);
    this.find("[name=diagram]").value = doc.id;
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll(".gallery .card"))) card.setAttribute("aria-pressed", String(card.dataset.id === doc.id));
    this.find(".place").setAttribute("aria-label", texts.diagramLabel(title));
    this.text(".about", note);
    this.program.show(this.programs.get(doc.id) ?? "");
    this.data(".energy", Math.abs(placed.energy) < NOTHING ? 0 : placed.energy);
    this.data(".missed", layout.worst(placed), 2);
    this.data(".unknowns", artifact.unknowns.length);
    const { ms, bytes } = artifact.cost;
    const frame = Number.isFinite(layout.fastestMs) ? formatShort(layout.fastestMs) : null;
    this.text(".cost", texts.diagramCost(isCompiledHere ? formatShort(ms) : null, formatBytes(bytes), frame));
    const missed = layout.violated(placed).length;
    this.speaker.say(handles, missed === 0 ? texts.ALL_HOLD : texts.relationsMissedSpoken(missed), this.handles.focused);
  }

  /** @private @param {DiagramArtifact} artifact @param {Placed} placed
   * @returns {import("../../widgets/handles.js").Handle[]} the shapes that can be moved */
  shapeHandles(artifact, placed) {
    return artifact.shapes.flatMap(({ name, kind, moves }, k) => {
      if (!moves) return [];
      const at = centreOf(placed, k);
      const [xPx, yPx] = this.picture.toPx(at);
      const place = texts.shapePlace(name, texts.SHAPE_KINDS[kind], ...rounded(at));
      return [{ id: String(k), place, keys: [...aboutShape(artifact, k), texts.SHAPE_KEYS].join(" "), xPx, yPx }];
    });
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
