// Sort a table by a column: by exact numbers where there are any, undefined ones last.
function readCell(cell) {
  const exact = cell.dataset.rank ?? cell.dataset.value ?? cell.textContent.trim();
  return { text: exact, number: exact === "" ? NaN : Number(exact) };
}

function compareCells(first, second, sign) {
  if (first.text === "" || second.text === "") return (first.text === "") - (second.text === "");
  if (Number.isNaN(first.number) || Number.isNaN(second.number)) {
    return sign * first.text.localeCompare(second.text, "en", { numeric: true });
  }
  return sign * (first.number - second.number);
}

function sortBy(head) {
  const body = head.closest("table").tBodies[0];
  const column = head.cellIndex;
  const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  const rows = [...body.rows].map((row) => [readCell(row.cells[column]), row]);
  rows.sort(([first], [second]) => compareCells(first, second, sign));
  for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
  body.append(...rows.map(([, row]) => row));
}

// The numbers at the slider change, so that the rows of its table keep their places.
for (const table of all("table.data:not(.plain)")) {
  if (table.tBodies[0].rows.length < 2) continue;
  for (const head of table.tHead.rows[table.tHead.rows.length - 1].cells) {
    const text = head.textContent;
    head.textContent = "";
    makeButton(head, text, () => sortBy(head));
  }
}

// Show that there is more to the right, and take what fits out of the order of the keyboard.
function watch(scroll) {
  const holder = scroll.parentElement;
  const update = () => {
    const rest = scroll.scrollWidth - scroll.clientWidth;
    holder.classList.toggle("more", rest - scroll.scrollLeft > 2);
    if (rest > 2) scroll.tabIndex = 0;
    else scroll.removeAttribute("tabindex");
  };
  scroll.addEventListener("scroll", update, { passive: true });
  new ResizeObserver(update).observe(scroll);
}
all(".scroll").forEach(watch);

// Mark the section that is read in the contents.
const links = new Map(all(".contents a").map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    for (const link of links.values()) link.removeAttribute("aria-current");
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }
}, { rootMargin: "-10% 0px -80% 0px" });
all("main > section").forEach((section) => seen.observe(section));
