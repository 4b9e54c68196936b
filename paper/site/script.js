// script: the script of a chapter, whose blocks of code can be edited where they stand in the text.
//
// The whole script is the original with each block replaced by what is in its editor, so that the line of an error is a
// line of some block. Prose between blocks is not edited.

import { Editor } from "./editor.js";
import { make } from "./make.js";

export class Script {
  #lines; #blocks; #changed; #run;

  constructor(source, blocks, { changed, run }) {
    this.#lines = source.replace(/\n$/, "").split("\n");
    this.#changed = changed;
    this.#run = run;
    this.#blocks = blocks.map(({ from, count }) => {
      const shown = document.getElementById("code" + from);
      const block = { from, count, shown, editor: null, text: this.#lines.slice(from - 1, from - 1 + count).join("\n") };
      block.original = block.text;
      if (shown) {
        shown.classList.add("editable");
        block.button = make("button", { type: "button", class: "small open-editor", "aria-label": "Edit lines " + from + " to "
          + (from + count - 1), onclick: () => this.#open(block).focus() }, "Edit");
        shown.append(block.button);
      }
      return block;
    });
  }

  get edited() { return this.#blocks.some((block) => block.text !== block.original); }

  get text() {
    const parts = [];
    let next = 0;
    for (const block of this.#blocks) {
      parts.push(...this.#lines.slice(next, block.from - 1), block.text);
      next = block.from - 1 + block.count;
    }
    return [...parts, ...this.#lines.slice(next)].join("\n") + "\n";
  }

  // Changes as short texts "first,count,new lines" that name lines of the original: what an address keeps.
  get edits() {
    return this.#blocks.filter((block) => block.text !== block.original).map((block) => {
      const was = block.original.split("\n"), is = block.text.split("\n");
      let head = 0, tail = 0;
      while (head < Math.min(was.length, is.length) && was[head] === is[head]) head++;
      while (tail < Math.min(was.length, is.length) - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++;
      return [block.from + head, was.length - head - tail, is.slice(head, is.length - tail).join("\n")].join(",");
    });
  }

  apply(edits) {
    for (const edit of edits) {
      const [, first, count, text] = edit.match(/^(\d+),(\d+),([\s\S]*)$/) ?? [];
      const block = this.#blocks.find(({ from, count: all }) => first >= from && first <= from + all);
      if (!block) continue;
      const lines = block.original.split("\n"), removed = Number(count);
      const added = text === "" && removed > 0 ? [] : text.split("\n");
      lines.splice(first - block.from, removed, ...added);
      block.text = lines.join("\n");
      this.#open(block).text = block.text;
    }
  }

  openAll() {
    for (const block of this.#blocks) this.#open(block);
    this.#blocks.find((block) => block.editor)?.editor.focus();
  }

  reset() {
    for (const block of this.#blocks) {
      block.text = block.original;
      this.#close(block);
    }
    this.#number();
  }

  clearFault() { for (const block of this.#blocks) block.editor?.fault(); }

  // Shows an error at its line; false if the line is in no block.
  fault(line, message) {
    for (const { block, first } of this.#places()) {
      if (line < first || line >= first + block.text.split("\n").length) continue;
      const editor = this.#open(block);
      editor.fault(line, message);
      editor.element.scrollIntoView({ block: "center" });
      return true;
    }
    return false;
  }

  // Each block and the line of the present script at which it begins.
  #places() {
    let shift = 0;
    return this.#blocks.map((block) => {
      const first = block.from + shift;
      shift += block.text.split("\n").length - block.count;
      return { block, first };
    });
  }

  #open(block) {
    if (block.editor) return block.editor;
    const { first } = this.#places().find((place) => place.block === block);
    block.editor = new Editor({ text: block.text, first, original: block.original,
      label: "Script from line " + block.from, run: this.#run, close: () => this.#close(block),
      changed: () => { block.text = block.editor.text; this.#number(); this.#changed(); } });
    block.shown.after(block.editor.element);
    block.shown.hidden = true;
    return block.editor;
  }

  #close(block) {
    if (!block.editor) return;
    block.editor.element.remove();
    block.editor = null;
    block.shown.hidden = false;
  }

  #number() {
    for (const { block, first } of this.#places()) {
      block.editor?.number(first);
      const code = block.shown?.querySelector("code");
      if (code) code.style.counterReset = "source-line " + (first - 1);
    }
  }
}
