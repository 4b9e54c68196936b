// The playground in headless Chromium, from a static server and below a path, as a visitor would use it:
//
//     node tests/web/page.mjs SITE MODULES VESICLE [SHOTS]
//
// SITE is what `make SCALE=quick playground` made, MODULES the folder in which npm put playwright-core and axe-core, VESICLE
// the program, SHOTS a folder for pictures at three widths, light, dark and in print. Prints ok and not ok; the last line
// counts. `make check-playground-page` runs it.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";

const [site, modules, vesicle, shots] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, "index.js"));
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let passed = 0, failed = 0;
function check(name, good, more = "") {
  if (good) passed++; else failed++;
  console.log((good ? "ok " : "not ok ") + name + (good || more === "" ? "" : ": " + more));
}

// ---- a static server, below a path ----

const below = "/some/path/";
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
  ".json": "application/json", ".wasm": "application/wasm", ".pdf": "application/pdf" };
let withPlay = true;
const server = http.createServer((request, answer) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const name = decodeURIComponent(pathname.slice(below.length)) || "index.html";
  const file = path.join(site, name);
  if (!pathname.startsWith(below) || name.includes("..") || !fs.existsSync(file) || (!withPlay && name.startsWith("play/"))) {
    answer.writeHead(404).end();
    return;
  }
  let body = fs.readFileSync(file);
  if (!withPlay && name === "site.json") body = JSON.stringify({ ...JSON.parse(body), play: false });
  answer.writeHead(200, { "content-type": types[path.extname(name)] ?? "text/plain" }).end(body);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const base = "http://localhost:" + server.address().port + below;

// ---- a browser that remembers what went wrong ----

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const noise = [], asked = new Set();
// Every step waits for what it needs. This is the end of waiting, for a machine that has other things to do.
const patience = 1000 * Number(process.env.PATIENCE ?? 600);
async function visitor(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: "block", ...options });
  context.setDefaultTimeout(patience);
  context.on("request", (request) => asked.add(request.url()));
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || (message.type() === "warning" && !message.text().includes("by Playwright"))) noise.push(page.url() + " " + message.text());
  });
  page.on("pageerror", (error) => noise.push(page.url() + " " + error.message));
  return page;
}

async function part(name, body) { // ONLY=offline in the environment runs that part alone
  if (process.env.ONLY && process.env.ONLY !== name) return;
  const before = noise.length;
  try { await body(); } catch (error) { check(name, false, String(error.message).split("\n").slice(0, 3).join(" ")); }
  check(name + ": nothing on the console", noise.length === before, noise.slice(before).join("; "));
}

const runs = (page, count) => page.waitForFunction((n) => Number(document.querySelector("#play, #own").dataset.runs ?? 0) >= n, count);
const first = "figure[data-figure='05_learning_rules'] img";
const bytesOf = (page, selector) => page.evaluate(async (where) => {
  const image = document.querySelector(where);
  return new Promise((resolve, reject) => { // what the page shows, not what it could fetch
    const canvas = document.createElement("canvas");
    const paint = () => {
      canvas.width = 400;
      canvas.height = 200;
      canvas.getContext("2d").drawImage(image, 0, 0, 400, 200);
      resolve(canvas.toDataURL());
    };
    image.decode().then(paint, reject);
  });
}, selector);

// ---- a chapter ----

await part("a chapter runs", async () => {
  const page = await visitor();
  await page.goto(base + "05_learning_rules.html");
  check("the published figure is there at once", await page.evaluate((where) => document.querySelector(where).getAttribute("src"), first)
    === "figures/05_learning_rules.svg");
  await page.waitForSelector(".play");
  const published = await bytesOf(page, first);
  const start = Date.now();
  await page.click(".play button.main");
  await runs(page, 1);
  console.log("   run and drawn in " + ((Date.now() - start) / 1000).toFixed(1) + " s; " + (await page.textContent(".result")).trim());
  check("the same verdicts as the published ones", (await page.textContent(".result")).includes("All"));
  check("the same figure as the published one", await bytesOf(page, first) === published);
  check("statements stand beside the published ones", await page.locator("tr[data-claim] td.here .verdict").count() > 10);
  check("numbers stand beside the published ones", await page.locator("tr[id^=number] td.here").count() > 5);

  await page.focus("input[type=range][aria-label^='psi']");
  for (let i = 0; i < 8; i++) await page.keyboard.press("PageDown");
  await runs(page, 2);
  await page.waitForFunction(() => document.querySelector(".play .main").textContent === "Run");
  check("a slider changes the figure", await bytesOf(page, first) !== published);
  check("a slider changes the address", /[?&]psi=[\d.]+/.test(page.url()), page.url());
  check("the command says the same", /^vesicle run lua\/experiments\/05_learning_rules\.lua --scale quick --set psi=[\d.]+$/
    .test(await page.textContent(".command code")), await page.textContent(".command code"));
  await page.emulateMedia({ media: "print" });
  check("what was computed here is printed as such", await page.locator("figure .swap span").first().isVisible()
    && !await page.locator("figure .swap button").first().isVisible() && !await page.locator("#play").isVisible());
  await page.emulateMedia({ media: "screen" });
  await page.click(".swap button");
  check("the published figure comes back", await bytesOf(page, first) === published);
  await page.context().close();
});

await part("a slider is moved again and again", async () => { // each time a run is stopped, some while their program is loading
  const page = await visitor();
  for (let turn = 1; turn <= 6; turn++) {
    await page.goto(base + "05_learning_rules.html");
    await page.waitForSelector(".play");
    await page.focus("input[type=range][aria-label^='psi']");
    for (let i = 0; i < 8; i++) await page.keyboard.press("PageDown");
    await page.waitForFunction(() => Number(document.querySelector("#play").dataset.runs ?? 0) > 0 || !document.querySelector(".play .fault").hidden);
    if (!await page.locator(".play .fault").isHidden()) throw new Error(await page.textContent(".play .fault"));
  }
  check("the last run is the one that counts", true);
  await page.context().close();
});

await part("the thumb of a slider is dragged", async () => {
  const page = await visitor();
  await page.goto(base + "05_learning_rules.html");
  const slider = page.locator("input[type=range][aria-label^='psi']");
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await runs(page, 1);
  check("dragging runs the chapter", (await page.textContent("figure .swap")).includes("psi = "));
  await page.context().close();
});

await part("one line is edited", async () => {
  const page = await visitor();
  await page.goto(base + "05_learning_rules.html");
  await page.waitForSelector(".play");
  const published = await bytesOf(page, first);
  await page.locator(".open-editor").first().click();
  const area = page.locator(".editor textarea").first(), text = await area.inputValue();
  await area.fill(text.replace("subtract = { 0.35,", "subtract = { 0.05,"));
  await area.press("Control+Enter");
  await runs(page, 1);
  check("the figure changes", await bytesOf(page, first) !== published);
  check("a verdict changes", await page.locator("td.here.differs").count() > 0, await page.textContent(".result"));
  check("the address changes", page.url().includes("_edit="), page.url());

  const other = await visitor();
  await other.goto(page.url());
  await runs(other, 1);
  check("the link opens the same", await bytesOf(other, first) === await bytesOf(page, first));
  check("the link opens the editor", (await other.locator(".editor textarea").first().inputValue()).includes("0.05,"));
  await other.context().close();

  await area.fill(text.replace("local P = E.params", "\nlocal P = E.parms"));
  await area.press("Control+Enter");
  await page.waitForSelector(".editor .fault:not([hidden])");
  const line = 1 + text.split("\n").findIndex((one) => one.startsWith("local P")) + 25 + 1;
  check("an error stands at its line", await page.textContent(".editor .gutter b") === String(line), await page.textContent(".editor .gutter b"));
  check("with the program's message", (await page.textContent(".editor .fault")).includes("has no field `parms`"));
  await area.fill(text.replace("local P = E.params", "local P = E.params\nE.table = function() end"));
  await area.press("Control+Enter");
  await page.waitForSelector(".play .fault:not([hidden])");
  check("an error of a figure is not called one of the script", (await page.textContent(".play .fault")).includes(".gp")
    && await page.locator(".editor .gutter b").count() === 0, await page.textContent(".play .fault"));
  await page.click("text=Reset all");
  check("reset brings everything back", await bytesOf(page, first) === published && !page.url().includes("?"));
  await page.context().close();
});

await part("a run is stopped", async () => {
  const page = await visitor();
  await page.goto(base + "17_amplitude_rule.html");
  await page.selectOption(".play select", "full");
  check("full scale comes with an estimate", /full scale, about [\d.]+ (s|min)/.test(await page.textContent(".play select")));
  await page.click(".play button.main");
  await page.waitForFunction(() => / of \d+ \(\d+%\)/.test(document.querySelector(".progress").textContent));
  const [worker] = page.workers(), gone = worker.waitForEvent("close");
  await page.click(".play >> text=Stop");
  await page.waitForFunction(() => document.querySelector(".result").textContent === "Stopped.");
  await gone;
  check("it stops, its worker ends, and nothing comes of it", !Number(await page.getAttribute("#play", "data-runs")));
  await page.goto(base + "02_sampling_diagram.html");
  await page.click(".play button.main");
  await runs(page, 1);
  check("and another one runs", true);
  await page.context().close();
});

await part("copied as a command", async () => {
  const page = await visitor();
  await page.addInitScript(() => { // what the worker answers is kept for this test
    window.Worker = class extends Worker {
      constructor(...given) {
        super(...given);
        this.addEventListener("message", ({ data }) => { if (data.done?.files) window.made = data.done.files; });
      }
    };
  });
  await page.goto(base + "05_learning_rules.html?psi=3.5&n=30");
  await runs(page, 1);
  const words = (await page.textContent(".command code")).split(" "), made = await page.evaluate(() => window.made);
  const out = fs.mkdtempSync(path.join(os.tmpdir(), "page-"));
  // Without fused multiply-add, which a page does not have: see runtime.mjs.
  execFileSync(vesicle, [...words.slice(1), "--quiet", "--out", out], { stdio: "ignore",
    env: { ...process.env, GLIBC_TUNABLES: "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2" } });
  const below = (text) => text.split("\n").filter((line) => !line.startsWith("#")).join("\n");
  const tables = fs.readdirSync(path.join(out, "05_learning_rules")).filter((name) => name.endsWith(".tsv"));
  const differ = tables.filter((name) => below(fs.readFileSync(path.join(out, "05_learning_rules", name), "utf8"))
    !== below(made["05_learning_rules/" + name] ?? ""));
  fs.rmSync(out, { recursive: true });
  check("the command is one of the program", words.join(" ") === "vesicle run lua/experiments/05_learning_rules.lua --scale quick --set n=30 --set psi=3.5", words.join(" "));
  check("it makes the same bytes", tables.length > 3 && differ.length === 0, differ.join(" "));
  check("what was changed can be carried to the other chapters", await page.getAttribute(".others a >> nth=0", "href") === "05_power_rules.html?n=30&psi=3.5",
    await page.textContent(".play"));
  check("numbers that moved are marked", await page.locator("tr[id^=number] td.here.differs").count() > 3);
  await page.context().close();
});

await part("a worker has no way out", async () => {
  const page = await visitor();
  let tried = 0;
  const other = http.createServer((request, answer) => { tried++; answer.writeHead(200, { "access-control-allow-origin": "*" }).end(); });
  await new Promise((ready) => other.listen(0, "127.0.0.1", ready));
  const elsewhere = "http://127.0.0.1:" + other.address().port + "/";
  await page.goto(base + "02_sampling_diagram.html");
  await page.click(".play button.main");
  await runs(page, 1);
  const before = noise.length, [worker] = page.workers();
  const ways = await worker.evaluate(async (to) => {
    const found = {};
    const attempt = async (name, how) => {
      try { found[name] = (await how()) ?? "done"; } catch (error) { found[name] = "refused"; }
    };
    await attempt("fetch", () => fetch(to));
    await attempt("fetch of the prototype", () => WorkerGlobalScope.prototype.fetch.call(self, to));
    await attempt("importScripts", () => importScripts(to));
    await attempt("importScripts of the prototype", () => WorkerGlobalScope.prototype.importScripts.call(self, to));
    await attempt("import", () => import(to));
    await attempt("a request", () => { const one = new XMLHttpRequest(); one.open("GET", to, false); one.send(); });
    await attempt("a socket", () => new WebSocket(to.replace("http", "ws")));
    await attempt("a cache", async () => (await caches.open("x")).add(to));
    await attempt("a font", () => new FontFace("x", "url(" + to + ")").load());
    await attempt("a worker", () => new Worker(to));
    await attempt("a text as a program", () => new Function("return 1")());
    return found;
  }, elsewhere);
  const open = Object.keys(ways).filter((name) => ways[name] !== "refused");
  check("all " + Object.keys(ways).length + " ways are refused", open.length === 0, open.join(", "));
  check("and none has come to the network", tried === 0, tried + " requests");
  noise.length = before; // the browser tells what it has refused
  asked.delete(elsewhere);
  other.close();
  await page.context().close();
});

// ---- the other pages ----

await part("the front page", async () => {
  const page = await visitor();
  await page.goto(base);
  await page.waitForFunction(() => /[1-9]\d* draws/.test(document.querySelector(".model .bar")?.textContent ?? ""));
  check("draws fall by themselves", true);
  const before = await page.textContent(".model [role=status]");
  await page.focus("[role=slider] >> nth=4");
  await page.keyboard.press("End");
  await page.waitForFunction((was) => document.querySelector(".model [role=status]").textContent !== was, before);
  check("a weight is moved by keys, and releases follow", await page.getAttribute("[role=slider] >> nth=4", "aria-valuenow") === "1");
  const box = await page.locator("[role=slider] >> nth=2").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 15);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.7, { steps: 4 });
  await page.mouse.up();
  check("and by the pointer", Number(await page.getAttribute("[role=slider] >> nth=2", "aria-valuenow")) < 0.6);
  await page.check("input[value=uniform]");
  await page.waitForFunction(() => /off the encoded one/.test(document.querySelector(".model [role=status]").textContent));
  check("uniform release is off", true);
  await page.check("input[value=learned]");
  await page.click("text=A thousand draws");
  await page.waitForFunction(() => /After 1\d\d\d draws/.test(document.querySelector(".model [role=status]").textContent));
  check("a thousand draws", true);
  await page.context().close();

  const phone = await visitor({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await phone.goto(base);
  await phone.waitForSelector(".model");
  const fingers = await phone.context().newCDPSession(phone);
  const swipe = async (x, from, to) => { // by the browser's own gestures, which may take a touch for a movement of the page
    await fingers.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y: from }] });
    for (let i = 1; i <= 10; i++) await fingers.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: from + (to - from) * i / 10 }] });
    await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  const bar = await phone.locator("[role=slider] >> nth=2").boundingBox();
  await swipe(bar.x + bar.width / 2, bar.y + 15, bar.y + bar.height * 0.8);
  check("and by a finger, to where it goes", Number(await phone.getAttribute("[role=slider] >> nth=2", "aria-valuenow")) < 0.3
    && await phone.evaluate(() => scrollY) === 0, await phone.getAttribute("[role=slider] >> nth=2", "aria-valuenow"));
  const whole = await phone.locator(".model svg").boundingBox();
  await swipe(whole.x + 100, whole.y + whole.height * 0.8, whole.y + whole.height * 0.3);
  await phone.waitForFunction(() => scrollY > 0);
  check("while elsewhere on the picture the page moves", true);
  await phone.context().close();

  const calm = await visitor({ reducedMotion: "reduce" });
  await calm.goto(base);
  await calm.waitForFunction(() => document.querySelector(".model [role=status]")?.textContent.startsWith("Release"));
  await calm.waitForTimeout(1500);
  check("nothing moves where motion is unwanted", (await calm.textContent(".model .bar")).includes("0 draws"));
  await calm.context().close();
});

await part("statements", async () => {
  const page = await visitor();
  await page.goto(base + "claims.html");
  const count = () => page.locator("tr[data-outcome]:visible").count();
  const all = await count();
  await page.selectOption("#filter select >> nth=0", "refuted");
  const refuted = await count();
  await page.selectOption("#filter select >> nth=1", { index: 5 });
  check("filters leave fewer statements", all > refuted && refuted > await count(), [all, refuted].join(" "));
  await page.goto(base + "claims.html?chapter=05_power_rules");
  check("the address keeps a filter", await count() > 3 && await count() < 30);
  await page.locator("a.judge:visible").first().click();
  await page.waitForURL(/05_power_rules.html#code\d+-\d+/);
  check("a statement leads to the line that judges", await page.evaluate(() => document.querySelector(":target").textContent.includes("power-less-biased")));
  await page.context().close();
});

await part("one's own script", async () => {
  const page = await visitor();
  await page.addInitScript(() => { // addresses of texts that are kept in memory
    const { createObjectURL, revokeObjectURL } = URL;
    window.alive = new Set();
    URL.createObjectURL = (what) => { const made = createObjectURL.call(URL, what); window.alive.add(made); return made; };
    URL.revokeObjectURL = (made) => { window.alive.delete(made); revokeObjectURL.call(URL, made); };
  });
  await page.goto(base + "own.html");
  await page.click("#own button.main");
  await runs(page, 1);
  check("an example of the tutorial prints", (await page.textContent("#own pre.output")).includes("vector of 4 in [0.4, 1]"),
    (await page.textContent("#own")).slice(0, 500));
  check("and plots", await page.locator("#own .plots img").count() === 1);
  await page.selectOption("#own select", { label: "An experiment, with its figure" });
  await page.click("#own button.main");
  await runs(page, 2);
  check("an experiment has a figure", await page.locator("#own .plots img").count() === 1, await page.textContent("#own"));
  check("its statement has a verdict", (await page.textContent("#own")).includes("my-rule-better"));
  check("its tables can be downloaded", await page.locator("#own a[download*='distance.tsv']").count() === 1);
  await page.locator("#own .editor textarea").first().fill("local x = 1\nlocal y = x.z.a\n");
  await page.click("#own button.main");
  await page.waitForSelector("#own .editor .fault:not([hidden])");
  check("an error stands at its line there too", await page.textContent("#own .gutter b") === "2");

  const write = async (script, figure = "") => {
    await page.locator("#own .editor textarea").nth(0).fill(script);
    await page.locator("#own .editor textarea").nth(1).fill(figure);
    await page.click("#own button.main");
  };
  await write("local experiment = require 'vesicle.experiment'\nlocal E = experiment.new { params = { n = 3 }, name = 'my-idea' }\n"
    + "E:table('t', { 'x' }, { { 1 }, { E.params.n } })\nE:finish()\n", "plot data.'/t.tsv' using 1\n");
  await runs(page, 4);
  check("an experiment is known as one however it is written", await page.locator("#own .plots img").count() === 1
    && await page.locator("#own a[download='my-idea-t.tsv']").count() === 1, await page.textContent("#own"));
  await write("ves.write_table('mine.tsv', { x = { 1, 2 } })\n", "plot 'mine.tsv' using 1\n");
  await runs(page, 5);
  check("any table can be drawn by gnuplot", await page.locator("#own .plots img").count() === 1, await page.textContent("#own"));
  const alive = await page.evaluate(() => window.alive.size);
  await page.click("#own button.main");
  await runs(page, 6);
  check("what an earlier run has made is released", await page.evaluate(() => window.alive.size) === alive);
  await write("while true do print('on and on') end");
  await page.waitForFunction(() => document.querySelector("#own pre.output").textContent.includes("more was printed"));
  await page.click("#own >> text=Stop");
  await page.waitForFunction(() => document.querySelector("#own [role=status]").textContent === "Stopped.");
  check("a script that prints for ever can be stopped, and fills no memory", (await page.textContent("#own pre.output")).length < 1.1 * 1024 * 1024);
  await page.context().close();
});

// ---- offline ----

await part("offline", async () => {
  const page = await visitor({ serviceWorkers: "allow" });
  await page.goto(base + "02_sampling_diagram.html");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  server.closeAllConnections();
  await page.reload();
  await page.waitForSelector(".play");
  await page.click(".play button.main");
  await runs(page, 1);
  check("a page reloads and runs without a network", true);
  await page.goto(base + "05_learning_rules.html?psi=4");
  await runs(page, 1);
  check("so does one that was never opened", true);
  await page.context().close();
});

await part("no room", async () => {
  const page = await visitor({ serviceWorkers: "allow" });
  await page.goto(base + "02_sampling_diagram.html");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const [keeper] = page.context().serviceWorkers();
  await keeper.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    Cache.prototype.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
  });
  await page.reload();
  await page.waitForSelector(".play");
  check("a browser that can keep nothing shows the pages all the same", true);
  await page.context().close();
});

// ---- what every page should be ----

// Every page on a phone, where what is too wide must be reached by keys; four pages in both colour schemes on a desk, with
// their contrast, which takes most of the time.
await part("accessible on a phone", async () => {
  const names = fs.readdirSync(site).filter((name) => name.endsWith(".html"));
  const page = await visitor({ viewport: { width: 390, height: 844 }, bypassCSP: true, reducedMotion: "reduce" }), wrong = [];
  for (const name of names) {
    await page.goto(base + name, { waitUntil: "networkidle" });
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"],
      rules: { "color-contrast": { enabled: false } } }));
    wrong.push(...found.violations.map((v) => name + " " + v.id + " (" + v.nodes.length + ") " + v.nodes[0].html.slice(0, 100)));
    if (await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth) > 1) wrong.push(name + " is too wide");
  }
  check("axe finds nothing on " + names.length + " pages, and they fit", names.length > 40 && wrong.length === 0, wrong.join("; "));
  await page.context().close();
});

await part("accessible", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const name of ["index", "05_learning_rules", "claims", "own"]) {
      const page = await visitor({ colorScheme, bypassCSP: true, reducedMotion: "reduce" });
      await page.goto(base + name + ".html");
      await page.waitForSelector(name === "claims" ? "#filter select" : ".play");
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
      check("axe finds nothing on " + name + ", " + colorScheme, found.violations.length === 0,
        found.violations.map((v) => v.id + " (" + v.nodes.length + ") " + v.nodes[0].html.slice(0, 150)).join("; "));
      await page.context().close();
    }
  }
});

await part("fits", async () => {
  for (const width of [390, 820, 1400]) {
    for (const name of ["index", "05_learning_rules", "claims", "own"]) {
      const page = await visitor({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
      await page.goto(base + name + ".html" + (name.startsWith("05") ? "?psi=3" : ""));
      await page.waitForSelector(name === "claims" ? "#filter select" : ".play");
      if (name.startsWith("05")) await runs(page, 1);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(name + " fits a window of " + width + " px", over <= 1, over + " px wider");
      if (width === 390 && name.startsWith("05")) {
        await page.locator("#set-psi").scrollIntoViewIfNeeded();
        await page.evaluate(() => document.getElementById("set-psi").scrollIntoView({ block: "end" }));
        const { top, bottom } = await page.evaluate(() => document.querySelector(".echo").getBoundingClientRect().toJSON());
        check("who moves a slider on a phone sees the figure", top >= 0 && bottom > top + 50 && bottom < 900, [top, bottom].join(" "));
      }
      if (width === 390) {
        check(name + ": the list of pages is folded", !await page.locator("nav ul").first().isVisible());
        await page.click("nav summary");
        check(name + ": and unfolds", await page.locator("nav [aria-current]").first().isVisible());
        await page.click("nav summary");
      }
      if (shots) await page.screenshot({ path: path.join(shots, name + "-" + width + ".png"), fullPage: width === 390 && name === "index" });
      await page.context().close();
    }
  }
});

await part("without the runtime", async () => {
  withPlay = false;
  const page = await visitor();
  for (const name of ["index", "05_learning_rules", "own"]) {
    await page.goto(base + name + ".html", { waitUntil: "networkidle" });
    check(name + " has no controls", await page.locator(".play").count() === 0 && !await page.locator(".play-only").isVisible().catch(() => false));
  }
  withPlay = true;
  await page.context().close();
});

await part("alone", async () => {
  check("nothing was asked of another site", [...asked].every((url) => url.startsWith(base) || /^(blob|data):/.test(url)),
    [...asked].filter((url) => !url.startsWith(base) && !/^(blob|data):/.test(url)).join(" "));
});
{
  const page = await visitor();
  await page.goto(base + "02_sampling_diagram.html");
  const refused = await page.evaluate(() => fetch("https://example.org/").then(() => "fetched", (error) => error.name));
  check("the policy of the page refuses other sites", refused === "TypeError" && noise.at(-1).includes("Content Security Policy"), refused);
}

await browser.close();
server.close();
console.log(passed + " passed, " + failed + " failed");
process.exit(failed ? 1 : 0);
