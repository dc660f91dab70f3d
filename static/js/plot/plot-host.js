// The parts of <eglantine-plot> that its pictures use. This file contains only types.

/** @typedef {import("../engine/instance.js").Instance} Instance */
/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../widgets/speaker.js").Speaker} Speaker */
/**
 * The parts of <eglantine-plot> that its picture uses.
 * @typedef {object} PlotHost
 * @property {Instance | null} kernel
 * @property {Speaker} speaker
 * @property {(x: number, y: number) => Float64Array} evaluate computes the formula's value and derivatives at a point
 * @property {(change: (doc: Doc) => Doc) => void} edit changes the document
 * @property {() => void} goHome moves the point back to its first place
 * @property {() => void} refresh draws the picture again
 */

export {};
