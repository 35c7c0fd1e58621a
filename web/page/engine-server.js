// The engine that asks the program serving this page; `engine-wasm.js` documents engines. The token in the page's
// address is sent in a header, which no other page can send.

export function serverEngine() {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  // The program follows the frames of each page separately.
  const page = crypto.randomUUID();
  const canvas = document.createElement("canvas");
  const saves = document.querySelector('meta[name="saves"]') !== null;

  async function post(path, body, more = {}) {
    const headers = { "X-Token": token, "X-Page": page, ...more };
    const answer = await fetch(`api/${path}`, { method: "POST", body, headers });
    if (!answer.ok) throw new Error((await answer.text()) || `The program answered ${answer.status}.`);
    return answer.json();
  }

  return {
    privacy: "Pictures go to the program on this computer and nowhere else.",
    ready: async () => {},
    photo: (blob) => post("photo", blob),
    async frame(source) {
      canvas.width = source.videoWidth ?? source.width;
      canvas.height = source.videoHeight ?? source.height;
      canvas.getContext("2d").drawImage(source, 0, 0);
      return post("frame", await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9)));
    },
    solve: (cells) => post("solve", cells),
    hint: (cells) => post("hint", cells),
    explain: (cells) => post("explain", cells),
    /** Saves a picture with its boards in the folder of `--save`; returns the file name. */
    save: saves ? (picture, boards) => post("save", picture, { "X-Truth": boards.join(",") }) : null,
  };
}
