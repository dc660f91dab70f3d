// A document's way through its history, where some states need modules of their own: a change is applied when its
// modules are there, and until then the present state goes on.

/** @template D @typedef {import("../model/history.js").History<D>} History */
/** @template D @typedef {(history: History<D>) => History<D>} Travel */
/**
 * @template D
 * @typedef {object} JourneyEvents
 * @property {(doc: D) => string} specOf what modules a document needs
 * @property {import("../engine/module-source.js").ModuleSource<any, any>} source
 * @property {(before: D, hasOtherModules: boolean) => void} adopted another state is the present one
 * @property {(follows: boolean) => void} arrived what was wanted is there, and the present
 * @property {(message: string, stays?: boolean) => void} notify
 * @property {(message: string) => void} retract takes a message back, where no other has taken its place
 * @property {() => string} waiting what is said meanwhile
 */

import * as histories from "../model/history.js";

const SETTLE_MS = 800;

/** @template D */
export class Journey {
  /** @param {D} first @param {JourneyEvents<D>} events */
  constructor(first, events) {
    this.events = events;
    this.history = histories.begin(first);
    /** What is to be done when the modules for it are there. @type {Travel<D> | null} */
    this.pending = null;
    /** Whether that is then followed, as any change is but going back. */
    this.follows = true;
    /** What is said while it is pending. */
    this.said = "";
    /** @private */
    this.held = false;
    /** Told when what is held is let go. @private */
    this.onRelease = () => {};
    this.timer = 0;
  }

  /** Whether something is held: one drag is one step, however long it is held still, and whatever arrives meanwhile. */
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

  /** What the present is to become; else the present. */
  get wanted() {
    return this.pending === null ? this.present : this.pending(this.history).present;
  }

  get canUndo() {
    return this.history.past.length > 0 || this.pending !== null;
  }

  get canRedo() {
    return this.history.future.length > 0;
  }

  /** @param {(doc: D) => D} change @param {string | null} tag changes with the same tag are undone together
   * @param {boolean} ofWanted the change is of what is wanted, where that is not there yet
   * @returns {boolean} whether the present is another one now */
  change(change, tag, ofWanted = false) {
    const before = this.present;
    const travel = (/** @type {History<D>} */ history) => histories.change(history, change(history.present), tag);
    if (ofWanted && this.pending !== null) this.travelOn(travel);
    else this.travel(travel);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => !this.isHeld && this.settle(), SETTLE_MS);
    return this.present !== before;
  }

  /** Goes to another state, at once if its modules are there, else when they are. @param {Travel<D>} travel
   * @param {boolean} follows */
  travel(travel, follows = true) {
    const alone = travel(this.history);
    if (this.events.specOf(alone.present) === this.events.specOf(this.present)) this.adopt(alone);
    else this.travelOn(travel, follows);
  }

  /** Goes on from what is wanted. @private @param {Travel<D>} travel @param {boolean} follows */
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
      // By a question that is no longer of use.
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

  /** The present goes on by itself: no step of its own. @param {D} doc */
  amend(doc) {
    this.history = histories.amend(this.history, doc);
  }

  /** What is done from here on is undone at once, back to the present. @param {D} copy */
  mark(copy) {
    this.history = histories.change(histories.seal(this.history), copy, null);
  }

  /** Ends a run of changes that are undone together. */
  settle() {
    this.history = histories.seal(this.history);
  }

  /** Takes back the last step towards what is pending. @returns {boolean} whether anything was */
  stepBack() {
    if (this.pending === null) return false;
    const wanted = this.pending(this.history);
    if (wanted.past.length === 0) this.giveUp();
    else this.travelOn(histories.undo);
    return true;
  }

  /** Gives up what is pending. @returns {boolean} whether anything was */
  giveUp() {
    const was = this.pending !== null;
    this.pending = null;
    if (was) this.events.retract(this.said);
    return was;
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

/** That of a document that needs no modules: every change is applied at once.
 * @template D @param {D} first @param {() => void} adopted another state is the present one @returns {Journey<D>} */
export function plainJourney(first, adopted) {
  const nothing = () => {};
  const source = /** @type {any} */ (null); // never asked, as all documents need the same
  return new Journey(first, { specOf: () => "", source, adopted, arrived: nothing, notify: nothing, retract: nothing, waiting: () => "" });
}

/** A travel that makes one step. @template D @param {(doc: D) => D} change @returns {Travel<D>} */
export function step(change) {
  return (history) => histories.change(histories.seal(history), change(history.present), null);
}
