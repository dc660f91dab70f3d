/** The value, slopes and curvatures at the point of a surface. */
export interface SurfaceValue {
  readonly x: number;
  readonly y: number;
  readonly f: number;
  readonly fx: number;
  readonly fy: number;
  readonly fxx: number;
  readonly fxy: number;
  readonly fyy: number;
}

/** The value, slope and curvature at the point of a curve. */
export interface CurveValue {
  readonly x: number;
  readonly f: number;
  readonly fx: number;
  readonly fxx: number;
}

/** Shows a compiled formula with a point to drag. It sends `change` whenever the reader has moved the point. */
export interface EglantinePlotElement extends HTMLElement {
  readonly value: SurfaceValue | CurveValue | null;
}

declare global {
  interface HTMLElementTagNameMap {
    "eglantine-plot": EglantinePlotElement;
  }
}
