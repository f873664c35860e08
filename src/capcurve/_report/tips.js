// A tip beside the pointer tells every model at that place.
const tip = make("div", document.body, { class: "tip", "aria-hidden": "true" });
tip.style.display = "none";

function writeTip(title, more, heads, rows) {
  tip.replaceChildren();
  const head = make("p", tip, {}, title);
  if (more) make("span", head, { class: "quiet" }, " " + more);
  const table = make("table", tip);
  if (heads.length) {
    const row = make("tr", make("thead", table));
    for (const name of ["", ...heads]) make("th", row, {}, name);
  }
  const body = make("tbody", table);
  for (const { number, name, cells } of rows) {
    const row = make("tr", body);
    const first = make("th", row);
    if (number !== null) {
      const swatch = make("svg", first, { class: "swatch" });
      const line = { x1: "0", x2: "100%", y1: "50%", y2: "50%", class: "line m" + number };
      make("line", swatch, line);
    }
    first.append(name);
    for (const cell of cells) make("td", row, {}, cell);
  }
}

function placeTip(event) {
  tip.style.display = "";
  const box = tip.getBoundingClientRect();
  let x = event.clientX + 16;
  if (x + box.width > innerWidth - 8) x = event.clientX - box.width - 16;
  let y = event.clientY + 14;
  if (y + box.height > innerHeight - 8) y = event.clientY - box.height - 14;
  tip.style.transform = `translate(${Math.max(x, 8)}px, ${Math.max(y, 8)}px)`;
}

function listReadings(view, step, chart) {
  const rows = [];
  models.forEach((model, number) => {
    if (isHidden(chart, number)) return;
    const at = readOff(model, view.axis, step);
    const cells = view.columns.map((name) => at[columns[name][1]]);
    rows.push({ number, name: model.name, at, cells });
  });
  return rows;
}

for (const panel of all("[data-view]", frame)) {
  const view = views[panel.dataset.view];
  const plot = panel.querySelector(".plot");
  const chart = panel.closest("figure");
  const [across, up] = [limitsOf(plot, "x"), limitsOf(plot, "y")];
  const cursor = drawCursor(plot, "");
  const spots = models.flatMap((_, number) => view.spots.map((name) => {
    const spot = make("circle", plot, { class: "spot m" + number, r: 4.5 });
    spot.style.display = "none";
    return { spot, number, name };
  }));
  const hide = () => {
    tip.style.display = "none";
    cursor.style.display = "none";
    for (const { spot } of spots) spot.style.display = "none";
  };
  const area = panel.querySelector(".chart");
  area.addEventListener("pointermove", (event) => {
    const box = plot.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    if (part < 0 || part > 1 || event.clientY < box.top - 20 || event.clientY > box.bottom) {
      hide();
      return;
    }
    const step = findStep(across[0] + part * (across[1] - across[0]));
    const value = step / data.steps;
    const rows = listReadings(view, step, chart);
    moveCursor(cursor, plot, value);
    for (const { spot, number, name } of spots) {
      const row = rows.find((each) => each.number === number);
      const y = row ? readNumber(row.at[name]) : NaN;
      const isThere = y >= up[0] && y <= up[1];
      spot.style.display = isThere ? "" : "none";
      if (!isThere) continue;
      spot.setAttribute("cx", place(value, across));
      spot.setAttribute("cy", 100 - parseFloat(place(y, up)) + "%");
    }
    if (panel.dataset.view === "cap" && data.band && !isHidden(chart, 0)) {
      const cells = [data.band[step]];
      rows.splice(1, 0, { number: null, name: data.level + " band", cells });
    }
    const heads = view.columns.map((name) => columns[name][0]);
    writeTip(view.label + " " + percent(value, 1), "", heads, rows);
    placeTip(event);
  });
  area.addEventListener("pointerleave", hide);
}

for (const chart of all("[data-groups]")) {
  const [kind, section] = chart.dataset.groups.split("-");
  const groups = data.tips[kind][section];
  for (const hit of all(".hit", chart)) {
    hit.addEventListener("pointermove", (event) => {
      const { name, sizes, values } = groups[hit.dataset.group];
      const rows = values.flatMap((value, number) => isHidden(chart, number)
        ? [] : [{ number, name: models[number].name, cells: [value] }]);
      writeTip(name, sizes, [], rows);
      placeTip(event);
    });
    hit.addEventListener("pointerleave", () => { tip.style.display = "none"; });
  }
}
addEventListener("keydown", (event) => {
  if (event.key === "Escape") tip.style.display = "none";
});
addEventListener("scroll", () => { tip.style.display = "none"; }, { passive: true });
