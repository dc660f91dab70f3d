// The <eglantine-plot> as its picture sees it. Nothing here runs.

/** @typedef {import("../engine/kernel.js").Kernel} Kernel */
/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../widgets/speaker.js").Speaker} Speaker */
/**
 * The parts of the element that a picture needs.
 * @typedef {object} PlotHost
 * @property {Kernel | null} kernel
 * @property {Speaker} speaker
 * @property {(x: number, y: number) => Float64Array} evaluate
 * @property {(change: (doc: Doc) => Doc) => void} edit
 * @property {() => void} goHome
 * @property {() => void} refresh
 */

export {};
