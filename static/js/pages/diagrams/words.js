// Describes a diagram's relations in words.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */

import * as texts from "./texts.js";

/** Describes the relations of a shape for screen readers, such as "Contains B." Returns a sentence for each relation that must
 * hold between the shape and one other shape, if SHAPE_RELATIONS has words for it.
 * @param {DiagramArtifact} artifact @param {number} shape @returns {string[]} sentences */
export function aboutShape({ shapes, terms }, shape) {
  return terms.flatMap(({ name, shapes: about, must }) => {
    const words = texts.SHAPE_RELATIONS[name];
    if (!must || words === undefined || about.length !== 2 || !about.includes(shape)) return [];
    const isFirst = about[0] === shape;
    return [words[isFirst ? 0 : 1](shapes[about[isFirst ? 1 : 0]].name)];
  });
}
