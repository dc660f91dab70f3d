// What every page with a simulation does alike: how it goes through its history, starts and stops what runs, reads and
// writes its link, says what may be done next, and when it draws. A page gives the parts.

/** @template D @typedef {import("./journey.js").Journey<D>} Journey */
/** @template D @typedef {import("./journey.js").Travel<D>} Travel */
/** @typedef {import("../engine/compiler.js").Status} Status */
/** @typedef {import("./simulation-view.js").SimulationView} SimulationView */
/** What is said of the present state; `words` are those of the button that does `remedy`.
 * @typedef {{sentence: string, words: string | null, remedy: (() => void) | null}} Outcome */
/**
 * A descent or a training: it amends the document by itself while it runs.
 * @typedef {object} Run
 * @property {boolean} running
 * @property {boolean} follows whether it is where the document is
 * @property {() => void} pause
 * @property {() => void} forget the document is elsewhere now
 * @property {() => void} [destroy]
 */
/**
 * @template D
 * @typedef {object} SimulationParts
 * @property {D} first the document that the page begins with, and is reset to
 * @property {Journey<D>} journey
 * @property {SimulationView} display
 * @property {Run} run
 * @property {() => void} start lets the run go on from the present document
 * @property {(nowMs: number) => void} draw draws the present document
 * @property {string} hint the browser remembers by it that the hint was seen
 * @property {() => string} encode the present document as a link's fragment
 * @property {(fragment: string) => {doc: D} | {refused: string}} decode `refused` is a sentence why it cannot be opened
 * @property {() => boolean} [takeBack] takes back what is not there yet, before any step; whether anything was
 * @property {() => void} [rewind] puts back what is not in the document, when the page is reset
 * @property {() => void} [ready] Python can compile now
 * @property {() => void} [opened] the document is one that a link named
 * @property {() => string} [copied] what is said of a link that was copied
 * @property {() => void} [destroy]
 */

import { attachUndoKeys } from "../gestures/keys.js";
import * as histories from "../model/history.js";
import { attachHint } from "../widgets/hint.js";
import { step } from "./journey.js";
import { Link } from "./share.js";

/** @template {object} D */
export class SimulationPage {
  /** @param {HTMLElement} root @param {SimulationParts<D>} parts */
  constructor(root, parts) {
    this.root = root;
    this.parts = parts;
    this.frame = 0;
    /** What the button beside the outcome does. @type {(() => void) | null} */
    this.remedy = null;
    /** @type {(() => void)[]} */
    this.detachers = [];
    const { display, hint, encode, copied } = parts;
    this.hideHint = attachHint(display.find(".hint"), hint);
    this.link = new Link({
      encode,
      copied,
      open: (fragment) => this.open(fragment),
      notify: (message) => display.notify(message),
    });
  }

  /** Goes to the state that the address names, and draws. @param {(() => void)[]} detachers of the page's own gestures and
   * controls */
  begin(detachers) {
    this.detachers = [...detachers, attachUndoKeys(() => this.undo(), () => this.redo())];
    this.link.open();
    this.render();
  }

  /** Whether Python may be asked about the present document. */
  get canAsk() {
    return this.parts.journey.pending === null && this.root.dataset.python === "ready";
  }

  /** What the buttons do that every such page has, by their selectors. @returns {Record<string, () => void>} */
  get actions() {
    return {
      ".remedy": () => this.remedy?.(),
      ".undo": () => this.undo(),
      ".redo": () => this.redo(),
      ".reset": () => this.reset(),
      ".share": () => this.link.share(),
    };
  }

  /** Something is held, or let go: a drag is one step. @param {boolean} isHeld */
  hold(isHeld) {
    const { journey } = this.parts;
    journey.isHeld = isHeld;
    journey.settle();
  }

  /** What was held is where it is to be. */
  release() {
    this.parts.journey.settle();
    this.refresh();
  }

  /** Starts what runs, or pauses it. */
  toggle() {
    const { run, start } = this.parts;
    if (run.running) {
      run.pause();
    } else {
      this.mark();
      start();
    }
    this.refresh();
  }

  /** What a run does is undone at once, back to where it began. */
  mark() {
    const { run, journey } = this.parts;
    if (!run.follows) journey.mark({ ...journey.present });
  }

  undo() {
    const { journey, takeBack = () => journey.stepBack() } = this.parts;
    if (takeBack()) this.refresh();
    else this.goTo(histories.undo);
  }

  redo() {
    this.goTo(histories.redo);
  }

  /** To a state as it was: nothing runs from it by itself. @param {Travel<D>} travel */
  goTo(travel) {
    const { run, journey } = this.parts;
    run.forget();
    journey.travel(travel, false);
    run.forget();
    this.refresh();
  }

  reset() {
    this.parts.rewind?.();
    this.goTo(step(() => this.parts.first));
  }

  /** Brings everything into line with the document, in the next frame. */
  refresh() {
    if (this.frame === 0) this.frame = requestAnimationFrame((nowMs) => this.render(nowMs));
  }

  /** @private */
  render(nowMs = performance.now()) {
    this.frame = 0;
    this.parts.draw(nowMs);
  }

  /** @param {Outcome} outcome */
  showOutcome({ sentence, words, remedy }) {
    this.remedy = remedy;
    this.parts.display.showOutcome(sentence, words);
  }

  /** @param {Status} status of the compiler */
  showStatus(status) {
    this.parts.display.showStatus(status);
    if (status.phase === "ready") this.parts.ready?.();
  }

  /** The theme has changed. */
  repaint() {
    this.parts.display.repalette();
    this.refresh();
  }

  /** What a link says. @private @param {string} fragment @returns {string | null} why it cannot be opened */
  open(fragment) {
    const opened = this.parts.decode(fragment);
    if ("refused" in opened) return opened.refused;
    this.goTo(() => histories.begin(opened.doc));
    this.parts.opened?.();
    return null;
  }

  destroy() {
    const { journey, run, display, destroy } = this.parts;
    destroy?.();
    journey.destroy();
    this.link.destroy();
    cancelAnimationFrame(this.frame);
    for (const detach of this.detachers) detach();
    run.destroy?.();
    display.destroy();
  }
}
