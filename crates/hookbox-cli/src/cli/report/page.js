"use strict";
const COLUMNS = ["Time", "Id", "Agent", "Event", "Tool", "Decision", "By", "Reason"];
const DETAILS = [...COLUMNS, "Command", "Session", "Hooks"];
const ROW_HEIGHT = 30;
const rows = JSON.parse(document.getElementById("data").textContent);
const texts = rows.map((row) => row.join("\n").toLowerCase());
const [table, head, body, search, decision, count, detail] =
  ["table", "head", "body", "search", "decision", "count", "detail"].map((id) => document.getElementById(id));
// Newest first.
let shown = rows.map((_, index) => rows.length - 1 - index);

function cell(text, role) {
  const element = document.createElement("span");
  element.setAttribute("role", role);
  element.textContent = text;
  return element;
}

function open(index) {
  detail.querySelector("dl").replaceChildren(...DETAILS.flatMap((name, column) => {
    if (!rows[index][column]) return [];
    const [term, value] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    value.textContent = rows[index][column];
    return [term, value];
  }));
  detail.showModal();
}

// Only the rows in sight are in the page: all of them would take seconds.
function draw() {
  const first = Math.max(0, Math.floor(table.scrollTop / ROW_HEIGHT) - 5);
  const last = Math.min(shown.length, first + Math.ceil(table.clientHeight / ROW_HEIGHT) + 10);
  body.style.height = `${shown.length * ROW_HEIGHT}px`;
  body.replaceChildren(...shown.slice(first, last).map((index, place) => {
    const row = document.createElement("div");
    row.setAttribute("role", "row");
    row.setAttribute("aria-rowindex", String(first + place + 2));
    row.tabIndex = 0;
    row.style.top = `${(first + place) * ROW_HEIGHT}px`;
    row.append(...COLUMNS.map((_, column) => cell(rows[index][column], "cell")));
    row.addEventListener("click", () => open(index));
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") open(index); });
    return row;
  }));
}

function filter() {
  const text = search.value.trim().toLowerCase();
  shown = [];
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    if (texts[index].includes(text) && (!decision.value || rows[index][5] === decision.value)) shown.push(index);
  }
  table.scrollTop = 0;
  table.setAttribute("aria-rowcount", String(shown.length + 1));
  count.textContent = `${shown.length} of ${rows.length}`;
  document.documentElement.dataset.shown = String(shown.length);
  draw();
}

head.append(...COLUMNS.map((name) => cell(name, "columnheader")));
for (const word of [...new Set(rows.map((row) => row[5]))].sort()) {
  const option = document.createElement("option");
  option.value = option.textContent = word;
  decision.append(option);
}
search.addEventListener("input", filter);
decision.addEventListener("change", filter);
table.addEventListener("scroll", draw, { passive: true });
document.querySelector(".filter").addEventListener("submit", (event) => event.preventDefault());
filter();
document.documentElement.dataset.rows = String(rows.length);
document.documentElement.dataset.ready = String(Math.round(performance.now()));
// `#search=…` and `#open` name a state of the page, so that it can be linked to.
const linked = new URLSearchParams(location.hash.slice(1));
if (linked.has("search")) { search.value = linked.get("search"); filter(); }
if (linked.has("open") && shown.length > 0) open(shown[0]);
