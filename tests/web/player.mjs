// player: csrc/web/worker.js under node, as a browser's Worker runs it.
//
// The worker is a plain script that needs importScripts, fetch and messages; a context of its own has them, reading from
// the folder of the built pages, so that what is tested is the very file that is served.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

export function player(folder, options = {}) {
  const waiting = new Map();
  let next = 0;
  const world = {
    console, TextDecoder, TextEncoder, performance, setTimeout, clearTimeout, URL,
    WebAssembly: options.scalar ? { ...statics(), validate: () => false } : WebAssembly,
    location: { href: "http://page/play/worker.js" },
    postMessage(message) {
      const one = waiting.get(message.id);
      if (message.done !== undefined || message.error !== undefined) {
        waiting.delete(message.id);
        one.resolve(message.error ? { error: message.error } : message.done);
      } else one.meanwhile(message);
    },
    async fetch(name) {
      const file = path.join(folder, name);
      if (!fs.existsSync(file)) return { ok: false, status: 404, statusText: "not found" };
      const bytes = fs.readFileSync(file);
      return {
        ok: true,
        arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
        json: async () => JSON.parse(bytes.toString("utf8")),
      };
    },
    importScripts(...names) {
      for (const name of names) vm.runInContext(fs.readFileSync(path.join(folder, name), "utf8"), context, { filename: name });
    },
  };
  world.self = world;
  const context = vm.createContext(world);
  vm.runInContext(fs.readFileSync(path.join(folder, "worker.js"), "utf8"), context, { filename: "worker.js" });
  return {
    // Sends a request; resolves to what is `done`, or to { error }.
    ask(request, meanwhile = () => {}) {
      const id = ++next;
      return new Promise((resolve) => {
        waiting.set(id, { resolve, meanwhile });
        world.onmessage({ data: { ...request, id } });
      });
    },
  };
}

// WebAssembly's functions are not enumerable.
function statics() {
  return Object.fromEntries(Object.getOwnPropertyNames(WebAssembly).map((name) => [name, WebAssembly[name]]));
}
