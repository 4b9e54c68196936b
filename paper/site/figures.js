// figures: the figures of a chapter, published or drawn here.

import { address, make } from "./make.js";

class Figure {
  #element; #image; #published; #alt; #drawn = null; #label; #button; #line;

  constructor(element) {
    this.#element = element;
    this.#image = element.querySelector("img");
    this.#published = this.#image.getAttribute("src");
    this.#alt = this.#image.alt;
    this.name = element.dataset.figure;
    this.#label = make("span");
    this.#button = make("button", { type: "button", class: "small", onclick: () => this.#show(this.#image.src !== this.#drawn) }, "");
    this.#line = make("p", { class: "swap", hidden: true }, this.#label, this.#button);
    element.querySelector("figcaption").before(this.#line);
  }

  get source() { return this.#drawn ?? this.#published; } // the address of the one computed here, or else the published

  wait(waiting) { this.#element.classList.toggle("waiting", waiting); }

  put(svg, how) {
    if (this.#drawn) URL.revokeObjectURL(this.#drawn);
    this.#drawn = address(svg, "image/svg+xml");
    this.how = how;
    this.#show(true);
  }

  clear() {
    if (this.#drawn) URL.revokeObjectURL(this.#drawn);
    this.#drawn = null;
    this.#image.src = this.#published;
    this.#image.alt = this.#alt;
    this.#line.hidden = true;
    this.#element.classList.remove("recomputed");
  }

  #show(drawn) {
    this.#image.src = drawn ? this.#drawn : this.#published;
    this.#image.alt = drawn ? "Drawn here, " + this.how + ". The published figure: " + this.#alt : this.#alt;
    this.#label.textContent = drawn ? "Computed here: " + this.how : "As published";
    this.#button.textContent = drawn ? "Show the published one" : "Show the one computed here";
    this.#element.classList.toggle("recomputed", drawn);
    this.#line.hidden = false;
  }
}

export function figures(names) {
  return names.map((name) => document.querySelector('figure[data-figure="' + name + '"]')).filter(Boolean)
    .map((element) => new Figure(element));
}
