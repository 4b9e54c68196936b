// highlight: Lua as HTML with the same classes that the woven blocks have: kw, st, co, dv, bu.

const keywords = new Set(("and break do else elseif end false for function goto if in local nil not or repeat return then "
  + "true until while").split(" "));
const builtins = new Set("assert error ipairs load math next pairs pcall print require select string table tonumber tostring type".split(" "));

// Comments and strings first, long ones before short ones; an unfinished one goes to the end of its line.
const token = new RegExp([
  /(?<co>--\[(?<c>=*)\[[\s\S]*?(?:\]\k<c>\]|$)|--[^\n]*)/,
  /(?<st>\[(?<s>=*)\[[\s\S]*?(?:\]\k<s>\]|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)/,
  /(?<dv>\b0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|\b\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/,
  /(?<word>[A-Za-z_]\w*)/,
].map((part) => part.source).join("|"), "g");

const escape = (text) => text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);

export function highlight(source) {
  let html = "", position = 0;
  for (const match of source.matchAll(token)) {
    const { co, st, dv, word } = match.groups;
    const kind = co ? "co" : st ? "st" : dv ? "dv" : keywords.has(word) ? "kw" : builtins.has(word) ? "bu" : null;
    html += escape(source.slice(position, match.index));
    html += kind ? '<span class="' + kind + '">' + escape(match[0]) + "</span>" : escape(match[0]);
    position = match.index + match[0].length;
  }
  return html + escape(source.slice(position));
}
