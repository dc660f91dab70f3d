// The code that all pages with a simulation share. It manages the history, starts and stops a run, reads and writes links,
// tells the visitor what to do next, and decides when to draw. Each page supplies its own parts, such as the function that
// draws.

/** @template D @typedef {import("./journey.js").Journey<D>} Journey */
/** @template D @typedef {import("./journey.js").Travel<D>} Travel */
/** @typedef {import("../engine/compiler.js").Status} Status */
/** @typedef {import("./simulation-view.js").SimulationView} SimulationView */
/** A sentence about the present state, and perhaps a button. `words`: the button's label, or null if there is no button.
 * `remedy`: the function that the button calls, or null.
 * @typedef {{sentence: string, words: string | null, remedy: (() => void) | null}} Outcome */
/**
 * A descent or a training. While it runs, it changes the document.
 * @typedef {object} Run
 * @property {boolean} running
 * @property {boolean} follows - true if the document shows the run's latest state
 * @property {() => void} pause
 * @property {() => void} forget - ends the run and forgets its results
 * @property {() => void} [destroy]
 */
/**
 * The parts that a page with a simulation supplies.
 * @template D
 * @typedef {object} SimulationParts
 * @property {D} first - the document that the page shows when it opens and after a reset
 * @property {Journey<D>} journey
 * @property {SimulationView} display
 * @property {Run} run
 * @property {() => void} start - starts or continues the run from the present document
 * @property {(nowMs: number) => void} draw - draws the present document
 * @property {string} hint - the name of an entry in the browser's storage. If the entry exists, the page does not show its hint
 * @property {() => string} encode - returns the present document as a link's fragment
 * @property {(fragment: string) => {doc: D} | {refused: string}} decode - returns the document in a
 *   fragment, or an error message if the fragment is invalid
 * @property {() => boolean} [takeBack] - takes back a change that waits for its modules, and returns true. Returns false if
 *   there is no such change. `undo` calls this function first
 * @property {() => void} [rewind] - resets what is not in the document. Called by a reset
 * @property {() => void} [ready] - called when Python can compile
 * @property {() => void} [opened] - called when a link's document has been opened
 * @property {() => string} [copied] - returns the message to show after a link was copied
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
    /** The action of the button beside the outcome. @type {(() => void) | null} */
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

  /** Opens the state in the address and draws it. We call `detachers` when the page ends. They
   * are functions that remove the page's own gestures and controls.
   * @param {(() => void)[]} detachers */
  begin(detachers) {
    this.detachers = [...detachers, attachUndoKeys(() => this.undo(), () => this.redo())];
    this.link.open();
    this.render();
  }

  /** True if we can ask Python about the present document. */
  get canAsk() {
    return this.parts.journey.pending === null && this.root.dataset.python === "ready";
  }

  /** The actions of the buttons that every page with a simulation has. Each key is a button's CSS selector.
   * @returns {Record<string, () => void>} */
  get actions() {
    return {
      ".remedy": () => this.remedy?.(),
      ".undo": () => this.undo(),
      ".redo": () => this.redo(),
      ".reset": () => this.reset(),
      ".share": () => this.link.share(),
    };
  }

  /** Tells the history that a drag begins or ends, so that the whole drag becomes one step. @param {boolean} isHeld */
  hold(isHeld) {
    const { journey } = this.parts;
    journey.isHeld = isHeld;
    journey.settle();
  }

  /** Ends a drag's step and draws. */
  release() {
    this.parts.journey.settle();
    this.refresh();
  }

  /** Starts or pauses the run. */
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

  /** Call this when a run begins. One undo then takes back the whole run. */
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

  /** Goes to another state and forgets the run. @param {Travel<D>} travel
   * @param {boolean} ofWanted whether to start from a change that is still compiling */
  goTo(travel, ofWanted = false) {
    const { run, journey } = this.parts;
    run.forget();
    journey.travel(travel, false, ofWanted);
    run.forget();
    this.refresh();
  }

  /** Shows another document. If a change is still pending, the new document becomes the next step after that change.
   * @param {D} doc */
  replace(doc) {
    this.goTo(step(() => doc), true);
  }

  reset() {
    this.parts.rewind?.();
    this.replace(this.parts.first);
  }

  /** Draws the document in the next frame. */
  refresh() {
    if (this.frame === 0) this.frame = requestAnimationFrame((nowMs) => this.render(nowMs));
  }

  /** Draws the document now instead of in the next frame. Call this after a change that waited for Python. */
  drawNow() {
    cancelAnimationFrame(this.frame);
    this.render();
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

  /** Redraws in the colours of another theme. */
  repaint() {
    this.parts.display.repalette();
    this.refresh();
  }

  /** Opens a link. @private @param {string} fragment @returns {string | null} null, or why it cannot be opened */
  open(fragment) {
    const opened = this.parts.decode(fragment);
    if ("refused" in opened) return opened.refused;
    this.goTo(() => histories.begin(opened.doc), true);
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
