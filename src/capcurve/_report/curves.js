const data = JSON.parse(document.getElementById("data").textContent);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const percent = (share, digits) => (100 * share).toFixed(digits) + "%";
const svgSpace = "http://www.w3.org/2000/svg";

function make(name, parent, settings = {}, text = "") {
  const isDrawn = parent.namespaceURI === svgSpace || name === "svg";
  const made = isDrawn
    ? document.createElementNS(svgSpace, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(settings)) made.setAttribute(key, value);
  made.textContent = text;
  parent.append(made);
  return made;
}

function makeButton(parent, text, press, settings = {}) {
  const button = make("button", parent, { type: "button", ...settings }, text);
  button.addEventListener("click", press);
  return button;
}

// Models at each step of the slider and of the pointer: numbers of all rows, written as in
// the tables, by population share and by share of non-events.
const listTexts = (texts) => (typeof texts === "string" ? texts.split(" ") : texts);
const listAll = (columns) => Object.entries(columns).map(([key, texts]) => [key, listTexts(texts)]);
const models = data.models.map(({ name, share, others = {} }) => ({
  name, share: listAll(share), others: listAll(others),
}));
const shares = new Set(["captured", "others", "share"]);
const findStep = (value) => Math.round(value * data.steps);

function readOff(model, axis, step) {
  return Object.fromEntries(model[axis].map(([key, texts]) =>
    [key, texts[step] + (shares.has(key) ? "%" : "")]));
}

// The number that a text shows; NaN of a dash.
function readNumber(text) {
  return Number(text.replace(/[,%]/g, "")) / (text.endsWith("%") ? 100 : 1);
}

const columns = {
  captured: ["Capture rate", "captured"],
  positive: ["True positive rate", "captured"],
  events: ["Events", "captured"],
  others: ["Non-events", "others"],
  gap: ["Distance", "gap"],
  share: ["Population", "share"],
  lift: ["Lift", "lift"],
  score: ["Score cut-off", "score"],
};
const views = {
  cap: { axis: "share", label: "Population share", spots: ["captured"],
    columns: ["captured", "lift", "score"] },
  lift: { axis: "share", label: "Population share", spots: ["lift"],
    columns: ["lift", "captured", "score"] },
  ks: { axis: "share", label: "Population share", spots: ["captured", "others"],
    columns: ["events", "others", "gap", "score"] },
  roc: { axis: "others", label: "False positive rate", spots: ["captured"],
    columns: ["positive", "share", "score"] },
};

const limitsOf = (plot, axis) => plot.dataset[axis].split(" ").map(Number);
const place = (value, [low, high]) => 100 * (value - low) / (high - low) + "%";

function drawCursor(plot, style) {
  const cursor = make("line", plot, { class: "cursor " + style, y1: "0", y2: "100%" });
  cursor.style.display = "none";
  return cursor;
}

function moveCursor(cursor, plot, value) {
  const x = place(value, limitsOf(plot, "x"));
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
  cursor.style.display = "";
}

// The slider reads all models off at a share of the population.
const slider = document.getElementById("cut");
const chosen = all("[data-view]")
  .filter((view) => views[view.dataset.view].axis === "share")
  .map((view) => view.querySelector(".plot"))
  .map((plot) => [drawCursor(plot, "chosen"), plot]);

function moveCut() {
  const step = Number(slider.value);
  const share = step / data.steps;
  document.getElementById("cut-share").textContent = percent(share, 1);
  slider.setAttribute("aria-valuetext", percent(share, 1));
  models.forEach((model, number) => {
    const at = readOff(model, "share", step);
    const cells = [...document.getElementById("cut-" + number).children].slice(1);
    ["captured", "lift", "score"].forEach((name, i) => { cells[i].textContent = at[name]; });
  });
  for (const [cursor, plot] of chosen) moveCursor(cursor, plot, share);
}
slider.addEventListener("input", moveCut);
slider.closest("[hidden]").hidden = false;
moveCut();

// Tabs show one view at a time.
const figure = document.querySelector("figure.curves");
const frame = figure.querySelector(".views");
const bar = document.createElement("div");
bar.className = "bar";
figure.prepend(bar);
const tabs = make("div", bar, { class: "tabs", role: "tablist", "aria-label": "View" });

function showView(name) {
  for (const tab of tabs.children) {
    const isShown = tab.dataset.view === name;
    tab.setAttribute("aria-selected", isShown);
    tab.tabIndex = isShown ? 0 : -1;
    document.getElementById("view-" + tab.dataset.view).classList.toggle("current", isShown);
  }
}

for (const view of all(".view", frame)) {
  const name = view.dataset.view;
  const tab = makeButton(tabs, view.dataset.title, () => showView(name), {
    role: "tab", id: "tab-" + name, "data-view": name, "aria-controls": view.id,
  });
  view.setAttribute("role", "tabpanel");
  view.setAttribute("aria-labelledby", tab.id);
}
tabs.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const buttons = [...tabs.children];
  const next = (buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length;
  showView(buttons[next].dataset.view);
  buttons[next].focus();
});
frame.classList.add("tabbed");
showView("cap");

// A click in a legend hides a model, or shows it again.
const hidden = new WeakMap();
for (const legend of all(".legend")) {
  const chart = legend.closest("figure");
  const off = new Set();
  hidden.set(chart, off);
  for (const entry of all(".entry", legend)) {
    const number = Number(entry.dataset.model);
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.append(...entry.childNodes);
    entry.append(button);
    button.addEventListener("click", () => {
      const isShown = off.has(number);
      if (isShown) off.delete(number);
      else off.add(number);
      button.setAttribute("aria-pressed", isShown);
      for (const drawn of all(".plot .m" + number, chart)) {
        drawn.style.display = isShown ? "" : "none";
      }
    });
  }
}
const isHidden = (chart, number) => hidden.get(chart)?.has(number) ?? false;
