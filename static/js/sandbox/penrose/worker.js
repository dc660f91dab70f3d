// Compiles visitors' trios of Penrose programs, in a worker of the sandboxed frame. The frame's security policy also holds for
// the worker. It forbids the worker to fetch anything and to turn text into code. Penrose needs neither, because its code
// generator makes WebAssembly modules.
//
// The messages have the same form as in ../worker.js. The worker receives {kind: "begin", alive}, {kind: "ping", token} and
// {kind: "ask", id, args: [trio]}. The worker sends "ready", "begun", "answer", "pong" and "failed".

import { early } from "./early.js";
import { compileTrio } from "./trio.js";

const post = self.postMessage.bind(self);

// Penrose measures texts with a canvas that it asks of a document.
/** @type {any} */ (globalThis).document = {
  createElement: () => Object.assign(new OffscreenCanvas(1, 1), { remove: () => {} }),
};

/** @param {MessageEvent} event */
async function receive({ data }) {
  try {
    if (data.kind === "begin") Object.assign(self, { alive: data.alive }); // the frame learns from this port when the worker has ended
    else if (data.kind === "ping") post({ kind: "pong", token: data.token });
    else if (data.kind === "ask") await answer(data);
  } catch (error) {
    post({ kind: "failed", reason: String(error) });
  }
}

/** @param {{id: number, args: any[]}} request */
async function answer({ id, args: [trio] }) {
  post({ kind: "begun", id });
  const compiled = await compileTrio(trio).catch((error) => ({ refused: `Penrose stopped: ${error.message}` }));
  post({ kind: "answer", id, json: JSON.stringify(compiled), modules: [] });
}

self.onmessage = receive;
for (const event of early.splice(0)) receive(event);
post({ kind: "ready", start: "snapshot", reason: "" });
