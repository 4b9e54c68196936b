// play: finds out what kind of page this is and loads what it needs. Only loaded where the runtime is.

import { Runtime } from "./runtime.js";

const data = document.getElementById("play-data");
const kinds = { chapter: "./chapter.js", front: "./model.js", own: "./own.js" };

for (const element of document.querySelectorAll(".no-play")) element.hidden = true;
for (const element of document.querySelectorAll(".play-only")) element.hidden = false;
if (data) {
  const page = JSON.parse(data.textContent);
  const { start } = await import(kinds[page.kind]);
  start(page, new Runtime("play/worker.js"));
}
