// Compresses files with Brotli, which Python does not have.
//
//   node brotli.mjs JOBS_JSON
//
// JOBS_JSON is a list of {source, target}, two paths.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { brotliCompressSync, constants } from "node:zlib";

/** Bytes. Above, the last level takes a second a megabyte and saves one byte in thirty. */
const LARGE = 2_000_000;

for (const { source, target } of JSON.parse(argv[2])) {
  const content = readFileSync(source);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: content.length > LARGE ? 9 : 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  writeFileSync(target, brotliCompressSync(content, { params }));
}
