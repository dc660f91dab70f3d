// The buttons, controls and keys of a page, each with its action.

/**
 * The controls of a page, with the functions that they call.
 * @typedef {object} Controls
 * @property {(selector: string) => any} find - finds an element of the page
 * @property {() => void} refresh - called after the visitor has changed a control or pressed a key
 * @property {Record<string, () => void>} actions - from the CSS selector of each button to the function that its click calls
 * @property {Record<string, (control: any) => void>} changes - from the name of each control to the function that its change
 *   calls
 * @property {Record<string, () => void>} keys - from the name of each key of the keyboard to the function that the key calls
 */

/** @param {Controls} controls @returns {() => void} removes the listeners outside the page's own elements */
export function attachControls({ find, refresh, actions, changes, keys }) {
  for (const [selector, action] of Object.entries(actions)) find(selector).addEventListener("click", action);
  for (const [name, change] of Object.entries(changes)) {
    const control = find(`[name=${name}]`);
    control.addEventListener("change", () => {
      change(control);
      refresh();
    });
  }
  const shortcuts = new Map(Object.entries(keys));
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const action = shortcuts.get(event.key);
    if (action === undefined || isTyping(event)) return;
    action();
    refresh();
    // Escape keeps its meaning in the browser, such as closing a menu.
    if (event.key !== "Escape") event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

/** @param {KeyboardEvent} event @returns {boolean} whether its key is meant for a field or the browser */
export function isTyping(event) {
  const [target] = event.composedPath(); // inside a shadow root, where an editor has its text
  const isField = target instanceof HTMLElement && (target.isContentEditable || target.matches("textarea, select, input[type=text], input:not([type])"));
  return isField || event.ctrlKey || event.metaKey || event.altKey;
}
