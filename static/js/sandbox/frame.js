// The script of the sandboxed frame. It starts the worker in which Python runs a visitor's program. The program can make the
// worker send any message. So this script passes on only strings, numbers and binary data, and limits the number and size of
// the messages. It can also end the worker.
//
// The first message from the page contains a port. Through the port, the page sends {kind: "start", script},
// {kind: "interrupt"}, and messages for the worker. This script sends to the page the worker's messages, and
// {kind: "gone", reason} when the worker has ended.

/** The number that Python reads as Ctrl-C. */
const SIGINT = 2;
/** After each request of the page, the worker may send at most MOST_MESSAGES messages, with at most MOST_SIZE characters and
 * bytes in total. */
const MOST_MESSAGES = 20_000;
const MOST_SIZE = 1 << 27;
/** The longest time, in milliseconds, in which the worker must reply to a check. After an answer, the worker must be idle, and
 * we check this with a message. If no reply comes in time, a program is still running and has forged the answer. */
const LONGEST_SILENCE_MS = 10_000;
/** We check an idle worker after every pause of this length. A program may have left code in the worker that runs later. */
const PAUSE_MS = 5000;
/** We pass these fields of a message on to the page if they have these types. @type {Record<string, string>} */
const FIELDS = { kind: "string", id: "number", share: "number", json: "string", name: "string", start: "string", reason: "string" };
const MOST_MODULES = 8;

/** @type {{createScriptURL: (address: string) => any} | undefined} undefined if the browser has no Trusted Types */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("eglantine", { createScriptURL: String });

let isServed = false;
addEventListener("message", ({ source, ports: [port] }) => {
  // A stranger's page could frame this document by its address. Then the worker would have the site's origin.
  if (self.origin !== "null" || source !== parent || port === undefined || isServed) return;
  isServed = true;
  serve(port);
});

/** @param {MessagePort} page */
function serve(page) {
  const interrupt = globalThis.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
  /** @type {Worker | null} */
  let worker = null;
  let [messages, size] = [0, 0];
  /** During a check, the worker must send this number back. Null at other times. @type {number | null} */
  let token = null;
  let [silence, pause] = [0, 0];
  /** The number of the request that the worker is answering, or null. @type {number | null} */
  let asked = null;
  const quiet = () => {
    clearTimeout(silence);
    clearTimeout(pause);
  };
  const end = (/** @type {string} */ reason) => {
    if (worker === null) return;
    quiet();
    worker.terminate();
    worker = null;
    page.postMessage({ kind: "gone", reason });
  };
  const awaitSilence = () => {
    [token] = crypto.getRandomValues(new Uint32Array(1));
    quiet();
    silence = window.setTimeout(() => end("silence"), LONGEST_SILENCE_MS);
    worker?.postMessage({ kind: "ping", token });
  };
  const rest = () => {
    token = null;
    quiet();
    if (asked === null) pause = window.setTimeout(awaitSilence, PAUSE_MS);
  };
  const answered = (/** @type {Flat} */ message) => {
    if (asked === null) end("forged"); // a request has only one answer
    if (message.id !== asked || worker === null) return;
    asked = null;
    page.postMessage(message, message.modules ?? []);
    awaitSilence();
  };
  const relay = (/** @type {any} */ said) => {
    const message = flat(said);
    if (message.kind === "pong" && token !== null && said.token === token) {
      rest();
      return;
    }
    messages += 1;
    size += sizeOf(message);
    if (messages > MOST_MESSAGES || size > MOST_SIZE) end("flood");
    else if (message.kind === "answer") answered(message);
    else if (message.kind !== "pong" && worker !== null) page.postMessage(message, message.modules ?? []);
  };
  const start = (/** @type {ArrayBuffer} */ script) => {
    const { port1: alive, port2: theirs } = new MessageChannel();
    worker = begun(script);
    worker.onmessage = ({ data }) => relay(data);
    worker.onerror = (event) => {
      event.preventDefault();
      end(`error: ${event.message}`);
    };
    alive.addEventListener("close", () => end("closed")); // closes when the worker ends for whatever reason
    alive.start();
    worker.postMessage({ kind: "begin", interrupt, alive: theirs }, [theirs]);
  };
  page.onmessage = ({ data }) => {
    if (data.kind === "start") start(data.script);
    else if (data.kind === "interrupt") interrupt?.fill(SIGINT);
    else {
      if (data.kind === "ask") {
        quiet();
        asked = data.id;
        [messages, size] = [0, 0];
      }
      // A late interrupt must not end the next request. But a file may arrive while Python has not seen an interrupt yet.
      if (data.kind !== "part") interrupt?.fill(0);
      worker?.postMessage(data, data.bytes === undefined ? [] : [data.bytes]);
    }
  };
}

/** @param {ArrayBuffer} script @returns {Worker} */
function begun(script) {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return new Worker(policy === undefined ? address : policy.createScriptURL(address), { name: "python" });
}

/** @typedef {Record<string, any> & {modules?: ArrayBuffer[]}} Flat */

/** @param {any} said by the worker @returns {Flat} the fields that may be passed on; their only objects are buffers */
function flat(said) {
  /** @type {Flat} */
  const message = {};
  for (const [name, type] of Object.entries(FIELDS)) {
    const value = said?.[name];
    if (typeof value === type) message[name] = value;
  }
  if (Array.isArray(said?.modules)) {
    const buffers = new Set(said.modules.slice(0, MOST_MODULES));
    message.modules = [...buffers].filter((buffer) => buffer instanceof ArrayBuffer);
  }
  return message;
}

/** @param {Flat} message @returns {number} the number of its characters and bytes */
function sizeOf({ modules = [], ...fields }) {
  const texts = Object.values(fields).filter((value) => typeof value === "string");
  return texts.reduce((sum, text) => sum + text.length, 0) + modules.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
