// What Python is made of, as it comes.

import { kept } from "./keeping.js";

/** How many times larger a file is than what travels of it, by its encoding: an answer tells only what travels. */
const RATIOS = /** @type {Record<string, number>} */ ({ gzip: 3, br: 4 });
/** How gzip begins. */
const GZIP = [0x1f, 0x8b];

/** @typedef {(share: number) => void} OnShare from 0 to 1 */

/** @param {number} count of files @param {OnShare} onShare hears how much of all has come
 * @returns {OnShare[]} what to tell each file's share */
export function sharesOf(count, onShare) {
  const shares = Array.from({ length: count }, () => 0);
  return shares.map((_, k) => (share) => {
    shares[k] = share;
    onShare(shares.reduce((sum, each) => sum + each, 0) / count);
  });
}

/** @param {URL} url @param {OnShare} onShare @returns {Promise<ArrayBuffer>} a file
 * @throws {Error} it is not there, or has not come whole */
export async function fetched(url, onShare) {
  return new Response(streamOf(await begun(url, onShare))).arrayBuffer();
}

/** @param {URL} url of a gzipped file, of which a server may undo that on the way, or it may be kept so
 * @param {string | undefined} sha256 of what is in it @param {OnShare} onShare
 * @param {import("./keeping.js").Brought} brought gets what the network brings
 * @returns {Promise<ArrayBuffer>} what is in it
 * @throws {Error} it is not there, or not as it was made */
export async function unpacked(url, sha256, onShare, brought) {
  const found = await kept(url, sha256);
  if (found !== null) return found;
  const file = await begun(url, onShare);
  const isPacked = GZIP.every((byte, k) => file.first.value?.[k] === byte);
  const stream = streamOf(file);
  const bytes = new Response(isPacked ? stream.pipeThrough(new DecompressionStream("gzip")) : stream).arrayBuffer();
  brought.set(url.href, bytes);
  return bytes;
}

/** @typedef {{first: ReadableStreamReadResult<Uint8Array<ArrayBuffer>>, next: () => Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>}} File */

/** @param {URL} url @param {OnShare} onShare @returns {Promise<File>} its first piece, and each further one when asked */
async function begun(url, onShare) {
  const { ok, status, headers, body } = await fetch(url);
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
