// Shows other layouts of the present diagram as small pictures. They are computed in the background, one after the other.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../../model/types.js").DiagramDoc} DiagramDoc */
/** @typedef {import("../../engine/module-source.js").ModuleSource<DiagramArtifact, Layout>} Source */

import { cardOf } from "./cards.js";
import { svgOf } from "./drawing.js";
import { Layout } from "./layout.js";
import * as texts from "./texts.js";

const COUNT = 12;

export class Variations {
  /** @param {HTMLElement} list @param {Source} source @param {(doc: DiagramDoc) => string} specOf
   * @param {(seed: number) => void} choose */
  constructor(list, source, specOf, choose) {
    this.list = list;
    this.source = source;
    this.specOf = specOf;
    this.choose = choose;
    /** Counts the requests, so that an old one ends. */
    this.order = 0;
  }

  /** @param {DiagramDoc} doc @param {number} seed of the present layout */
  async show(doc, seed) {
    this.order += 1;
    const { order } = this;
    this.list.replaceChildren();
    for (let k = 1; k <= COUNT; k++) {
      const spec = this.specOf({ ...doc, seed: seed + k });
      const answer = await this.source.want(spec);
      const artifact = this.source.known.get(spec);
      if (order !== this.order || answer !== "there" || artifact === undefined) return;
      const layout = new Layout(artifact);
      const placed = layout.first();
      const words = layout.holds(placed) ? texts.variation(seed + k) : texts.variationMissed(seed + k, layout.violated(placed).length);
      this.list.append(cardOf(svgOf(artifact, placed.shown), words, () => this.choose(seed + k)));
    }
  }

  /** Ends the work and removes the pictures. */
  clear() {
    this.order += 1;
    this.list.replaceChildren();
  }
}
