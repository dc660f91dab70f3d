// The style inside an <eglantine-plot>. Its colours are custom properties, which come from the page or from the bundle.

export const STYLE = `
:host {
  display: flex;
  flex-direction: column;
  position: relative;
  background: var(--paper);
  color: var(--ink);
  font: var(--size-text) / 1.5 var(--font-text);
  font-variant-numeric: tabular-nums;
}

:host([hidden]) { display: none; }

/* Fills the height that a page may give the element. */
.frame {
  position: relative;
  flex: 1 1 auto;
  height: var(--plot-height, 22rem);
  min-height: 0;
  overflow: hidden;
}

canvas {
  display: block;
  width: 100%;
  height: 100%;
  cursor: move;
  touch-action: pan-y;
}

:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }

.handle {
  position: absolute;
  top: -1.5rem;
  left: -1.5rem;
  width: 3rem;
  height: 3rem;
  border-radius: 50%;
  cursor: grab;
  outline: none;
  touch-action: none;
}

.handle::before, .handle::after {
  position: absolute;
  inset: 0;
  width: 0.875rem;
  height: 0.875rem;
  margin: auto;
  box-sizing: border-box;
  border: 2px solid var(--paper);
  border-radius: 50%;
  background: var(--rose);
  content: "";
}

.handle::after { width: 1.125rem; height: 1.125rem; }

.handle::before {
  width: 2rem;
  height: 2rem;
  border-color: transparent;
  background: var(--rose-ring);
  opacity: 0;
  transition: opacity var(--quick);
}

.handle:hover::before, .handle:focus::before, [data-dragging="point"] .handle::before { opacity: 1; }
.handle:focus-visible::before { border-color: var(--rose); }
.handle.is-behind::after { border: 2px dashed var(--rose); background: var(--paper); }
[data-dragging="point"], [data-dragging="point"] .handle, [data-dragging="view"] canvas { cursor: grabbing; }

.numbers {
  display: flex;
  flex: none;
  flex-wrap: wrap;
  gap: 0 1.25rem;
  min-height: 1.5em;
  margin: 0;
}

.numbers .wide { min-width: 7em; }
.numbers .wider { min-width: 11em; }
.numbers i { color: var(--ink-soft); }
.numbers .gradient, .numbers .gradient i { color: var(--leaf); }
.trouble { margin: 0; padding: 0.5rem; }
.live { position: absolute; top: 0; left: 0; clip-path: inset(50%); }
[hidden] { display: none; }
`;
