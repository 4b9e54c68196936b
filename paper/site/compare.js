// compare: what was computed here beside what is published: a column of its own in the tables of statements and numbers.

import { make } from "./make.js";

const most = 8; // as many values are shown one by one

// A number as its standard error allows, or with four digits.
function digits(value, se) {
  if (!Number.isFinite(value)) return String(value);
  if (se > 0 && se < Infinity) {
    const places = 1 - Math.floor(Math.log10(se));
    if (places >= 0 && places <= 12) return value.toFixed(places);
  }
  return String(Number(value.toPrecision(4)));
}

export function number(value, se) {
  const error = Number(se), x = Number(value);
  if (value === "NA" || value === "" || Number.isNaN(x)) return String(value);
  return error > 1e-12 * Math.abs(x) ? digits(x, error) + " ± " + Number(error.toPrecision(2)) : digits(x);
}

const words = (text) => (text === undefined || text === null || text === "NA" ? [] : String(text).trim().split(/\s+/));

// What was measured in a cell of the ledger, in a line.
export function measured(cell) {
  const values = words(cell.value), ses = words(cell.se), at = words(cell.at), failed = new Set(words(cell.failed));
  if (values.length === 0) return "";
  if (values.length === 1) return number(values[0], ses[0]);
  const bad = (i) => failed.has(at[i] ?? String(i + 1));
  if (values.length <= most) return values.map((v, i) => digits(Number(v), Number(ses[i])) + (bad(i) ? "*" : "")).join(" ");
  const sorted = values.map(Number).sort((a, b) => a - b), count = values.filter((_, i) => bad(i)).length;
  return digits(sorted[0]) + " to " + digits(sorted.at(-1)) + " (" + values.length + " values" + (count ? ", " + count + "*" : "") + ")";
}

function column(table, title) {
  const row = table.querySelector("thead tr");
  if (row && !row.querySelector(".here")) row.append(make("th", { class: "here", scope: "col" }, title));
}

function cell(row, ...content) {
  let here = row.querySelector(":scope > td.here");
  if (!here) row.append(here = make("td", { class: "here" }));
  here.replaceChildren(...content);
  return here;
}

const named = (verdict) => make("span", { class: "verdict " + verdict.replaceAll(" ", "-") }, verdict);

// Puts the statements of a run beside the published ones. Returns { total, differ: ids, fresh: ids that are not published }.
export function compareClaims(claims) {
  const rows = new Map();
  for (const row of document.querySelectorAll("tr[data-claim]")) rows.set(row.dataset.claim + "\n" + row.dataset.reading, row);
  const table = document.querySelector("tr[data-claim]")?.closest("table");
  const differ = new Set(), fresh = new Set();
  let total = 0;
  for (const one of claims) {
    const row = rows.get(one.id + "\n" + one.reading);
    if (!row) {
      if (one.verdict && one.verdict !== "NA") fresh.add(one.id);
      continue;
    }
    rows.delete(one.id + "\n" + one.reading);
    const published = row.querySelector("td:not(.here) .verdict")?.textContent;
    const text = measured(one);
    const here = cell(row, text, one.verdict && one.verdict !== "NA" ? make("br") : "",
      one.verdict && one.verdict !== "NA" ? named(one.verdict) : "");
    const differs = published !== undefined && published !== one.verdict;
    here.classList.toggle("differs", differs);
    if (published !== undefined) total++;
    if (differs) differ.add(one.id);
  }
  for (const row of rows.values()) cell(row, "not measured");
  if (table) {
    column(table, "computed here");
    for (const row of table.querySelectorAll("tbody tr")) if (!row.querySelector(":scope > td.here")) cell(row);
  }
  return { total, differ: [...differ], fresh: [...fresh] };
}

// Has a number moved by more than three standard errors of the difference, or, if it has none, in its sixth digit?
function moved(is, was) {
  const se = Math.hypot(Number(is.se) || 0, Number(was.se) || 0), by = Math.abs(is.value - Number(was.value));
  return by > Math.max(3 * se, 1e-6 * Math.abs(Number(was.value)));
}

// The same for numbers. Returns { total, moved: how many }.
export function compareNumbers(numbers, published) {
  const before = new Map(published.map((one) => [one.name, one]));
  let table = null, total = 0, count = 0;
  for (const row of document.querySelectorAll("tr[id^=number-]")) row.querySelector(":scope > td.here")?.remove(); // of an earlier run
  for (const one of numbers) {
    const row = document.getElementById("number-" + one.name), was = before.get(one.name);
    if (!row || !was) continue;
    table = row.closest("table");
    const here = cell(row, number(one.value, one.se)), differs = moved(one, was);
    here.classList.add("r");
    here.classList.toggle("differs", differs);
    total++;
    if (differs) count++;
  }
  if (table) {
    column(table, "computed here");
    for (const row of table.querySelectorAll("tbody tr")) if (!row.querySelector(":scope > td.here")) cell(row, "not measured");
    table.id ||= "numbers-here";
  }
  return { total, moved: count };
}

export function clear() { for (const element of document.querySelectorAll(".here")) element.remove(); }
