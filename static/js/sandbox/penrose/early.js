// Keeps the messages that arrive while Penrose's modules still load. A module that waits for another one has no listener yet, and without
// one its messages would be lost.

/** @type {MessageEvent[]} */
export const early = [];
self.onmessage = (event) => early.push(event);
