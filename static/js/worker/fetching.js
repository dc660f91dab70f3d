// Fetches Python's files and reports how much of them has arrived.

import { kept } from "./keeping.js";

/** The approximate ratio of a file's size to its compressed size. The server states only the compressed size. */
const RATIOS = /** @type {Record<string, number>} */ ({ gzip: 3, br: 4 });
/** A gzip file begins with these two bytes. */
const GZIP = [0x1f, 0x8b];

/** @typedef {(share: number) => void} OnShare from 0 to 1 */

/** Joins the progress of several files. @param {number} count the number of files
 * @param {OnShare} onShare called with the fraction of all files that has arrived
 * @returns {OnShare[]} a function for each file. Call it with the fraction of this file that has arrived */
export function sharesOf(count, onShare) {
  const shares = Array.from({ length: count }, () => 0);
  return shares.map((_, k) => (share) => {
    shares[k] = share;
    onShare(shares.reduce((sum, each) => sum + each, 0) / count);
  });
}

/** @param {URL} url @param {OnShare} onShare @returns {Promise<ArrayBuffer>} the file
 * @throws {Error} if the file is missing or did not arrive completely */
export async function fetched(url, onShare) {
  return new Response(streamOf(await begun(url, onShare))).arrayBuffer();
}

/** @param {Response} response @param {OnShare} onShare @returns {Promise<ArrayBuffer>} its content
 * @throws {Error} if it did not arrive whole */
export async function arrived(response, onShare) {
  return new Response(streamOf(await opened(response, onShare))).arrayBuffer();
}

/** Returns the unpacked content of a gzipped file, from this device or else from the network. The server may send it unpacked.
 * @param {URL} url of the file @param {string | undefined} sha256 of the unpacked content @param {OnShare} onShare
 * @param {import("./keeping.js").Brought} brought a map. The content is added to it if it came from the network
 * @returns {Promise<ArrayBuffer>} the unpacked content
 * @throws {Error} if the file is missing or damaged */
export async function unpacked(url, sha256, onShare, brought) {
  const keptBytes = await kept(url, sha256);
  if (keptBytes !== null) return keptBytes;
  const file = await begun(url, onShare);
  const isPacked = GZIP.every((byte, k) => file.first.value?.[k] === byte);
  const stream = streamOf(file);
  const bytes = new Response(isPacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream).arrayBuffer();
  brought.set(url.href, bytes);
  return bytes;
}

/** @typedef {{first: ReadableStreamReadResult<Uint8Array<ArrayBuffer>>, next: () => Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>}} File */

/** @param {URL} url @param {OnShare} onShare @returns {Promise<File>} the first piece and a function for the next ones */
async function begun(url, onShare) {
  return opened(await fetch(url), onShare);
}

/** @param {Response} response @param {OnShare} onShare @returns {Promise<File>} */
async function opened({ ok, status, headers, body, url }, onShare) {
  if (!ok || body === null) throw new Error(`${url}: ${status}`);
  const total = Number(headers.get("content-length")) * (RATIOS[headers.get("content-encoding") ?? ""] ?? 1) || Infinity;
  const reader = body.getReader();
  let come = 0;
  const next = async () => {
    const piece = await reader.read();
    come += piece.value?.length ?? 0;
    onShare(piece.done ? 1 : Math.min(1, come / total));
    return piece;
  };
  return { first: await next(), next };
}

/** @param {File} file @returns {ReadableStream<Uint8Array<ArrayBuffer>>} */
function streamOf({ first, next }) {
  let piece = /** @type {Promise<typeof first> | typeof first} */ (first);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await piece;
      if (done) controller.close();
      else controller.enqueue(value);
      if (!done) piece = next();
    },
  });
}
