// The small picture of a page in the gallery.

/** @typedef {(ctx: CanvasRenderingContext2D, widthPx: number, heightPx: number) => void} Thumbnail */

/** The room around the drawing. */
export const PADDING_PX = 8;
