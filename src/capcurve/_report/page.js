"use strict";
const { charts, curves } = JSON.parse(document.getElementById("data").textContent);
const views = [];

// The rows of a table in the order of one of its columns; numbers stand in data-value.
function sortBy(button) {
  const header = button.closest("th");
  const table = header.closest("table");
  const place = [...header.parentNode.children].indexOf(header);
  const down = header.getAttribute("aria-sort") === "ascending";
  const value = (row) => Number(row.children[place].dataset.value);
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((a, b) => (down ? value(b) - value(a) : value(a) - value(b)));
  for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  body.append(...rows);
}

// What a curve captures at a share: the straight line between two of its points.
function readOff(curve, share) {
  const x = curve.population_share;
  const y = curve.capture_rate;
  let next = x.findIndex((each) => each >= share);
  if (next <= 0) next = 1;
  const part = (share - x[next - 1]) / (x[next] - x[next - 1]);
  const captured = y[next - 1] + part * (y[next] - y[next - 1]);
  return { captured, threshold: curve.threshold[next] };
}

function moveCut(share) {
  document.getElementById("cut-share").textContent = (100 * share).toFixed(1) + " %";
  curves.forEach((curve, number) => {
    const { captured, threshold } = readOff(curve, share);
    const cells = document.getElementById("cut-" + number).children;
    cells[1].textContent = (100 * captured).toFixed(2) + " %";
    cells[2].textContent = (captured / share).toFixed(3);
    cells[3].textContent = threshold === null ? "-" : String(Number(threshold.toPrecision(6)));
  });
  for (const view of views) view.signal("cut", share).runAsync();
}

for (const button of document.querySelectorAll("thead button")) {
  button.addEventListener("click", () => sortBy(button));
}
const slider = document.getElementById("cut");
slider.addEventListener("input", () => moveCut(Number(slider.value) / 1000));
moveCut(Number(slider.value) / 1000);

const drawn = Object.entries(charts).map(([name, spec]) =>
  vegaEmbed("#chart-" + name, spec, { actions: false, renderer: "svg" }).then(({ view }) => {
    if (name === "cap" || name === "lift") views.push(view);
  })
);
Promise.all(drawn).then(() => document.body.setAttribute("data-ready", "true"));
