// The buttons, lists, switches and keys that every page with a simulation has, together with the page's own.

/** @typedef {import("./controls.js").Controls} Controls */
/**
 * The controls of a page with a simulation. `play`: starts the player, or pauses it if it is playing. `seek`: shows a step.
 * @typedef {Controls & {player: Played, play: () => void, seek: (step: number) => void}} PanelControls
 *
 * The part of the player that these controls use. `step`: the step that is shown.
 * @typedef {{step: number, seek: (step: number) => void, setSpeed: (speed: number) => void}} Played
 */

import { attachControls } from "./controls.js";

/** @param {PanelControls} controls @returns {() => void} removes the listeners outside the page's own elements */
export function attachPanel({ find, refresh, player, play, seek, actions, changes, keys }) {
  const back = () => seek(player.step - 1);
  const forward = () => seek(player.step + 1);
  const speed = (/** @type {HTMLSelectElement} */ { value }) => player.setSpeed(Number(value));
  const moment = find("[name=moment]");
  moment.addEventListener("input", () => seek(Number(moment.value)));
  return attachControls({
    find,
    refresh,
    actions: { ".play": play, ".back": back, ".forward": forward, ...actions },
    changes: { speed, ...changes },
    keys: { p: play, ",": back, ".": forward, ...keys },
  });
}
