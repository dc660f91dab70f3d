// The hint beside the point on a first visit. It goes away after the first drag.

/** Shows a hint, unless the browser remembers that it was hidden on an earlier visit.
 * @param {HTMLElement} hint @param {string} key the name under which the browser remembers this
 * @returns {() => void} a function that hides the hint, now and on later visits */
export function attachHint(hint, key = "eglantine-hint-seen") {
  try {
    hint.hidden = localStorage.getItem(key) !== null;
  } catch {
    hint.hidden = false;
  }
  return () => {
    if (hint.hidden) return;
    hint.hidden = true;
    try {
      localStorage.setItem(key, "1");
    } catch {
      // A browser that keeps nothing shows the hint again next time.
    }
  };
}
