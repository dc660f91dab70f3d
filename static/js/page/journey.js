// The history of a document whose simulation runs in compiled modules. Some changes of the document need other modules. We
// apply such a change when its modules have been compiled. Until then, the document stays as it is.

/** @template D @typedef {import("../model/history.js").History<D>} History */
/** @template D @typedef {(history: History<D>) => History<D>} Travel */
/**
 * Functions that a page supplies for its history.
 * @template D
 * @typedef {object} JourneyEvents
 * @property {(doc: D) => string} specOf - returns a text that says which modules a document needs
 * @property {import("../engine/module-source.js").ModuleSource<any, any>} source - compiles modules
 * @property {(before: D, hasOtherModules: boolean) => void} adopted - called after the document has changed; `hasOtherModules`:
 *   true if the document now needs other modules than `before`, the document before the change
 * @property {(follows: boolean) => void} arrived - called when the modules have arrived or cannot be made; `follows`: true if a
 *   run may continue from the new document
 * @property {(message: string, stays?: boolean) => void} notify
 * @property {(message: string) => void} retract - removes a message if it is still shown
 * @property {() => string} waiting - returns the message to show while modules are compiled
 */

import * as histories from "../model/history.js";

const SETTLE_MS = 800;

/** @template D */
export class Journey {
  /** @param {D} first @param {JourneyEvents<D>} events */
  constructor(first, events) {
    this.events = events;
    this.history = histories.begin(first);
    /** The change that waits for its modules. @type {Travel<D> | null} */
    this.pending = null;
    /** True if a run may continue after the pending change. An undo, a redo, a reset or a link sets it to false. */
    this.follows = true;
    /** The message shown while a change is pending. */
    this.said = "";
    /** @private */
    this.held = false;
    /** Called when you let go. @private */
    this.onRelease = () => {};
    this.timer = 0;
  }

  /** True while you drag something. The whole drag is one step of undo, even if you pause during the drag. */
  get isHeld() {
    return this.held;
  }

  set isHeld(held) {
    this.held = held;
    if (!held) this.onRelease();
  }

  get present() {
    return this.history.present;
  }

  /** The document after the pending change, or the present document if no change is pending. */
  get wanted() {
    return this.pending === null ? this.present : this.pending(this.history).present;
  }

  get canUndo() {
    return this.history.past.length > 0 || this.pending !== null;
  }

  get canRedo() {
    return this.history.future.length > 0;
  }

  /** Changes the document, as one step of the history. If the changed document needs other modules, waits until these modules
   * are compiled.
   * @param {(doc: D) => D} change @param {string | null} tag changes with the same tag are undone together
   * @param {boolean} ofWanted true to apply a pending change first, if there is one
   * @returns {boolean} whether the document has changed already */
  change(change, tag, ofWanted = false) {
    const before = this.present;
    const travel = (/** @type {History<D>} */ history) => histories.change(history, change(history.present), tag);
    this.travel(travel, true, ofWanted);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => !this.isHeld && this.settle(), SETTLE_MS);
    return this.present !== before;
  }

  /** Replaces the history by another one. If the new document needs other modules, waits until these modules are compiled.
   * @param {Travel<D>} travel makes the new history from the present history
   * @param {boolean} follows whether a run may continue from the new document
   * @param {boolean} ofWanted true to apply a pending change first, if there is one */
  travel(travel, follows = true, ofWanted = false) {
    const { specOf } = this.events;
    const alone = travel(this.history);
    if ((ofWanted && this.pending !== null) || specOf(alone.present) !== specOf(this.present)) this.travelOn(travel, follows);
    else this.adopt(alone);
  }

  /** Changes the state. If an earlier change is still pending, applies that change first.
   * @private @param {Travel<D>} travel @param {boolean} follows */
  travelOn(travel, follows = true) {
    const { history, pending, events: { specOf, source } } = this;
    const both = pending === null ? travel : (/** @type {History<D>} */ from) => travel(pending(from));
    const next = both(history);
    const wanted = specOf(next.present);
    if (source.recall(wanted)) {
      if (pending !== null) this.events.retract(this.said);
      this.pending = null;
      this.adopt(next);
    } else {
      const isAsked = pending !== null && specOf(this.wanted) === wanted;
      this.pending = both;
      this.follows = follows;
      if (!isAsked) this.want(wanted);
    }
  }

  /** @private @param {string} spec */
  async want(spec) {
    const { notify, retract, waiting, specOf, source, arrived } = this.events;
    this.said = waiting();
    notify(this.said, true);
    const answer = await source.want(spec);
    while (this.isHeld) {
      await new Promise((done) => {
        this.onRelease = () => done(null);
      });
    }
    if (this.pending === null || specOf(this.wanted) !== spec) return;
    if (answer === "superseded") {
      // A newer request replaced this one, but meanwhile the page wants this spec again.
      this.want(spec);
      return;
    }
    const { pending } = this;
    this.pending = null;
    if (answer === "there") {
      retract(this.said);
      this.travel(pending);
    } else {
      notify(answer.message);
    }
    arrived(answer === "there" && this.follows);
  }

  /** @private @param {History<D>} history */
  adopt(history) {
    const { specOf, adopted } = this.events;
    const before = this.present;
    this.history = history;
    adopted(before, specOf(before) !== specOf(history.present));
  }

  /** Changes the document without adding a step of undo. This is for changes that a run (a descent or a training) makes.
   * @param {D} doc */
  amend(doc) {
    this.history = histories.amend(this.history, doc);
  }

  /** Adds a step of undo before a run begins. One undo then takes back all changes of the run. @param {D} copy */
  mark(copy) {
    this.history = histories.change(histories.seal(this.history), copy, null);
  }

  /** Ends a run of changes that are undone together. */
  settle() {
    this.history = histories.seal(this.history);
  }

  /** Takes back the last step of a pending change. @returns {boolean} whether a change was pending */
  stepBack() {
    if (this.pending === null) return false;
    if (this.pending(this.history).past.length === 0) this.giveUp();
    else this.travelOn(histories.undo);
    return true;
  }

  /** Discards the pending change. @returns {boolean} whether a change was pending */
  giveUp() {
    if (this.pending === null) return false;
    this.pending = null;
    this.events.retract(this.said);
    return true;
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

/** Makes the `Journey` (the history) of a document that needs no modules. Every change is applied at once.
 * @template D @param {D} first @param {() => void} adopted called after each change of the document @returns {Journey<D>} */
export function plainJourney(first, adopted) {
  const nothing = () => {};
  const source = /** @type {any} */ (null); // never used, because all documents have the same spec
  return new Journey(first, { specOf: () => "", source, adopted, arrived: nothing, notify: nothing, retract: nothing, waiting: () => "" });
}

/** Makes a travel that adds one step. @template D @param {(doc: D) => D} change @returns {Travel<D>} */
export function step(change) {
  return (history) => histories.change(histories.seal(history), change(history.present), null);
}
