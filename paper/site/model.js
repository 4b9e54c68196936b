// model: the picture of the idea on the front page, driven by the same core as everything else.
//
// Eight outputs side by side. Each has a weight, a bar one can drag; the release probability of its synapse; a synapse that
// transmits or fails at each draw; and a column of the histogram of winners, with what the weights encode and what these
// releases give exactly behind it. All numbers come from the program: this file moves and paints.

import { make, svg } from "./make.js";

// A phone gets a narrower picture, not a smaller one.
const narrow = matchMedia("(max-width: 40rem)").matches;
const size = { width: narrow ? 350 : 640, height: 460, left: 0, right: 0 };
const rows = { weight: [20, 120], release: [142, 182], synapse: [206, 262], histogram: [300, 440] };
const first = [0.15, 0.5, 0.9, 0.45, 0.2, 0.55, 0.7, 0.3];
const batch = 100;
const ways = {
  analytic: "Each synapse releases at its weight divided by itself and everything weaker: the mapping. The winners follow the weights.",
  uniform: "Every synapse releases with the same probability, 0.3. The strong win too often, the weak too seldom.",
  learned: "Each synapse has learned its release from 20,000 draws, knowing only its share of what was transmitted with it, by "
    + "the rule with a variable exponent. The winners nearly follow the weights.",
};

// The chunk of Lua that answers for these weights: releases, exact winners, and draws one by one.
const chunk = (weights, way, seed) => `
local ves = require "vesicle"
local w = ves.vector{${weights.map((x) => x.toFixed(3)).join(", ")}}
local root = ves.rng(${seed})
local q
if "${way}" == "analytic" then q = ves.release.analytic(w)
elseif "${way}" == "uniform" then q = ves.vector(#w, 0.3)
else q = ves.release.learn(w, { rule = "variable", iterations = 20000, rng = root:stream("learning") }) end
local p, nothing = ves.winner.exact(w, q)
local rng, draws = root:stream("draws"), {}
for d = 1, ${batch} do
  local one = ves.draw(w, q, { rng = rng })
  draws[d] = { winner = one.winner, transmits = one.transmits:totable() }
end
local encoded = w / w:sum()
return { q = q:totable(), p = p:totable(), nothing = nothing, encoded = encoded:totable(), draws = draws,
  distance = ves.score.total_variation(p / p:sum(), encoded) }`;

const many = (weights, q, seed, count) => `
local ves = require "vesicle"
local w, q = ves.vector{${weights.map((x) => x.toFixed(3)).join(", ")}}, ves.vector{${q.join(", ")}}
local counts = {}
for i = 0, #w do counts[i + 1] = 0 end
for _, i in ipairs(ves.sample(w, q, { draws = ${count}, rng = ves.rng(${seed}):stream("many") }):totable()) do
  counts[i + 1] = counts[i + 1] + 1
end
return counts`;

export function start(page, runtime) {
  const n = first.length, place = document.getElementById("model");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const pitch = (size.width - size.left - size.right) / n, bar = pitch * 0.62;
  const x = (i) => size.left + pitch * (i + 0.5);
  const weights = [...first], counts = new Array(n + 1).fill(0); // counts[0]: draws in which nothing transmitted
  let way = "analytic", seed = 1, known = null, next = 0, playing = false, asked = 0, timer = 0;
  let changes = 0, wanted = false;

  // ---- the picture ----

  const picture = svg("svg", { viewBox: `0 0 ${size.width} ${size.height}`, role: "group", "aria-label": "The model: weights to drag, and what follows from them" });
  const title = (text, y) => picture.append(svg("text", { x: 0, y, class: "soft" }, text));
  title("weights: drag them", 12);
  title("release probabilities", 138);
  title("one draw: filled if the synapse transmits, red the winner", 202);
  title("winners so far (blue), encoded (grey), exact (line)", 292);
  picture.append(svg("line", { x1: size.left, x2: size.width, y1: rows.histogram[1], y2: rows.histogram[1], class: "axis" }));
  const outputs = weights.map((_, i) => output(i));

  function output(i) {
    const at = x(i), part = {};
    const rect = (kind, width = bar) => svg("rect", { class: kind, x: at - width / 2, width, y: 0, height: 0 });
    part.weight = rect("weight");
    part.grip = svg("rect", { class: "grip", x: at - bar / 2 - 3, width: bar + 6, height: 9, rx: 4 });
    part.track = svg("rect", { class: "track", x: at - bar / 2, width: bar, y: rows.release[0] + 16, height: 7, rx: 3 });
    part.release = svg("rect", { class: "release", x: at - bar / 2, width: 0, y: rows.release[0] + 16, height: 7, rx: 3 });
    part.number = svg("text", { x: at, y: rows.release[0] + 11, "text-anchor": "middle" });
    part.line = svg("line", { x1: at, x2: at, y1: rows.synapse[0], y2: rows.synapse[1] - 9, class: "line-failed" });
    part.synapse = svg("circle", { cx: at, cy: rows.synapse[1], r: 9, class: "failed" });
    part.encoded = rect("encoded");
    part.count = rect("count", bar * 0.6);
    part.exact = svg("line", { x1: at - bar / 2, x2: at + bar / 2, class: "exact" });
    part.label = svg("text", { x: at, y: rows.histogram[1] + 16, "text-anchor": "middle", class: "soft" }, String(i + 1));
    part.handle = svg("g", { class: "handle", role: "slider", tabindex: "0", "aria-label": "Weight of output " + (i + 1),
      "aria-valuemin": "0", "aria-valuemax": "1", "aria-orientation": "vertical" },
      svg("rect", { x: at - pitch / 2, width: pitch, y: rows.weight[0] - 8, height: rows.weight[1] - rows.weight[0] + 16, fill: "transparent" }),
      part.weight, part.grip);
    drag(part.handle, i);
    picture.append(part.track, part.release, part.number, part.line, part.synapse, part.encoded, part.count, part.exact, part.label, part.handle);
    return part;
  }

  // ---- dragging, by pointer and by keys ----

  function drag(handle, i) {
    const move = (event) => {
      const box = picture.getBoundingClientRect();
      const y = (event.clientY - box.top) / box.height * size.height;
      put(i, (rows.weight[1] - y) / (rows.weight[1] - rows.weight[0]));
    };
    handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); handle.focus(); move(event); event.preventDefault(); });
    // Not every browser heeds touch-action inside a picture: without this a finger would move the page instead.
    handle.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    handle.addEventListener("pointermove", (event) => { if (handle.hasPointerCapture(event.pointerId)) move(event); });
    handle.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 0.02, ArrowRight: 0.02, ArrowDown: -0.02, ArrowLeft: -0.02, PageUp: 0.1, PageDown: -0.1 }[event.key];
      if (step) put(i, weights[i] + step);
      else if (event.key === "Home") put(i, 0);
      else if (event.key === "End") put(i, 1);
      else return;
      event.preventDefault();
    });
  }

  function put(i, value) {
    weights[i] = Math.round(Math.min(1, Math.max(0, value)) * 100) / 100;
    if (weights.every((w) => w === 0)) weights[i] = 0.01;
    paintWeights();
    changed();
  }

  // ---- what the program says of it ----

  function changed() {
    counts.fill(0);
    next = 0;
    known = null;
    changes++;
    clearTimeout(timer);
    timer = setTimeout(ask, 30);
  }

  async function ask() {
    const mine = ++asked;
    try {
      const { value } = await runtime.ask({ do: "eval", source: chunk(weights, way, seed), json: true });
      if (mine !== asked) return;
      seed++;
      known = value;
      next = 0;
      paint();
      say();
      schedule();
      if (wanted) { wanted = false; thousand(); }
    } catch (error) {
      summary.textContent = error.message;
    }
  }

  // ---- drawing ----

  function step() {
    if (!known || next >= known.draws.length) return;   // the next ones are on their way
    const draw = known.draws[next++];
    counts[draw.winner]++;
    for (let i = 0; i < n; i++) {
      const sent = draw.transmits[i] === 1, won = draw.winner === i + 1;
      outputs[i].line.setAttribute("class", sent ? "line-sent" : "line-failed");
      outputs[i].synapse.setAttribute("class", won ? "won" : sent ? "sent" : "failed");
      if (won && !calm.matches) fall(outputs[i]);
    }
    paintCounts();
    if (next >= known.draws.length) ask();
  }

  // The winner falls into its column.
  function fall(part) {
    const ball = svg("circle", { cx: part.synapse.getAttribute("cx"), cy: rows.synapse[1], r: 6, class: "won" });
    picture.append(ball);
    const distance = Math.max(20, rows.histogram[1] - Number(part.count.getAttribute("height")) - rows.synapse[1]);
    ball.animate([{ transform: "translateY(0)" }, { transform: `translateY(${distance}px)`, opacity: 0.2 }],
      { duration: 320, easing: "ease-in" }).onfinish = () => ball.remove();
  }

  function schedule() {
    clearTimeout(timer);
    if (playing && known) timer = setTimeout(() => { step(); schedule(); }, total() < 12 ? 650 : total() < 40 ? 250 : 60);
  }

  async function thousand() {
    if (!known) { wanted = true; return; }                // as soon as the releases are known
    const at = changes;
    const { value } = await runtime.ask({ do: "eval", source: many(weights, known.q, ++seed, 1000), json: true });
    if (at !== changes) return;
    value.forEach((count, i) => { counts[i] += count; });
    paintCounts();
    say();
  }

  // ---- painting ----

  const total = () => counts.reduce((sum, count) => sum + count, 0);
  const upTo = (rect, base, height) => { rect.setAttribute("y", base - height); rect.setAttribute("height", Math.max(0, height)); };

  function paintWeights() {
    outputs.forEach((part, i) => {
      const height = weights[i] * (rows.weight[1] - rows.weight[0]);
      upTo(part.weight, rows.weight[1], height);
      part.grip.setAttribute("y", rows.weight[1] - height - 4);
      part.handle.setAttribute("aria-valuenow", String(weights[i]));
    });
  }

  function heights() {
    const wins = Math.max(1, total() - counts[0]), most = Math.max(0.05, ...(known?.encoded ?? []), ...(known?.p ?? []));
    const unit = (rows.histogram[1] - rows.histogram[0]) / (most * 1.1);
    return { wins, unit };
  }

  function paintCounts() {
    const { wins, unit } = heights();
    outputs.forEach((part, i) => upTo(part.count, rows.histogram[1], Math.min(counts[i + 1] / wins * unit, rows.histogram[1] - rows.histogram[0])));
    drawn.textContent = total() + (total() === 1 ? " draw" : " draws") + (counts[0] ? ", " + counts[0] + " of them empty" : "");
  }

  function paint() {
    const { unit } = heights(), won = 1 - known.nothing;
    outputs.forEach((part, i) => {
      part.release.setAttribute("width", String(bar * known.q[i]));
      part.number.textContent = known.q[i].toFixed(2);
      upTo(part.encoded, rows.histogram[1], known.encoded[i] * unit);
      const y = rows.histogram[1] - known.p[i] / won * unit;
      part.exact.setAttribute("y1", y);
      part.exact.setAttribute("y2", y);
    });
    paintCounts();
  }

  // In words, for those who do not see it; at rest, not at every draw.
  function say() {
    if (!known) return;
    const list = (values) => values.map((v) => v.toFixed(2)).join(", ");
    const count = total(), parts = ["Release probabilities " + list(known.q) + ". The exact distribution of the winner is "
      + (known.distance < 0.0005 ? "the encoded one" : "off the encoded one by a total variation of " + known.distance.toFixed(3)) + "."];
    if (known.nothing > 0.0005) parts.push("In " + (100 * known.nothing).toFixed(0) + "% of the draws nothing transmits.");
    if (count > 0) parts.push("After " + count + " draws the shares of the winners are " + list(counts.slice(1).map((c) => c / Math.max(1, count - counts[0]))) + ".");
    summary.textContent = parts.join(" ");
  }

  // ---- controls ----

  const drawn = make("span");
  const summary = make("p", { role: "status", class: "explains" });
  const about = make("p", { class: "explains" }, ways[way]);
  const play = make("button", { type: "button", class: "main", "aria-pressed": "false", onclick: () => toggle(!playing) }, "Draw one by one");
  const choices = make("fieldset", {}, make("legend", {}, "Release probabilities:"));
  for (const name of Object.keys(ways)) {
    choices.append(make("label", {}, make("input", { type: "radio", name: "way", value: name, checked: name === way, onchange: () => {
      way = name;
      about.textContent = ways[name];
      changed();
    } }), " " + name));
  }

  function toggle(on) {
    playing = on;
    play.textContent = on ? "Pause" : "Draw one by one";
    play.setAttribute("aria-pressed", String(on));
    if (on) schedule(); else { clearTimeout(timer); say(); }
  }

  place.append(make("section", { class: "play model", "aria-label": "The model, to try" },
    choices, about, picture,
    make("div", { class: "bar" }, play,
      make("button", { type: "button", onclick: () => { toggle(false); step(); say(); } }, "One draw"),
      make("button", { type: "button", onclick: thousand }, "A thousand draws"),
      make("button", { type: "button", onclick: () => { counts.fill(0); paintCounts(); say(); } }, "Start over"), drawn),
    summary));
  place.hidden = false;
  document.getElementById("still").hidden = true;
  paintWeights();
  ask().then(() => { if (!calm.matches) toggle(true); });
}
