// What is said of a picture with several things to drag: the place of the one that moved, then how things stand.

/** @typedef {{id: string | number, place: string}} Placed a thing, and a sentence that names it and its place */

import { Speaker } from "./speaker.js";

export class PlaceSpeaker {
  /** @param {HTMLElement} live with aria-live */
  constructor(live) {
    /** The places and the state that were said last, or that the page began with. @type {Told | null} @private */
    this.told = null;
    /** Those that are to be said next. @type {Told | null} @private */
    this.next = null;
    /** @private */
    this.speaker = new Speaker(live, () => {
      this.told = this.next;
    });
  }

  /** Say what has changed since the last sentence. Of several things that moved, the focused one is named, else the first.
   * @param {readonly Placed[]} placed @param {string} state a sentence @param {unknown} focused the id of a thing */
  say(placed, state, focused = null) {
    const places = new Map(placed.map(({ id, place }) => [id, place]));
    const told = (this.told ??= { places, state, sentence: state });
    const moved = placed.filter(({ id, place }) => told.places.get(id) !== place);
    const named = moved.find(({ id }) => id === focused) ?? moved[0];
    let { sentence } = told;
    if (named !== undefined) sentence = `${named.place} ${state}`;
    else if (state !== told.state) sentence = state;
    this.next = { places, state, sentence };
    this.speaker.say(sentence);
  }

  destroy() {
    this.speaker.destroy();
  }
}

/** @typedef {{places: Map<string | number, string>, state: string, sentence: string}} Told */
