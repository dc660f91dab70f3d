// How much of the large files has come, beside whoever reads them.

/** How much gzip shrinks pyodide.asm.wasm: a compressed answer tells only its compressed size. */
const GZIP_RATIO = 2.7;

/** Counts the bytes of some files, by a `fetch` in the place of the worker's own.
 * @param {string[]} names how their URLs end
 * @param {(share: number) => void} onShare from 0 to 1, once all of them have begun
 * @param {string} [nothing] a URL that is answered with no bytes, without asking for it
 * @returns {() => void} put the worker's own `fetch` back */
export function watchFetches(names, onShare, nothing) {
  const plainFetch = self.fetch;
  /** @type {Map<string, {done: number, total: number}>} */
  const files = new Map(names.map((name) => [name, { done: 0, total: 0 }]));
  const report = () => {
    const all = [...files.values()];
    if (all.some((file) => file.total === 0)) return;
    onShare(all.reduce((sum, file) => sum + file.done, 0) / all.reduce((sum, file) => sum + file.total, 0));
  };
  self.fetch = async (input, init) => {
    if (nothing !== undefined && String(input) === nothing) return new Response(new Uint8Array());
    const response = await plainFetch.call(self, input, init);
    const file = files.get(names.find((name) => response.url.endsWith(name)) ?? "");
    if (file !== undefined && response.ok && response.body !== null) count(response.clone(), file, report);
    return response;
  };
  return () => {
    self.fetch = plainFetch;
  };
}

/** @param {Response} response @param {{done: number, total: number}} file @param {() => void} report */
async function count(response, file, report) {
  const ratio = response.headers.get("content-encoding") === null ? 1 : GZIP_RATIO;
  file.total = ratio * Number(response.headers.get("content-length")) || 1;
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      file.done = Math.min(file.total, file.done + value.length);
      report();
    }
  } catch {
    return; // who reads the file itself says so
  }
  file.done = file.total;
  report();
}
