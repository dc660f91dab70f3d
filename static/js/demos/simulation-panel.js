// The buttons, lists, switches and keys that every page with a simulation has, and those of its own.

/**
 * @typedef {object} Controls
 * @property {(selector: string) => any} find
 * @property {() => void} refresh
 * @property {{step: number, seek: (step: number) => void, setSpeed: (speed: number) => void}} player
 * @property {() => void} play plays or pauses
 * @property {(step: number) => void} seek
 * @property {Record<string, () => void>} actions by the selector of their button
 * @property {Record<string, (control: any) => void>} changes by the name of their control
 * @property {Record<string, () => void>} keys by the key, beside P, comma and full stop
 */

/** @param {Controls} controls @returns {() => void} detaches what lies outside the page's own elements */
export function attachPanel({ find, refresh, player, play, seek, actions, changes, keys }) {
  const back = () => seek(player.step - 1);
  const forward = () => seek(player.step + 1);
  for (const [selector, action] of Object.entries({ ".play": play, ".back": back, ".forward": forward, ...actions })) {
    find(selector).addEventListener("click", action);
  }
  const speed = (/** @type {HTMLSelectElement} */ { value }) => player.setSpeed(Number(value));
  for (const [name, change] of Object.entries({ speed, ...changes })) {
    const control = find(`[name=${name}]`);
    control.addEventListener("change", () => {
      change(control);
      refresh();
    });
  }
  const moment = find("[name=moment]");
  moment.addEventListener("input", () => seek(Number(moment.value)));
  const shortcuts = new Map(Object.entries({ p: play, ",": back, ".": forward, ...keys }));
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const action = shortcuts.get(event.key);
    if (action === undefined || isTyping(event)) return;
    action();
    refresh();
    event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

/** @param {KeyboardEvent} event @returns {boolean} whether its key is meant for a field, or for the browser */
function isTyping({ target, ctrlKey, metaKey, altKey }) {
  const isField = (target instanceof HTMLInputElement && target.type === "text") || target instanceof HTMLSelectElement;
  return isField || ctrlKey || metaKey || altKey;
}
