// What a small picture of a page is to the gallery.

/** @typedef {(ctx: CanvasRenderingContext2D, widthPx: number, heightPx: number) => void} Thumbnail */

/** The room around what is drawn. */
export const PADDING_PX = 8;
