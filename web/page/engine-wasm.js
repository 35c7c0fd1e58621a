// The engine that runs the reader as WebAssembly in a worker. An engine has `ready`, `photo`, `frame`, `solve`, `hint`
// and `explain`, which return promises of the types in `src/live`.

export function wasmEngine() {
  let worker;
  let waiting;
  let next = 0;

  function start() {
    worker = new Worker("worker.js", { type: "module" });
    waiting = new Map();
    worker.addEventListener("message", ({ data: { id, answer, error, isFatal } }) => {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) resolve(answer);
      else reject(new Error(error));
      if (isFatal) restart();
    });
    worker.addEventListener("error", () => restart("The reader does not start in this browser."));
  }

  function restart(message = "The reader was started again.") {
    worker.terminate();
    const lost = waiting;
    start();
    for (const { reject } of lost.values()) reject(new Error(message));
  }

  function ask(name, value, transfer = []) {
    const id = next++;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ask: name, value }, transfer);
    });
  }

  start();
  return {
    privacy: "Pictures are read on this device and are not sent anywhere.",
    ready: () => ask("ready"),
    photo: (blob) => ask("photo", blob),
    /** Reads the current frame of a video or canvas. */
    async frame(source) {
      const timestamp = performance.now() * 1000;
      const frame = "VideoFrame" in self ? new VideoFrame(source, { timestamp }) : await createImageBitmap(source);
      return ask("frame", frame, [frame]);
    },
    solve: (cells) => ask("solve", cells),
    hint: (cells) => ask("hint", cells),
    explain: (cells) => ask("explain", cells),
    // Without a server the page downloads files instead.
    save: null,
  };
}
