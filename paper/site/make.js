// make: elements in one line, and what several pages do with them.

// make("p", { class: "note", onclick: f, disabled: true }, "text", other)
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// An address of a text, for images and downloads.
export function address(text, type) { return URL.createObjectURL(new Blob([text], { type })); }

// A button that copies text() and says so for a moment.
export function copyButton(label, text) {
  const button = make("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy it";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
}

export function download(name, text, type = "text/plain") {
  const link = make("a", { href: address(text, type), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// "0.4 s", "12 s", "3 min"
export function duration(seconds) {
  if (seconds < 9.95) return Math.max(seconds, 0.1).toFixed(1) + " s";
  return seconds < 100 ? Math.round(seconds) + " s" : Math.ceil(seconds / 60) + " min";
}
