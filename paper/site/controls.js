// controls: the declared parameters of an experiment as labelled controls.
//
// A number gets a slider and a field, anything else a field. A declared range bounds both, and parameters that have one
// come first: they are meant to be moved. Other sliders go from a tenth to ten times the default, and the field takes what
// lies beyond. Values are texts, as `--set` takes them: the program reads and judges them.

import { make } from "./make.js";

const steps = 200;
const wide = 50; // a range over which the larger end is that many times the smaller one has a logarithmic slider

// Positions and values: { last position, to(position) -> number, from(number) -> position }, or null.
function scaleOf(parameter) {
  const { kind, range } = parameter, value = Number(parameter.full);
  if ((kind !== "number" && kind !== "integer") || (range && typeof range[0] !== "number")) return null;
  if (range && !(range[0] > 0 && range[1] / range[0] >= wide)) return linear(range[0], range[1]);
  if (range) return logarithmic(range[0], range[1]);
  if (!(value > 0)) return null;
  return logarithmic(kind === "integer" ? Math.max(1, value / 10) : value / 10, value * 10);
}

// Round numbers: 1, 2 or 5 times a power of ten apart.
function linear(lo, hi) {
  const least = (hi - lo) / steps, ten = 10 ** Math.floor(Math.log10(least)), step = ten * [1, 2, 5, 10].find((m) => m * ten >= least * 0.999);
  return { last: Math.round((hi - lo) / step), to: (p) => lo + p * step, from: (x) => (x - lo) / step };
}

function logarithmic(low, high) {
  const lo = Math.log(low), hi = Math.log(high);
  return { last: steps, to: (p) => Math.exp(lo + (hi - lo) * p / steps),
    from: (x) => (Math.log(Math.max(x, 1e-300)) - lo) / (hi - lo) * steps };
}

function spelled(x, kind) { return kind === "integer" ? String(Math.round(x)) : String(Number(x.toPrecision(3))); }

function control(parameter, valueOf, changed) {
  const { name, about, kind } = parameter, scale = scaleOf(parameter);
  const field = make("input", { type: "text", id: "set-" + name, autocomplete: "off", spellcheck: "false",
    inputmode: scale ? "decimal" : "text" });
  const pair = make("div", { class: "pair" });
  const was = make("span", { class: "was" });
  const box = make("div", { class: "control" + (kind.startsWith("list") ? " wide" : "") },
    make("label", { for: "set-" + name }, make("span", { class: "name" }, name), about ? " " + about : "", was), pair);
  let slider = null;
  if (scale) {
    slider = make("input", { type: "range", min: "0", max: String(scale.last), step: "1", "aria-label": name + (about ? ", " + about : "") });
    const read = () => { field.value = spelled(scale.to(Number(slider.value)), kind); say(); };
    slider.addEventListener("input", () => { read(); changed(name, field.value, false); });
    slider.addEventListener("change", () => changed(name, field.value, true));
    pair.append(slider);
  }
  const say = () => slider?.setAttribute("aria-valuetext", field.value);
  field.addEventListener("change", () => {
    if (field.value.trim() === "" && kind !== "string") field.value = valueOf(parameter); // what is empty is the default
    place();
    changed(name, field.value, true);
  });
  pair.append(field);
  function place() {
    const x = Number(field.value);
    if (slider && Number.isFinite(x)) slider.value = String(Math.min(scale.last, Math.max(0, Math.round(scale.from(x)))));
    say();
  }
  return { box, show(value, isChanged) {
    if (field.value !== value) { field.value = value; place(); }
    box.classList.toggle("changed", isChanged);
    was.textContent = isChanged ? " (was " + valueOf(parameter) + ")" : "";
  } };
}

export class Controls {
  #parameters; #all = new Map(); #set = {}; #quick; #more;

  // changed(settled) is called when a value changes; not settled while a slider is being dragged.
  constructor(parameters, quick, changed) {
    this.#parameters = parameters;
    this.#quick = quick;
    const first = make("div", { class: "controls" }), others = make("div", { class: "controls" });
    const meant = parameters.filter((parameter) => parameter.range).length;
    this.#more = make("details", { class: "more", hidden: meant === 0 || meant === parameters.length },
      make("summary", {}, (parameters.length - meant) + " more parameters"), others);
    this.element = make("div", {}, first, this.#more);
    for (const parameter of parameters) {
      const one = control(parameter, (p) => this.#default(p), (name, value, settled) => {
        this.#put(name, value);
        this.#show();
        changed(settled);
      });
      this.#all.set(parameter.name, one);
      (parameter.range || meant === 0 ? first : others).append(one.box);
    }
    this.#show();
  }

  // What differs from the defaults of the present scale, as { name: text }.
  get set() { return { ...this.#set }; }
  set set(values) {
    this.#set = {};
    for (const [name, value] of Object.entries(values)) this.#put(name, value);
    this.#show();
  }

  set quick(value) {
    this.#quick = value;
    for (const [name, text] of Object.entries(this.#set)) this.#put(name, text);
    this.#show();
  }

  #default(parameter) { return this.#quick ? parameter.quick : parameter.full; }

  #put(name, value) {
    const parameter = this.#parameters.find((p) => p.name === name);
    if (!parameter) return;
    if (value === this.#default(parameter)) delete this.#set[name]; else this.#set[name] = value;
  }

  #show() {
    for (const parameter of this.#parameters) {
      const { name } = parameter, changed = name in this.#set;
      this.#all.get(name).show(changed ? this.#set[name] : this.#default(parameter), changed);
      if (changed && !parameter.range) this.#more.open = true;
    }
  }
}
