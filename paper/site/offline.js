// offline: a service worker that keeps the pages, so that they open and run without a network once they were opened with
// one. All of site.json's files are fetched when it is installed; data and PDFs are kept when they are first asked for. The
// network comes first, so that pages never lag behind the server; nothing is ever asked of another site.
"use strict";

const list = "site.json";
const store = "vesicle " + new URL(".", self.location).pathname;

async function keepAll() {
  const cache = await caches.open(store);
  const answer = await fetch(list, { cache: "no-cache" });
  const { files } = await answer.clone().json();
  for (const file of files) { // one after the other: a phone has other things to do
    try { await cache.add(new Request(file, { cache: "no-cache" })); } catch { /* it is kept when it is asked for */ }
  }
  await cache.put(list, answer);
}

async function forgetOthers() {
  const cache = await caches.open(store), answer = await cache.match(list);
  if (!answer) return;
  const { files } = await answer.json(), here = new URL(".", self.location).href;
  const wanted = new Set([list, ...files].map((file) => here + file));
  for (const request of await cache.keys()) {
    const path = request.url.slice(here.length);
    if (!wanted.has(request.url) && !/^(data|scripts)\/|\.(pdf|gp)$/.test(path)) await cache.delete(request);
  }
}

const nameOf = (request) => request.url.replace(/[?#].*/, "").replace(/\/$/, "/index.html");

// A browser that has no room left, or keeps nothing, shows the pages all the same.
async function keep(request, fresh) {
  try { await (await caches.open(store)).put(nameOf(request), fresh); } catch { /* not kept */ }
}

async function answer(request) {
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await keep(request, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await (await caches.open(store)).match(nameOf(request), { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("install", (event) => { self.skipWaiting(); event.waitUntil(keepAll()); });
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== self.location.origin) { event.respondWith(Response.error()); return; }
  if (request.method === "GET") event.respondWith(answer(request));
});
