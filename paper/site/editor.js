// editor: a text field over its own coloured copy, with line numbers. Undo is the browser's; Tab leaves the field, as
// everywhere in a page; Enter keeps the indentation; Ctrl-Enter runs.

import { highlight } from "./highlight.js";
import { make } from "./make.js";

export class Editor {
  #first; #original; #gutter; #shade; #area; #fault; #reset; #close = null; #bad = 0; #plain;

  // text: what is edited; first: the number of its first line; label: of the field; plain: no highlighting;
  // changed(), run(), close() are called when something happens.
  constructor({ text, first = 1, label, original = text, plain = false, changed = () => {}, run = () => {}, close = null }) {
    this.#first = first;
    this.#original = original;
    this.#plain = plain;
    this.#gutter = make("pre", { class: "gutter", "aria-hidden": "true" });
    this.#shade = make("pre", { class: "shade", "aria-hidden": "true" });
    this.#area = make("textarea", { "aria-label": label, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      wrap: "off", oninput: () => { this.#bad = 0; this.#fault.textContent = ""; this.#fault.hidden = true; this.#show(); changed(); },
      onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
        else if (event.key === "Enter" && !event.shiftKey) this.#indent(event);
      } });
    this.#area.value = text;
    this.#fault = make("p", { class: "fault", role: "alert", hidden: true });
    this.#reset = make("button", { type: "button", class: "small", onclick: () => this.restore() }, "Reset");
    const bar = make("div", { class: "editor-bar" }, make("span", {}, label), this.#reset,
      make("button", { type: "button", class: "small", onclick: run }, "Run"));
    if (close) { // only where nothing is changed: what is changed stays in sight
      this.#close = make("button", { type: "button", class: "small", onclick: close }, "Close");
      bar.append(this.#close);
    }
    this.element = make("div", { class: "editor" }, bar,
      make("div", { class: "editor-body" }, this.#gutter, make("div", { class: "editor-text" }, this.#shade, this.#area)),
      this.#fault);
    this.#show();
  }

  get text() { return this.#area.value; }
  set text(value) {
    this.#area.value = value;
    this.#area.dispatchEvent(new Event("input"));
  }
  get changed() { return this.text !== this.#original; }
  get lines() { return this.text.split("\n").length; }

  restore(original = this.#original) {
    this.#original = original;
    this.#area.focus();
    this.#area.select(); // so that undo brings back what was there
    if (!document.execCommand("insertText", false, original) || this.text !== original) this.text = original;
  }

  focus() { this.#area.focus(); }

  // The number of the first line, which changes with what is edited above.
  number(first) {
    if (first === this.#first) return;
    this.#first = first;
    this.#show();
  }

  // An error at a line of the script; without one the mark is taken away.
  fault(line, message) {
    this.#bad = line ?? 0;
    this.#fault.textContent = message ?? "";
    this.#fault.hidden = !message;
    this.#show();
  }

  #indent(event) {
    const before = this.text.slice(0, this.#area.selectionStart);
    const indent = before.slice(before.lastIndexOf("\n") + 1).match(/^[ \t]*/)[0];
    if (indent === "") return;
    event.preventDefault();
    document.execCommand("insertText", false, "\n" + indent);
  }

  #show() {
    if (this.#plain) this.#shade.textContent = this.text + "\n"; else this.#shade.innerHTML = highlight(this.text) + "\n";
    this.#reset.disabled = !this.changed;
    if (this.#close) this.#close.disabled = this.changed;
    const numbers = [];
    for (let i = 0; i < this.lines; i++) {
      const number = this.#first + i;
      numbers.push(number === this.#bad ? make("b", {}, String(number)) : String(number), "\n");
    }
    this.#gutter.replaceChildren(...numbers);
  }
}
