// Keeps the messages that arrive while Penrose's modules still load. Until then the worker has no listener, and the messages
// would be lost.

/** @type {MessageEvent[]} */
export const early = [];
self.onmessage = (event) => early.push(event);
