// runtime: what a page computes and draws, compared with what the program and gnuplot make here.
//
//     node tests/web/runtime.mjs RESULTS VESICLE [NAME...]     (make check-playground; NAMEs: only these experiments)
//
// RESULTS is a folder built at quick scale with the playground in it. Every experiment must give the program's tables, byte
// for byte but for their # lines, or those of the program with another setting of its mathematical library (`moved`); then verify must
// call the tables equivalent. Every figure is drawn from the program's tables and compared with the program's SVG.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { player } from "./player.mjs";

const [results, vesicle, ...only] = process.argv.slice(2);
const play = path.join(results, "site", "play"), data = path.join(results, "data");

// Where the two mathematical libraries differ. A page has musl's: its exp, log and pow are glibc's own, but glibc uses fused
// multiply-add where the processor has it, and WebAssembly has none. With that turned off the program's tables are the
// page's, byte for byte, except where another function decides. (With other parameters expm1 and log1p may: the two
// libraries compute them in different ways, too, and a last digit of an equilibrium can hang on it.)
const moved = {
  "01_orientation": "sin, cos and atan2, which the two libraries compute in different ways",
};
const plain = { ...process.env, GLIBC_TUNABLES: "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2" };

let passed = 0, failed = 0;
function check(good, what) {
  if (good) passed++;
  else {
    failed++;
    console.log(`  FAILED: ${what}`);
  }
}

const below = (text) => text.split("\n").filter((line) => !line.startsWith("#")).join("\n");
const tables = (folder) => Object.fromEntries(fs.readdirSync(folder).filter((name) => name.endsWith(".tsv"))
  .map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]));

// ---- experiments ----

// Those of the files that the program does not write either when its library does without fused multiply-add.
function otherwise(name, files, made) {
  const out = path.join(results, "web", "plain");
  execFileSync(vesicle, ["run", `lua/experiments/${name}.lua`, "--scale", "quick", "--quiet", "--out", out], { env: plain, stdio: "ignore" });
  return files.filter((file) => below(fs.readFileSync(path.join(out, name, file), "utf8")) !== below(made[`${name}/${file}`]));
}

async function experiments(worker, names) {
  const there = path.join(results, "web", "there"), here = path.join(results, "web", "here");
  fs.rmSync(path.join(results, "web"), { recursive: true, force: true });
  const different = [];
  for (const name of names) {
    const native = tables(path.join(data, name));
    const start = process.cpuUsage(), answer = await worker.ask({ do: "run", name, quick: true });
    const spent = process.cpuUsage(start), seconds = (spent.user + spent.system) / 1e6;
    if (answer.error) {
      check(false, `${name}: ${answer.error.message}`);
      continue;
    }
    for (const [folder, files] of [[there, answer.files], [here, Object.fromEntries(Object.entries(native).map(([file, text]) => [`${name}/${file}`, text]))]]) {
      fs.mkdirSync(path.join(folder, "data", name), { recursive: true });
      for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, "data", file), text);
    }
    const made = Object.keys(answer.files).filter((file) => file.endsWith(".tsv")).map((file) => file.slice(name.length + 1));
    check(made.sort().join() === Object.keys(native).sort().join(), `${name}: wrote ${made}, expected ${Object.keys(native)}`);
    const others = made.filter((file) => below(native[file] ?? "") !== below(answer.files[`${name}/${file}`]));
    let verdict = "identical";
    if (others.length > 0) {
      different.push(name);
      const left = moved[name] ? [] : otherwise(name, others, answer.files);
      verdict = left.length > 0 ? "different" : moved[name] ? "moved by " + moved[name] : "identical without fused multiply-add";
      check(left.length === 0, `${name}: ${left} differ from the program's`);
    }
    console.log(`  ${name.padEnd(26)} ${seconds.toFixed(1).padStart(6)} s  ${verdict}`);
    check(seconds < 10, `${name}: ${seconds.toFixed(1)} seconds of computing, expected less than ten`);
  }
  if (different.length > 0) {
    for (const folder of [here, there]) {
      fs.writeFileSync(path.join(folder, "checksums.tsv"), execFileSync("sh", ["paper/tools/checksums.sh", folder, "data"]));
      fs.writeFileSync(path.join(folder, "documents.tsv"), "file\tsha256\n");
    }
    let verdict = "";
    try {
      verdict = execFileSync(vesicle, ["run", "tests/artifact/compare.lua", "--trust", "--quiet", "--out", path.join(results, "web", "compared"),
        "--set", `here=${here}`, "--set", `there=${there}`, "--set", `only=${different.join(" ")}`], { encoding: "utf8" });
    } catch (error) {
      verdict = error.stdout + error.stderr;
    }
    console.log(verdict.trimEnd());
    check(/^verify: equivalent$/m.test(verdict), "the tables that differ are equivalent");
  }
}

// ---- figures ----

async function figures(worker, names) {
  let same = 0;
  const scripts = fs.readdirSync(path.join(results, "figures")).filter((file) => file.endsWith(".svg")).map((file) => file.slice(0, -4))
    .filter((figure) => names.includes(figure.split("-")[0]));
  for (const figure of scripts) {
    const answer = await worker.ask({ do: "draw", figure });
    if (answer.error) {
      check(false, `${figure}: ${answer.error.message}`);
      continue;
    }
    const good = answer.svg === fs.readFileSync(path.join(results, "figures", `${figure}.svg`), "utf8");
    if (good) same++;
    check(good, `${figure}.svg differs from the program's`);
  }
  console.log(`  ${same} of ${scripts.length} figures have the bytes of the installed gnuplot`);
}

// ---- requests ----

async function requests(worker) {
  const hello = await worker.ask({ do: "hello" });
  check(/^\d+\.\d+\.\d+$/.test(hello.version) && hello.commit !== "", "hello");

  const lines = [];
  let answer = await worker.ask({ do: "eval", source: "print('a', 1)\nio.write('b')\nlocal w = ves.vector{0.5, 0.3}\nreturn {w, n = 2, list = {1, 2}}" }, (m) => lines.push(m.output));
  check(lines.join("") === "a\t1\nb", `output: ${lines}`);
  check(JSON.stringify(answer.value) === '{"1":[0.5,0.3],"list":[1,2],"n":2}', `value: ${JSON.stringify(answer.value)}`);
  answer = await worker.ask({ do: "eval", source: "local x = 1\nlocal y = x .. nil" });
  check(answer.error?.line === 2 && /concatenate/.test(answer.error.message), `an error has its line: ${JSON.stringify(answer)}`);
  answer = await worker.ask({ do: "eval", source: "x = x or 0; x = x + 1; return x", keep: "one" });
  answer = await worker.ask({ do: "eval", source: "x = x or 0; x = x + 1; return x", keep: "one" });
  check(answer.value === 2, "a kept state has its globals");
  answer = await worker.ask({ do: "eval", source: "x = x or 0; x = x + 1; return x", keep: "two" });
  check(answer.value === 1, "another one has not");
  answer = await worker.ask({ do: "eval", source: "ves.plot({1, 4, 9}, {title = 'squares'})\nves.plot.matrix(ves.matrix{{1, 2}, {3, 4}})\nves.write_table('own.tsv', {x = {1, 2}})" });
  check(answer.plots?.length === 2 && answer.plots.every((svg) => svg.startsWith("<?xml")), `plots: ${JSON.stringify(answer).slice(0, 200)}`);
  check(/x\n1\n2/.test(answer.files?.["own.tsv"] ?? ""), `files: ${JSON.stringify(answer.files)}`);
  answer = await worker.ask({ do: "eval", source: "local t = {} for i = 1, 1e9 do t[i] = ves.matrix(1000, 1000, 0) end" });
  check(/not enough memory: a page has/.test(answer.error?.message ?? ""), `memory: ${JSON.stringify(answer).slice(0, 200)}`);
  answer = await worker.ask({ do: "eval", source: "return 1 + 1" });
  check(answer.value === 2, "it goes on after that");

  let messages = 0, printed = 0;
  answer = await worker.ask({ do: "eval", source: "for i = 1, 300000 do print('line', i) end" }, (m) => { messages++; printed += m.output.length; });
  check(messages < 2000 && printed > 1024 * 1024 && printed < 1.01 * 1024 * 1024, `what is printed: ${messages} messages, ${printed} characters`);
  answer = await worker.ask({ do: "eval", source: "local f = io.open('big', 'w')\nlocal s = string.rep('x', 1 << 20)\nfor i = 1, 300 do assert(f:write(s)) end" });
  check(/No space left/.test(answer.error?.message ?? ""), `a file without end: ${JSON.stringify(answer).slice(0, 200)}`);
  answer = await worker.ask({ do: "eval", source: "local f = io.open('big')\nlocal g = assert(io.open('small', 'w'))\nassert(g:write('x'))\nassert(g:close())\nreturn f == nil" });
  check(answer.value === true && answer.files.small === "x", `a script begins without the files of another: ${JSON.stringify(answer).slice(0, 200)}`);

  answer = await worker.ask({ do: "eval", source: "for i = 1, 60 do ves.plot{1, i} end" });
  check(answer.plots?.length === 50, `plots without end: ${answer.plots?.length}`);

  const name = "02_sampling_diagram";
  const source = fs.readFileSync(`lua/experiments/${name}.lua`, "utf8");
  const first = await worker.ask({ do: "run", name, quick: true });
  answer = await worker.ask({ do: "run", name, quick: true, seed: 7 });
  check(answer.files && JSON.stringify(answer.files) !== JSON.stringify(first.files), "another seed, other tables");
  answer = await worker.ask({ do: "run", name, quick: true });
  check(JSON.stringify(answer.files) === JSON.stringify(first.files), "the same again, the same tables");
  check(first.claims[0].id !== undefined && first.numbers.every((one) => Number.isFinite(one.value)), "claims and numbers");
  answer = await worker.ask({ do: "run", name, source: source + "\nerror('on purpose')\n", quick: true });
  check(answer.error?.line === source.split("\n").length + 1 && /on purpose/.test(answer.error.message), `edited: ${JSON.stringify(answer.error)}`);
  answer = await worker.ask({ do: "run", name, source: source.replace("E:finish()", ""), quick: true });
  check(/ends without E:finish\(\)/.test(answer.error?.message ?? ""), "a script that writes nothing");
  answer = await worker.ask({ do: "run", name, set: { nonsense: "1" }, quick: true });
  check(/nonsense/.test(answer.error?.message ?? ""), `a parameter that is none: ${JSON.stringify(answer.error)}`);
  answer = await worker.ask({ do: "draw", figure: name, script: "set output out\nplot nonsense(x)\n" });
  check(answer.error?.line === 2, `a figure with an error: ${JSON.stringify(answer.error)}`);
  answer = await worker.ask({ do: "draw", figure: "own", files: { "own/t.tsv": "1\t2\n2\t3\n" }, script: "plot data.'/t.tsv' with lines\n" });
  check(answer.svg?.startsWith("<?xml"), `a figure of one's own: ${JSON.stringify(answer).slice(0, 200)}`);
  answer = await worker.ask({ do: "eval", source: "ves.plot({1, 4})\nves.plot.save('kept.svg')\nreturn print", json: false });
  check(answer.plots?.length === 1 && answer.files["kept.svg"]?.startsWith("<?xml"), `a saved plot: ${JSON.stringify(answer).slice(0, 200)}`);
  answer = await worker.ask({ do: "nonsense" });
  check(/nonsense/.test(answer.error?.message ?? ""), "a request that is none");
}

const names = fs.readdirSync("lua/experiments").filter((file) => /^\d\d_.*\.lua$/.test(file)).map((file) => file.slice(0, -4))
  .filter((name) => only.length === 0 || only.includes(name)).sort();
const worker = player(play);
await requests(worker);
await figures(player(play), names);
await experiments(worker, names);
// The plain build, for browsers without vector instructions: the same bits.
const scalar = player(play, { scalar: true });
check((await scalar.ask({ do: "hello" })).simd === false, "the scalar build has no vector path");
for (const name of ["05_power_rules", "06_variance_components"].filter((one) => names.includes(one))) {
  const plain = await scalar.ask({ do: "run", name, quick: true }), vector = await worker.ask({ do: "run", name, quick: true });
  check(JSON.stringify(plain.files) === JSON.stringify(vector.files), `${name}: the same with and without vector instructions`);
}
console.log(`runtime: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
