// Save charts as SVG and PNG, and tables as CSV, without a network.
function save(content, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-+|-+$/g, "");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A spreadsheet sees a formula here, also behind a semicolon, which separates fields where
// the comma is the decimal sign.
const formula = /(^|;)(?= *[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

function writeField(text) {
  const safe = text.replace(formula, "$1'");
  return /[",\n\r']/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

function writeCell(cell) {
  const exact = cell.dataset.value ?? cell.textContent.trim();
  if (exact !== "" && Number.isFinite(Number(exact))) return exact;
  return writeField(exact === "–" ? "" : exact);
}

function listHeads(table) {
  const rows = table.tHead.rows;
  const names = [...rows[rows.length - 1].cells].map((cell) => cell.textContent);
  if (rows.length === 1) return names;
  const over = [...rows[0].cells].flatMap((cell) => Array(cell.colSpan).fill(cell.textContent));
  return names.map((name, i) => {
    if (name === "Value") return over[i];
    return over[i] ? `${over[i]}: ${name}` : name;
  });
}

// Marks as the workbook's notes have them; a cross stands beside its word.
const signs = { "▲": "inversion", "✕": "" };

function writeNote(row) {
  const marks = [...row.querySelectorAll(".mark")].map((mark) => mark.textContent);
  return marks.map((mark) => signs[mark] ?? mark).filter(Boolean).join("; ");
}

function writeCsv(table) {
  const rows = [...table.tBodies[0].rows];
  const lines = [listHeads(table).map(writeField), ...rows.map((row) => [...row.cells].map(writeCell))];
  const notes = rows.map(writeNote);
  if (notes.some(Boolean)) ["Note", ...notes].forEach((note, i) => lines[i].push(writeField(note)));
  return "\ufeff" + lines.map((line) => line.join(",") + "\r\n").join("");
}

// Percentages, nested boxes and the page's styles become plain numbers and attributes, which
// every program that opens SVG understands.
const styled = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray",
  "stroke-opacity", "stroke-linecap", "stroke-linejoin", "opacity", "font-size",
  "font-style", "text-anchor"];
const lengths = { x: 0, x1: 0, x2: 0, cx: 0, width: 0, y: 1, y1: 1, y2: 1, cy: 1, height: 1 };

function resolve(text, size) {
  const value = parseFloat(text);
  return text.endsWith("%") ? (value / 100) * size : value;
}

function flatten(node, sizes, parent, scale) {
  const look = getComputedStyle(node);
  if (look.display === "none" || node.matches(".hit, .cursor, .spot")) return;
  const name = node.localName;
  if (name === "svg" || name === "g") {
    const [x, y] = ["x", "y"].map((axis, i) => resolve(node.getAttribute(axis) ?? "0", sizes[i]));
    const shift = look.transform === "none" ? 0 : new DOMMatrix(look.transform).f;
    const group = make("g", parent, { transform: `translate(${x} ${y + shift})` });
    const isBox = node.classList.contains("box");
    const units = isBox ? sizes.map((size, i) => size / node.viewBox.baseVal[i ? "height" : "width"]) : [1, 1];
    for (const child of node.children) flatten(child, sizes, group, units);
    return;
  }
  const drawn = make(name, parent);
  for (const { name: key, value } of node.attributes) {
    if (key in lengths) drawn.setAttribute(key, resolve(value, sizes[lengths[key]]));
    else if (["r", "dx", "dy"].includes(key)) drawn.setAttribute(key, value);
    else if (key === "d") {
      drawn.setAttribute("d", value.replace(/(-?[\d.e-]+),(-?[\d.e-]+)/g, (_, x, y) =>
        `${(x * scale[0]).toFixed(2)},${(y * scale[1]).toFixed(2)}`));
    }
  }
  for (const key of styled) drawn.setAttribute(key, look.getPropertyValue(key));
  if (look.transform !== "none") drawn.setAttribute("transform", look.transform);
  if (name === "text") drawn.textContent = node.textContent;
}

const margin = 14;
const ink = "#1b2127";

function cut(text, letters) {
  return text.length > letters ? text.slice(0, letters - 1) + "…" : text;
}

// Draw the titles and the models that are shown, and return how much room they take.
function drawHead(picture, { title, report }, chart, width) {
  const letters = width / 7;
  make("text", picture, { x: margin, y: 26, fill: ink, "font-size": "15px",
    "font-weight": "600" }, cut(title, letters / 1.2));
  make("text", picture, { x: margin, y: 44, fill: "#56606b", "font-size": "12px" },
    cut(report, letters));
  let [x, y] = [margin, 66];
  for (const entry of all(".entry", chart)) {
    if (isHidden(chart, Number(entry.dataset.model))) continue;
    const name = entry.textContent.trim();
    if (x > margin && x + 60 + 7 * name.length > width) [x, y] = [margin, y + 20];
    const swatch = make("g", picture, { transform: `translate(${x} ${y - 9})` });
    for (const part of entry.querySelector("svg").children) flatten(part, [30, 10], swatch, [1, 1]);
    make("text", picture, { x: x + 38, y, fill: ink, "font-size": "13px" }, name);
    x += 60 + 7 * name.length;
  }
  return x > margin ? y + 4 : 48;
}

function breakLines(text, letters) {
  const lines = [];
  for (const word of text.trim().split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length && longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// Write what lines and points are below the chart, and return where the text ends.
function drawCaption(picture, text, top, width) {
  const lines = breakLines(text, width / 6.5);
  for (const [i, line] of lines.entries()) {
    make("text", picture, { x: margin, y: top + 16 * (i + 1), fill: "#56606b",
      "font-size": "12px" }, line);
  }
  return top + 16 * lines.length;
}

function makePicture({ plot, ...titles }) {
  const root = document.documentElement;
  root.classList.add("light");
  const chart = plot.closest("figure");
  const look = getComputedStyle(plot);
  const [top, right, bottom, left] = ["Top", "Right", "Bottom", "Left"].map((side) =>
    parseFloat(look["margin" + side]));
  const { width, height } = plot.getBoundingClientRect();
  const whole = width + left + right + 2 * margin;
  const picture = document.createElementNS(svgSpace, "svg");
  picture.setAttribute("font-family", "system-ui, 'Segoe UI', Roboto, Arial, sans-serif");
  const paper = make("rect", picture, { fill: "#ffffff" });
  const head = drawHead(picture, titles, chart, whole - margin);
  const shift = `translate(${margin + left} ${head + top})`;
  const inner = make("g", picture, { transform: shift });
  for (const child of plot.children) flatten(child, [width, height], inner, [1, 1]);
  root.classList.remove("light");
  const caption = plot.closest(".view, figure").querySelector(".caption").textContent;
  const end = drawCaption(picture, caption, head + top + height + bottom, whole - 2 * margin);
  const size = [whole, end + margin].map(Math.ceil);
  picture.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  for (const [i, side] of ["width", "height"].entries()) {
    picture.setAttribute(side, size[i]);
    paper.setAttribute(side, size[i]);
  }
  return { text: new XMLSerializer().serializeToString(picture), size };
}

function savePng({ text, size }, name) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = size.map((side) => 2 * side);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, "image/png", name + ".png"));
  };
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
}

function addChartButtons(parent, find) {
  const holder = make("div", parent, { class: "save" });
  for (const kind of ["PNG", "SVG"]) {
    makeButton(holder, kind, () => {
      const found = find();
      const picture = makePicture(found);
      if (kind === "SVG") save(picture.text, "image/svg+xml", found.title + ".svg");
      else savePng(picture, found.title);
    }, { "aria-label": `Save the chart as ${kind}`, title: `Save the chart as ${kind}` });
  }
}

addChartButtons(bar, () => {
  const view = frame.querySelector(".view.current");
  const title = view.querySelector(".view-title").textContent;
  return { plot: view.querySelector(".plot"), title, report: document.title };
});
for (const chart of all("figure.groups")) {
  const head = document.createElement("div");
  head.className = "bar";
  const legend = chart.querySelector(".legend");
  head.append(legend ?? document.createElement("span"));
  chart.prepend(head);
  const title = chart.dataset.name;
  addChartButtons(head, () => ({ plot: chart.querySelector(".plot"), title, report: document.title }));
}
for (const table of all("table[data-name]")) {
  const holder = document.createElement("div");
  holder.className = "save";
  table.closest(".table").after(holder);
  const name = table.dataset.name;
  makeButton(holder, "CSV", () => save(writeCsv(table), "text/csv", name + ".csv"), {
    "aria-label": `Save as CSV: ${name}`, title: "Save the table as CSV",
  });
}
document.body.dataset.ready = "true";
