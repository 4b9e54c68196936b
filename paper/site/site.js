// site: what every page does. The list of pages unfolds where there is room, statements can be filtered, and where the
// pages come from a server and the runtime is with them, play.js is loaded and offline.js keeps them for later.
//
// A plain script, so that it also works in pages opened as files; everything else is a module.
"use strict";

(() => {
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  // Browsers that cannot show the inside of a closed <details> by style get it opened.
  function unfold() {
    const pages = document.getElementById("pages");
    if (!pages) return;
    const wide = matchMedia("(min-width: 72rem)");
    const old = !CSS.supports("selector(::details-content)");
    const fit = () => { if (old) pages.open = wide.matches; };
    wide.addEventListener("change", fit);
    fit();
    const current = pages.querySelector("[aria-current]");
    if (current && wide.matches) {
      const nav = pages.parentElement;
      nav.scrollTop = Math.max(0, current.offsetTop - nav.clientHeight / 2);
    }
  }

  // What is wider than a small screen can be moved with the keys, too.
  function reach() {
    const wide = [...document.querySelectorAll("main math[display=block], main > p, main li")];
    const fit = () => {
      for (const one of wide) {
        if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "auto") one.setAttribute("tabindex", "0");
        else one.removeAttribute("tabindex");
      }
    };
    addEventListener("resize", fit);
    fit();
  }

  // ---- the filter of statements ----

  function choice(label, options) {
    const select = element("select");
    for (const [value, text] of options) select.append(element("option", { value }, text));
    return [select, element("label", {}, label, select)];
  }

  function filter() {
    const form = document.getElementById("filter");
    const rows = [...document.querySelectorAll("tr[data-outcome]")];
    if (!form || rows.length === 0) return;
    const outcomes = new Map(), chapters = new Map();
    for (const { dataset } of rows) {
      outcomes.set(dataset.outcome, dataset.outcome === "NA" ? "not judged" : dataset.outcome);
      chapters.set(dataset.chapter, dataset.chapter.replace(/_.*/, "") + "  " + dataset.title);
    }
    const [outcome, outcomeLabel] = choice("Outcome", [["", "all"], ...[...outcomes].sort()]);
    const [chapter, chapterLabel] = choice("Chapter", [["", "all"], ...[...chapters].sort()]);
    const words = element("input", { type: "search", autocomplete: "off" });
    const count = element("p", { role: "status" });
    form.append(outcomeLabel, chapterLabel, element("label", {}, "Words", words), count);

    const parts = [["outcome", outcome], ["chapter", chapter], ["words", words]];
    function apply() {
      const sought = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = (outcome.value !== "" && row.dataset.outcome !== outcome.value)
          || (chapter.value !== "" && row.dataset.chapter !== chapter.value)
          || !sought.every((word) => text.includes(word));
        if (!row.hidden) shown++;
      }
      count.textContent = shown + " of " + rows.length + " statements";
      const kept = new URLSearchParams(parts.filter(([, input]) => input.value).map(([key, input]) => [key, input.value]));
      const query = kept.toString();
      if (location.protocol.startsWith("http"))
        history.replaceState(null, "", location.pathname + (query ? "?" + query : "") + location.hash);
    }
    const given = new URLSearchParams(location.search);
    for (const [key, input] of parts) {
      if (given.has(key)) input.value = given.get(key);
      input.addEventListener("input", apply);
    }
    form.hidden = false;
    apply();
  }

  unfold();
  reach();
  filter();

  if (!location.protocol.startsWith("http")) return;
  fetch("site.json").then((answer) => answer.json()).then((site) => {
    if (site.play) import("./play.js");
    // Another version of the site is another address of the worker, which then fetches everything anew.
    // A browser that keeps nothing refuses it, and the pages work without.
    if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js?" + site.version).catch(() => {});
  }, () => {});
})();
