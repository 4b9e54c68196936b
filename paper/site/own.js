// own: a script of one's own. Examples to begin with, a figure by ves.plot or by a gnuplot script, tables to download.
//
// A script is run from its first line to its last; an experiment that it makes (ex.new) runs at quick scale. The gnuplot
// script draws from the tables that were written: those of an experiment are in the folder `data`, others by their names.

import { measured, number } from "./compare.js";
import { Editor } from "./editor.js";
import { address, download, duration, make } from "./make.js";
import { Stopped } from "./runtime.js";

export function start(page, runtime) {
  const place = document.getElementById("own");
  let current = 0, addresses = []; // of what the last run has made: released before the next
  const run = make("button", { type: "button", class: "main", onclick: () => go() }, "Run");
  const stop = make("button", { type: "button", disabled: true, onclick: () => { current++; runtime.stop(); idle("Stopped."); } }, "Stop");
  const examples = make("select", { onchange: () => load(page.examples[examples.value]) });
  page.examples.forEach((one, i) => examples.append(make("option", { value: String(i) }, one.title)));
  const script = new Editor({ text: "", label: "Your script", run: () => go(), changed: keep });
  const figure = new Editor({ text: "", label: "Figure in gnuplot's language, if there is to be one", plain: true, run: () => go(), changed: keep });
  const status = make("p", { role: "status" }), progress = make("p", { class: "progress", "aria-hidden": "true" });
  const fault = make("p", { class: "fault", role: "alert", hidden: true });
  const output = make("pre", { class: "output", tabindex: "0", "aria-label": "What the script printed", hidden: true });
  const plots = make("div", { class: "plots" }), claims = make("div"), tables = make("ul");

  place.append(
    make("p", {}, "Write Lua, run it here. ", make("a", { href: "api.html" }, "The Lua interface"), " lists every function; the "
      + "examples are those of the tutorial. What you write stays in this browser."),
    make("div", { class: "play" }, make("div", { class: "bar" }, run, stop, make("label", {}, "Example: ", examples),
      make("button", { type: "button", onclick: () => download("script.lua", script.text) }, "Download the script"))),
    script.element, figure.element, progress, status, fault, output, plots, claims, tables);
  place.hidden = false;

  function load(one) {
    script.restore(one.script);
    figure.restore(one.figure ?? "");
  }

  function keep() {
    try { localStorage.setItem("vesicle-own", JSON.stringify({ script: script.text, figure: figure.text })); } catch { /* not kept */ }
  }

  function idle(text) {
    stop.disabled = true;
    status.textContent = text;
    progress.textContent = "";
  }

  async function go() {
    if (runtime.busy) runtime.stop();
    const mine = ++current, began = performance.now();
    const on = { progress: (line) => { if (mine === current) progress.textContent = line.trimEnd(); },
      output: (text) => { if (mine === current) { output.hidden = false; output.append(text); } } };
    fault.hidden = true;
    script.fault();
    figure.fault();
    output.textContent = "";
    output.hidden = true;
    for (const part of [plots, claims, tables]) part.replaceChildren();
    for (const one of addresses) URL.revokeObjectURL(one);
    addresses = [];
    stop.disabled = false;
    status.textContent = "Running …";
    try {
      const done = await runtime.ask({ do: "eval", source: script.text, quick: true, json: false }, on);
      if (mine !== current) return;
      show(done);
      if (figure.text.trim()) {
        const name = done.experiment ?? "script";
        const drawn = await runtime.ask({ do: "draw", figure: name, experiment: name, files: done.files, script: figure.text });
        if (mine !== current) return;
        plot(drawn.svg, "The figure of your script");
      }
      idle("Done in " + duration((performance.now() - began) / 1000) + (done.experiment ? ", at quick scale." : "."));
    } catch (error) {
      if (error instanceof Stopped || mine !== current) return;
      idle("");
      const inFigure = error.file?.endsWith(".gp");
      if (error.line) (inFigure ? figure : script).fault(error.line, error.message);
      else { fault.textContent = error.message; fault.hidden = false; }
    }
    place.dataset.runs = String(Number(place.dataset.runs ?? 0) + 1);
  }

  function made(text, type) {
    addresses.push(address(text, type));
    return addresses.at(-1);
  }

  function plot(svg, alt) { plots.append(make("img", { src: made(svg, "image/svg+xml"), alt })); }

  function show(done) {
    (done.plots ?? []).forEach((svg, i) => plot(svg, "Plot " + (i + 1) + " of your script"));
    for (const one of done.claims ?? []) {
      if (one.verdict && one.verdict !== "NA") {
        claims.append(make("p", {}, make("code", {}, one.id), " ", one.says ?? "", " ", measured(one), " ",
          make("span", { class: "verdict " + one.verdict.replaceAll(" ", "-") }, one.verdict)));
      }
    }
    for (const one of done.numbers ?? []) claims.append(make("p", {}, make("code", {}, one.name), " = " + number(one.value, one.se)));
    for (const [path, text] of Object.entries(done.files ?? {})) {
      tables.append(make("li", {}, make("a", { href: made(text, "text/tab-separated-values"), download: path.replaceAll("/", "-") },
        path), " " + text.split("\n").length + " lines"));
    }
    if (done.value !== undefined && done.value !== null) {
      output.hidden = false;
      output.append((typeof done.value === "string" ? done.value : JSON.stringify(done.value, null, 2)) + "\n");
    }
  }

  let kept = null;
  try { kept = JSON.parse(localStorage.getItem("vesicle-own")); } catch { /* nothing was kept */ }
  load(kept?.script ? { script: kept.script, figure: kept.figure } : page.examples[0]);
}
