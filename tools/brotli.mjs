// Compresses files with Brotli, which Python lacks. Gzipped files are unpacked first.
//
//   node brotli.mjs JOBS_JSON
//
// JOBS_JSON is a list of {source, target}, two paths.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { brotliCompressSync, constants, gunzipSync } from "node:zlib";

/** In bytes. A larger file changes with each module of ours, and the highest level would take half a minute for it. The engine is
 * large too, but changes only with Pyodide. The highest level makes it an eighth smaller. */
const LARGE = 4_000_000;
const ENGINE = ".wasm";

for (const { source, target } of JSON.parse(argv[2])) {
  const file = readFileSync(source);
  const content = file[0] === 0x1f && file[1] === 0x8b ? gunzipSync(file) : file;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: content.length > LARGE && !source.endsWith(ENGINE) ? 9 : 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  writeFileSync(target, brotliCompressSync(content, { params }));
}
