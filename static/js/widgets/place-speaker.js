// Describes a picture with several draggable things to screen readers: first the place of the thing that moved, then the
// picture's state.

/** @typedef {{id: string | number, place: string}} Placed a draggable thing. `place`: a sentence that names the thing and says
 * where it is */

import { Speaker } from "./speaker.js";

export class PlaceSpeaker {
  /** @param {HTMLElement} live with aria-live */
  constructor(live) {
    /** The places and the state that were announced last. Before the first announcement, these are the first places and the
     * first state that the page had.
     * @type {Told | null} @private */
    this.told = null;
    /** The places and the state to announce next. @type {Told | null} @private */
    this.next = null;
    /** @private */
    this.speaker = new Speaker(live, () => {
      this.told = this.next;
    });
  }

  /** Announces a change to screen readers. If things have moved, the announcement names only one of them: the thing that has
   * the focus or, if that thing has not moved, the first moved thing.
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
