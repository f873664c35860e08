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

// Curves: shares of rows, of events and of non-events, which are on straight lines between
// their points.
const models = data.models.map((model) => ({
  ...model,
  others: model.share.map((share, i) =>
    (share - data.rate * model.captured[i]) / (1 - data.rate)),
}));

function between(values, next, part) {
  return values[next - 1] + part * (values[next] - values[next - 1]);
}

// Read a model off where one of its shares has a value.
function readOff(model, axis, value) {
  const places = model[axis];
  let next = places.findIndex((place) => place >= value);
  if (next <= 0) next = next < 0 ? places.length - 1 : 1;
  const width = places[next] - places[next - 1];
  const part = width > 0 ? Math.min(Math.max((value - places[next - 1]) / width, 0), 1) : 1;
  const found = { score: model.scores[next] };
  for (const name of ["share", "captured", "others"]) {
    found[name] = between(model[name], next, part);
  }
  found.lift = found.share > 0 ? found.captured / found.share : NaN;
  return found;
}

function readBand(share) {
  const { population_share: places, low, high } = data.band;
  let next = places.findIndex((place) => place >= share);
  if (next <= 0) next = next < 0 ? places.length - 1 : 1;
  const width = places[next] - places[next - 1];
  const part = width > 0 ? (share - places[next - 1]) / width : 1;
  return [low, high].map((limit) => percent(between(limit, next, part), 2)).join(" to ");
}

function writeScore(score) {
  if (typeof score !== "number") return score ?? "–";
  const fixed = score.toFixed(data.decimals); // as in the tables
  const isLost = score !== 0 && Number(fixed) === 0;
  return (isLost ? String(Number(score.toPrecision(3))) : fixed).replace("-", "−");
}

const columns = {
  captured: ["Capture rate", (at) => percent(at.captured, 2)],
  positive: ["True positive rate", (at) => percent(at.captured, 2)],
  events: ["Events", (at) => percent(at.captured, 2)],
  others: ["Non-events", (at) => percent(at.others, 2)],
  gap: ["Distance", (at) => Math.abs(at.captured - at.others).toFixed(4)],
  share: ["Population", (at) => percent(at.share, 2)],
  lift: ["Lift", (at) => (Number.isNaN(at.lift) ? "–" : at.lift.toFixed(2))],
  score: ["Score cut-off", (at) => writeScore(at.score)],
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
  const share = Number(slider.value) / 1000;
  document.getElementById("cut-share").textContent = percent(share, 1);
  slider.setAttribute("aria-valuetext", percent(share, 1));
  models.forEach((model, number) => {
    const at = readOff(model, "share", share);
    const cells = [...document.getElementById("cut-" + number).children].slice(1);
    const shown = ["captured", "lift", "score"].map((name) => columns[name][1](at));
    const exact = [at.captured, at.lift, at.score];
    cells.forEach((cell, i) => {
      cell.textContent = shown[i];
      cell.dataset.value = exact[i] ?? "";
    });
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
