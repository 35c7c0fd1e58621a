// Runs the reader in a worker. Receives `{ id, ask, value }`, sends `{ id, answer }` or `{ id, error, isFatal }`.

import init, { Session, explain, hint, solve } from "./reader.js";

// Larger frames are scaled down: reading them takes longer without any gain.
const SIDE = 1280;

const session = init().then(() => new Session());
const canvas = new OffscreenCanvas(1, 1);
const context = canvas.getContext("2d", { willReadFrequently: true });

const asks = {
  ready: () => "null",
  photo: async (blob) => (await session).photo(new Uint8Array(await blob.arrayBuffer())),
  frame: async (frame) => {
    try {
      return await readFrame(await session, frame);
    } finally {
      frame.close();
    }
  },
  solve,
  hint,
  explain,
};

async function readFrame(session, frame) {
  const luma = await lumaOf(frame);
  if (luma) return session.gray(luma.width, luma.height, luma.pixels);
  const width = frame.displayWidth ?? frame.width;
  const height = frame.displayHeight ?? frame.height;
  const scale = Math.min(1, SIDE / Math.max(width, height));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.drawImage(frame, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return session.rgba(canvas.width, canvas.height, data);
}

// Returns the gray pixels of a camera frame without conversion, if its format starts with them.
async function lumaOf(frame) {
  if (!/^(I4|NV12)/.test(frame.format ?? "") || frame.rotation || frame.flip) return null;
  const { width, height } = frame.visibleRect;
  if (frame.displayWidth !== width || frame.displayHeight !== height || Math.max(width, height) > SIDE) return null;
  const buffer = new Uint8Array(frame.allocationSize());
  const [{ offset, stride }] = await frame.copyTo(buffer);
  if (stride === width) return { width, height, pixels: buffer.subarray(offset, offset + width * height) };
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = offset + y * stride;
    pixels.set(buffer.subarray(row, row + width), y * width);
  }
  return { width, height, pixels };
}

self.addEventListener("message", async ({ data: { id, ask, value } }) => {
  try {
    await session;
    self.postMessage({ id, answer: JSON.parse(await asks[ask](value)) });
  } catch (error) {
    // A trap leaves the reader's memory in an undefined state.
    const isFatal = error instanceof WebAssembly.RuntimeError;
    self.postMessage({ id, error: isFatal ? "The reader failed and was started again." : String(error?.message ?? error), isFatal });
  }
});
