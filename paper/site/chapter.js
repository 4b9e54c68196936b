// chapter: runs the experiment of a chapter in its page.
//
// What can be changed is the parameters, the script and the scale. The address keeps it, the command line that would do
// the same is shown, and what comes out stands beside what is published: figures, statements, numbers.

import { clear, compareClaims, compareNumbers } from "./compare.js";
import { Controls } from "./controls.js";
import { figures } from "./figures.js";
import { copyButton, download, duration, make } from "./make.js";
import { Stopped } from "./runtime.js";
import { Script } from "./script.js";

// Full scale takes about this many times the recorded seconds of computing. On one machine a page was measured to take
// up to twice as long as the program (one core, no AVX2); other machines are slower.
const slower = 3;

const quoted = (text) => (/^[\w.,:=+-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'");

export function start(page, runtime) {
  const place = document.getElementById("play");
  const shown = figures(page.figures);
  let current = 0; // the number of the present run: what an earlier one says is not shown

  const run = make("button", { type: "button", class: "main", onclick: () => go() }, "Run");
  const stop = make("button", { type: "button", disabled: true, onclick: () => halt() }, "Stop");
  const full = page.seconds === undefined ? "" : ", about " + duration(page.seconds * slower);
  const scale = make("select", { "aria-label": "Scale", onchange: () => { controls.quick = quick(); changed(true); } },
    make("option", { value: "quick" }, "quick scale"), make("option", { value: "full" }, "full scale" + full));
  const auto = make("input", { type: "checkbox", id: "play-auto", checked: true });
  const progress = make("p", { class: "progress", "aria-hidden": "true" });
  const status = make("p", { role: "status", class: "result" });
  const fault = make("p", { class: "fault", role: "alert", hidden: true });
  const command = make("code");
  const saved = make("button", { type: "button", hidden: true, onclick: () => download(page.name + ".lua", script.text) },
    "Download the changed script");
  const others = make("p", { class: "others", hidden: true });
  const echo = make("img", { class: "echo", alt: "", hidden: true }); // the first figure once more, on small screens
  const repeat = () => { if (shown.length > 0) { echo.src = shown[0].source; echo.hidden = false; } };
  const reset = make("button", { type: "button", disabled: true, onclick: () => restore() }, "Reset all");

  const quick = () => scale.value === "quick";
  const script = new Script(page.source, page.blocks, { changed: () => changed(false), run: () => go() });
  const controls = new Controls(page.parameters, true, changed);

  place.append(make("section", { class: "play", "aria-labelledby": "play-title" },
    make("h2", { id: "play-title" }, "Change it and see"),
    make("p", {}, "This chapter runs in your browser: the same program, the same script, nothing to install. Move a slider, or press "
      + "Edit at any block of the script below."),
    make("div", { class: "bar" }, run, stop, scale,
      make("label", { for: "play-auto" }, auto, " run when a control changes"),
      make("button", { type: "button", onclick: () => script.openAll() }, "Edit the script"), reset,
      copyButton("Copy link", () => location.href)),
    progress, status, others, fault, echo, controls.element,
    make("div", { class: "command" }, command, copyButton("Copy as command", () => command.textContent)), saved));
  repeat();
  place.hidden = false;

  function changed(settled) {
    const set = controls.set, edited = script.edited;
    const words = ["vesicle run", edited ? page.name + ".lua" : page.script, "--scale", scale.value];
    for (const name of Object.keys(set).sort()) words.push("--set", quoted(name + "=" + set[name]));
    command.textContent = words.join(" ");
    saved.hidden = !edited;
    reset.disabled = Object.keys(set).length === 0 && !edited && quick();
    const kept = new URLSearchParams(Object.keys(set).sort().map((name) => [name, set[name]]));
    if (!quick()) kept.append("_scale", "full");
    for (const edit of script.edits) kept.append("_edit", edit);
    const query = kept.toString();
    carry(set);
    history.replaceState(null, "", location.pathname + (query ? "?" + query : "") + location.hash);
    if (settled && auto.checked && quick()) go();
  }

  // Links to the other chapters of this number, with the values that were changed here and have a place there.
  function carry(set) {
    const links = page.parts.map(({ name, title, parameters }) => {
      const query = new URLSearchParams(Object.keys(set).filter((key) => parameters.includes(key)).sort().map((key) => [key, set[key]])).toString();
      return query && make("a", { href: name + ".html?" + query }, title);
    }).filter(Boolean);
    others.hidden = links.length === 0;
    others.replaceChildren("The same change in: ", ...links.flatMap((link, i) => (i ? [" · ", link] : [link])));
  }

  function restore() {
    halt();
    scale.value = "quick";
    controls.quick = true;
    controls.set = {};
    script.reset();
    for (const figure of shown) figure.clear();
    repeat();
    clear();
    fault.hidden = true;
    status.textContent = "";
    progress.textContent = "";
    changed(false);
  }

  function halt() {
    current++;
    if (runtime.busy) { runtime.stop(); status.textContent = "Stopped."; }
    idle();
  }

  function idle() {
    stop.disabled = true;
    run.textContent = "Run";
    for (const figure of shown) figure.wait(false);
  }

  function how(seconds) {
    const set = controls.set, parts = Object.keys(set).sort().map((name) => name + " = " + set[name]);
    if (script.edited) parts.push("changed script");
    parts.push(scale.value + " scale", duration(seconds));
    return parts.join(", ");
  }

  async function go() {
    if (runtime.busy) runtime.stop();
    const mine = ++current;
    fault.hidden = true;
    script.clearFault();
    stop.disabled = false;
    run.textContent = "Run again";
    status.textContent = "Running …";
    progress.textContent = "";
    for (const figure of shown) figure.wait(true);
    try {
      const done = await runtime.ask({ do: "run", name: page.name, source: script.edited ? script.text : null, set: controls.set,
        quick: quick() }, { progress: (line) => { if (mine === current) progress.textContent = line.trimEnd(); } });
      if (mine !== current) return;
      report(done);
      const text = how(done.seconds);
      for (const figure of shown) {
        const drawn = await runtime.ask({ do: "draw", figure: figure.name, files: null, script: null });
        if (mine !== current) return;
        figure.put(drawn.svg, text);
        figure.wait(false);
        repeat();
      }
      place.dataset.runs = String(Number(place.dataset.runs ?? 0) + 1);
    } catch (error) {
      if (error instanceof Stopped || mine !== current) return;
      status.textContent = "";
      progress.textContent = "";
      const here = error.line && (!error.file || error.file === page.script) && script.fault(error.line, error.message);
      fault.textContent = here ? "There is an error at line " + error.line + " of the script." : error.message;
      fault.hidden = false;
    }
    if (mine === current) idle();
  }

  function report(done) {
    const found = compareClaims(done.claims ?? []), values = compareNumbers(done.numbers ?? [], page.numbers);
    progress.textContent = "";
    const parts = ["Computed in " + duration(done.seconds) + ". "];
    if (found.total > 0) {
      parts.push(found.differ.length === 0 ? "All " + found.total + " verdicts are the published ones. "
        : "Verdicts that differ from the published ones: ");
      found.differ.forEach((id, i) => parts.push(i ? ", " : "", make("a", { href: "#claim-" + id }, id)));
      if (found.differ.length) parts.push(". ");
    }
    if (values.total > 0) {
      parts.push(values.moved === 0 ? "No number has moved by more than three standard errors. "
        : make("a", { href: "#numbers-here" }, values.moved + " of " + values.total + " numbers"),
      values.moved === 0 ? "" : " have moved by more than three standard errors. ");
    }
    if (found.fresh.length) parts.push("New statements: " + found.fresh.join(", ") + ". ");
    status.replaceChildren(...parts);
  }

  // What the address has kept is set up again, and run.
  const given = new URLSearchParams(location.search);
  if (given.get("_scale") === "full") scale.value = "full";
  controls.quick = quick();
  controls.set = Object.fromEntries([...given].filter(([name]) => !name.startsWith("_")));
  script.apply(given.getAll("_edit"));
  changed(false);
  if (location.hash === "#play") place.scrollIntoView();
  if ([...given].length > 0 && quick()) go();
}
