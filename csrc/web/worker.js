// worker: vesicle and gnuplot, compiled to WebAssembly, answering a page's messages.
//
// A message is { id, do: "hello" | "run" | "draw" | "eval", ... }; what happens meanwhile comes back as
// { id, progress } and { id, output }, the end as { id, done } or { id, error: { message, file, line } }. Requests are
// answered one after the other. A computation cannot be interrupted from inside: to stop it the page terminates this
// worker and makes a new one. Nothing is fetched but the files beside this one.
"use strict";

const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
const simd = WebAssembly.validate(SIMD);
const vesicleName = simd ? "vesicle-simd" : "vesicle";
const beside = self.beside ?? "";        // the address of the folder of this file; empty: that of the worker
importScripts(beside + vesicleName + ".js", beside + "gnuplot.js");

// A page starts this worker so that the page's content security policy holds in it (paper/site/runtime.js). To be sure,
// what could ask another machine is taken away too: what is left of the network is `get`, for the files beside this one.
// Lua knows no function of JavaScript at all.
const get = ((fetch) => (name) => fetch(beside + name))(self.fetch.bind(self));
for (const name of ["fetch", "importScripts", "XMLHttpRequest", "WebSocket", "WebSocketStream", "EventSource", "WebTransport", "Worker",
  "FontFace", "fonts", "caches"]) {
  for (let holder = self; holder; holder = Object.getPrototypeOf(holder)) {
    if (Object.hasOwn(holder, name)) Object.defineProperty(holder, name, { value: undefined, writable: false });
  }
}

const MEMORY = "not enough memory: a page has at most 1 GB; fewer draws, replicates or outputs need less";
const DISK = 256 * 1024 * 1024;          // bytes that the files of an instance may have: they are kept in memory too
const PLOTS = 50;                        // as many plots of a script are drawn
const ENOSPC = 51;                       // emscripten's number of "No space left on device"

// ---- what lies beside this file, fetched once ----

const fetched = new Map();

function once(name, make) {
  if (!fetched.has(name)) {
    const promise = get(name).then((response) => {
      if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
      return make(response);
    });
    promise.catch(() => fetched.delete(name));
    fetched.set(name, promise);
  }
  return fetched.get(name);
}

const wasm = (name) => once(name + ".wasm", async (response) => WebAssembly.compile(await response.arrayBuffer()));
const texts = (name) => once(name, (response) => response.json());

// ---- instances ----

// An emscripten module with our files in its file system. `tty` receives what it prints, as text.
async function instance(make, compiled, files, tty, more) {
  const decoder = new TextDecoder(), bytes = [];
  const flush = () => {
    if (bytes.length > 0) tty(decoder.decode(new Uint8Array(bytes), { stream: true }));
    bytes.length = 0;
  };
  const put = (code) => {
    if (code === null) return;
    bytes.push(code & 255);
    if (code === 10 || bytes.length >= 65536) flush();
  };
  const module = await make({
    ...more,
    noInitialRun: true,
    preRun: [(m) => m.FS.init(() => null, put, put)],
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((result) => receive(result, compiled));
      return {};
    },
  });
  module.flush = flush;
  for (const [path, text] of Object.entries(files)) write(module.FS, path, text);
  limit(module.FS);
  return module;
}

// Files beyond DISK are refused as a full disk refuses them.
function limit(FS) {
  const plainly = FS.write, size = () => [...listing(FS).keys()].reduce((sum, path) => sum + FS.stat("/" + path).size, 0);
  let used = 0;
  FS.write = (stream, buffer, offset, length, ...more) => {
    if (FS.isFile(stream.node.mode)) {
      if (used + length > DISK) used = size(); // some may be gone, or have been written over
      if (used + length > DISK) throw new FS.ErrnoError(ENOSPC);
      used += length;
    }
    return plainly.call(FS, stream, buffer, offset, length, ...more);
  };
}

function write(FS, path, text) {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  if (folder !== "") FS.mkdirTree("/" + folder.slice(0, -1));
  FS.writeFile("/" + path, text);
}

// Files of the working folder and below, as path -> size and time, to tell new ones from old.
function listing(FS, folder = "", found = new Map()) {
  for (const name of FS.readdir("/" + folder)) {
    const path = folder + name;
    if (name === "." || name === ".." || ["dev", "proc", "tmp", "home"].includes(path)) continue;
    const node = FS.stat("/" + path);
    if (FS.isDir(node.mode)) listing(FS, path + "/", found);
    else found.set(path, node.size + " " + node.mtime.getTime());
  }
  return found;
}

// ---- vesicle ----

let vesicle = null;                      // the instance, made again after it has run out of memory
let tell = () => {};                     // of the request being answered: (kind, name, text)
const kept = new Map();                  // name of a kept state -> its address
let lastRun = {};                        // files of the last run, path -> text

async function getVesicle() {
  if (vesicle === null) {
    const files = await texts("files.json");
    vesicle = await instance(vesicleModule, await wasm(vesicleName), files, (text) => tell("output", text),
      { tell: (kind, name, text) => tell(kind, name, text) });
  }
  return vesicle;
}

// Values in the dialect of csrc/lua/io/lves_json.c: no blanks, and one kind of escape for control characters.
function dialect(value) {
  if (value === null || value === undefined) return '""';
  if (typeof value === "string") {
    return '"' + value.replace(/["\\]/g, "\\$&")
      .replace(/[\u0000-\u001f]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")) + '"';
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const entries = Array.isArray(value) ? value.map((one, i) => [String(i + 1), one]) : Object.entries(value).sort();
  return "{" + entries.filter(([, one]) => one !== null && one !== undefined)
    .map(([key, one]) => dialect(key) + ":" + dialect(one)).join(",") + "}";
}

// And back: a table with the keys 1, 2, ... is an array.
function plain(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(plain);
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key, i) => key === String(i + 1))) return keys.map((key) => plain(value[key]));
  return Object.fromEntries(keys.map((key) => [key, plain(value[key])]));
}

// A failure that is an answer, with the fields of { error }.
class Failure extends Error {
  constructor(fields) {
    super(fields.message);
    this.fields = fields;
  }
}

// Asks a state; `keep` names one to be used again, else it is new and gone afterwards.
function ask(module, request, keep) {
  let told = null;
  const outer = tell;
  tell = (kind, name, text) => { if (kind === "error") told = text; else outer(kind, name, text); };
  let state = 0, failed = true;
  try {
    state = keep && kept.has(keep) ? kept.get(keep) : module._web_open();
    if (state === 0) throw new Failure({ message: told });
    const length = module.lengthBytesUTF8(dialect(request)) + 1, address = module._malloc(length);
    if (address === 0) throw new Failure({ message: MEMORY });
    module.stringToUTF8(dialect(request), address, length);
    const answer = module._web_ask(state, address);
    module._free(address);
    if (answer === 0) throw new Failure({ message: told });
    const value = plain(JSON.parse(module.UTF8ToString(answer)));
    failed = false;
    if (value.error) throw new Failure(value.error);
    return value;
  } catch (error) {
    if (!(error instanceof Failure)) {   // the instance is broken: a trap, or exit()
      vesicle = null;
      kept.clear();
      state = 0;
      const stack = /stack/.test(error.message), memory = error instanceof RangeError && !stack;
      throw new Failure({ message: memory ? MEMORY : stack ? "stack overflow" : error.name === "ExitStatus" ? "the script left by os.exit" : `vesicle stopped: ${error.message}` });
    }
    if (/not enough memory/.test(error.fields.message)) {
      error.fields.message = error.fields.message.replace("not enough memory", MEMORY);
      vesicle = null;
      kept.clear();
      state = 0;
    }
    throw error;
  } finally {
    module.flush();
    tell = outer;
    if (state !== 0) {
      if (keep && !failed) kept.set(keep, state);
      else {
        module._web_close(state);
        kept.delete(keep);
      }
    }
  }
}

// The rows of a table as the library writes it, as objects.
function rows(text) {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => line.split("\t"));
  return lines.slice(1).map((row) => Object.fromEntries(lines[0].map((name, i) => [name, row[i]])));
}

const number = (text) => (text === "NA" || text === undefined ? null : Number(text));

async function run(request) {
  const { name, source, set, quick, seed } = request, path = `lua/experiments/${name}.lua`;
  const module = await getVesicle(), original = (await texts("files.json"))[path];
  if (source === null && original === undefined) throw new Failure({ message: `there is no experiment ${name}` });
  if (!/^[A-Za-z0-9_]+$/.test(name)) throw new Failure({ message: `${name}: expected letters, digits and _` });
  write(module.FS, path, source ?? original);
  const files = {}, start = performance.now();
  const outer = tell;
  tell = (kind, one, text) => { if (kind === "file") files[one] = text; else outer(kind, one, text); };
  try {
    ask(module, { do: "run", name, scale: quick ? "quick" : "full", seed: seed ?? undefined,
      set: Object.entries(set ?? {}).map(([key, value]) => `${key}=${value}`) });
  } finally {
    tell = outer;
  }
  lastRun = files;
  return { seconds: (performance.now() - start) / 1000, files, ...outcome(name, files) };
}

// What an experiment says, from its tables.
function outcome(name, files) {
  return {
    claims: rows(files[`${name}/claims.tsv`] ?? ""),
    numbers: rows(files[`${name}/numbers.tsv`] ?? "").map((row) => ({ name: row.name, value: number(row.value), se: number(row.se) })),
  };
}

async function evaluate(request) {
  const module = await getVesicle(), before = listing(module.FS), files = {}, scripts = [];
  const outer = tell;
  let experiment = null, asked = 0;      // the one that the script has made; plots
  tell = (kind, name, text) => {
    if (kind === "file") { files[name] = text; experiment = name.split("/")[0]; }
    else if (kind === "plot") {
      if (++asked <= PLOTS) scripts.push(name);
      else if (asked === PLOTS + 1) outer("output", `... a page draws the first ${PLOTS} plots\n`);
    } else outer(kind, name, text);
  };
  const made = () => [...listing(module.FS)].filter(([path, mark]) => before.get(path) !== mark).map(([path]) => path);
  let answer;
  try {
    answer = ask(module, { do: "eval", source: request.source, name: request.name ?? "script.lua", seed: request.seed ?? undefined,
      scale: request.quick ? "quick" : "full", json: request.json ?? true }, request.keep);
    for (const path of made()) files[path] = module.FS.readFile("/" + path, { encoding: "utf8" });
  } finally {
    tell = outer;
    if (!request.keep) for (const path of made()) if (!before.has(path)) module.FS.unlink("/" + path); // another script begins without them
  }
  const plots = [];
  for (const script of scripts) {
    const { "out.svg": svg, ...saved } = await gnuplot({ "plot.gp": script }, "set output 'out.svg'", "plot.gp");
    if (svg) plots.push(svg);
    Object.assign(files, saved);
  }
  return { value: answer.value ?? null, files, plots, experiment, ...(experiment === null ? {} : outcome(experiment, files)) };
}

// ---- gnuplot ----

// Runs a script as `make` does (figures/figures.mk), after the commands `before`; returns the files that it wrote.
async function gnuplot(files, before, script) {
  let said = "", code = 1;
  const module = await instance(gnuplotModule, await wasm("gnuplot"), files, (text) => { said += text; });
  const old = listing(module.FS);
  try {
    code = module.callMain(["-d", "-e", before, script]);
  } catch (error) {
    if (error.name === "ExitStatus") code = error.status;
    else said += /memory|Aborted/.test(error.message) ? MEMORY : error.message;
  }
  module.flush();
  if (code !== 0) {
    const line = said.match(/line (\d+):/);
    throw new Failure({ message: said.trim(), file: said.match(/"([^"]+)"[,;]? line/)?.[1] ?? script, line: line ? Number(line[1]) : undefined });
  }
  const made = [...listing(module.FS).keys()].filter((path) => !old.has(path));
  return Object.fromEntries(made.map((path) => [path, module.FS.readFile("/" + path, { encoding: "utf8" })]));
}

async function draw(request) {
  const experiment = request.experiment ?? request.figure.split("-")[0], all = await texts("files.json");
  let data = request.files ?? null;
  if (data === null) {
    data = Object.fromEntries(Object.entries(lastRun).filter(([path]) => path.startsWith(experiment + "/")));
    if (Object.keys(data).length === 0) data = await texts(`data/${experiment}.json`);
  }
  const path = `figures/${request.figure}.gp`, files = { "figures/style.gp": all["figures/style.gp"] };
  files[path] = request.script ?? all[path];
  if (files[path] === undefined) throw new Failure({ message: `there is no figure ${request.figure}` });
  for (const [name, text] of Object.entries(data)) files[`build/data/${name}`] = text;
  // A script of one's own need not load the style: what it draws is an SVG anyway. It finds tables by their names, too.
  const own = all[path] === undefined ? "set terminal svg enhanced dynamic background rgb 'white'; set output 'out.svg'; " : "";
  if (own) for (const [name, text] of Object.entries(data)) files[name] ??= text;
  const made = await gnuplot(files, `${own}data='build/data/${experiment}'; out='out.svg'; format='svg'`, path);
  if (!made["out.svg"]) throw new Failure({ message: `figures/${request.figure}.gp has drawn nothing`, file: path });
  return { svg: made["out.svg"] };
}

// ---- messages ----

const answers = {
  async hello() {
    const module = await getVesicle();
    return { version: module.UTF8ToString(module._web_version()), commit: module.UTF8ToString(module._web_commit()),
      simd: module._web_simd() !== 0 };
  },
  run: (request) => run({ source: null, ...request }),
  eval: evaluate,
  draw,
};

// What a script prints, in messages that a page can keep up with, whatever the script does: the first ones at once, later
// ones together, and no more than a page can show.
const AT_ONCE = 200, EVERY = 100, SHOWN = 1024 * 1024; // messages, milliseconds, characters

function printer(id) {
  let sent = 0, shown = 0, last = 0, waiting = "";
  const flush = () => {
    if (waiting !== "") postMessage({ id, output: waiting });
    waiting = "";
    sent++;
    last = performance.now();
  };
  const put = (text) => {
    if (shown > SHOWN) return;
    shown += text.length;
    waiting += shown > SHOWN ? text.slice(0, SHOWN - shown) + "\n... more was printed than a page shows\n" : text;
    if (sent < AT_ONCE || shown > SHOWN || performance.now() - last >= EVERY) flush();
  };
  return { put, flush };
}

async function answer(request) {
  const id = request.id, { put, flush } = printer(id);
  tell = (kind, text) => {
    if (kind === "progress") postMessage({ id, progress: text });
    else if (kind === "output") put(text);
  };
  try {
    if (!Object.hasOwn(answers, request.do)) throw new Failure({ message: `there is no request ${request.do}` });
    const done = await answers[request.do](request);
    flush();
    postMessage({ id, done });
  } catch (error) {
    flush();
    postMessage({ id, error: error instanceof Failure ? error.fields : { message: String(error.message ?? error) } });
  }
}

let turn = Promise.resolve();
onmessage = (event) => { turn = turn.then(() => answer(event.data)); };
