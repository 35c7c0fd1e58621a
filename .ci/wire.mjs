// Fails if the files of a folder exceed a size when compressed for transfer: `node wire.mjs FOLDER MEGABYTES`.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const [, , folder, limit] = process.argv;
const sizes = readdirSync(folder).map((name) => brotliCompressSync(readFileSync(join(folder, name))).length);
const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
console.log(`${folder}: ${megabytes.toFixed(2)} MB by brotli`);
if (sizes.length < 5 || megabytes >= Number(limit)) {
  console.error(`the page is to be there, and under ${limit} MB`);
  process.exit(1);
}
