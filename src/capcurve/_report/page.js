"use strict";
const { charts, curves } = JSON.parse(document.getElementById("data").textContent);
const views = [];

// Sort a table by one of its columns; the attribute data-value holds the exact numbers.
function sortBy(button) {
  const header = button.closest("th");
  const table = header.closest("table");
  const column = [...header.parentNode.children].indexOf(header);
  const descending = header.getAttribute("aria-sort") === "ascending";
  const value = (row) => Number(row.children[column].dataset.value);
  const body = table.tBodies[0];
  const sign = descending ? -1 : 1;
  const rows = [...body.rows].sort((a, b) => sign * (value(a) - value(b)));
  for (const other of header.parentNode.children) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", descending ? "descending" : "ascending");
  body.append(...rows);
}

// Interpolate the capture rate of a curve linearly at a population share.
function interpolate(curve, share) {
  const x = curve.population_share;
  const y = curve.capture_rate;
  let next = x.findIndex((value) => value >= share);
  if (next <= 0) next = 1;
  const part = (share - x[next - 1]) / (x[next] - x[next - 1]);
  const captureRate = y[next - 1] + part * (y[next] - y[next - 1]);
  return { captureRate, threshold: curve.threshold[next] };
}

function moveCut(share) {
  document.getElementById("cut-share").textContent = (100 * share).toFixed(1) + " %";
  curves.forEach((curve, number) => {
    const { captureRate, threshold } = interpolate(curve, share);
    const cells = document.getElementById("cut-" + number).children;
    cells[1].textContent = (100 * captureRate).toFixed(2) + " %";
    cells[2].textContent = (captureRate / share).toFixed(3);
    const isNumber = typeof threshold === "number";
    cells[3].textContent = isNumber ? String(Number(threshold.toPrecision(6))) : threshold ?? "-";
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
