"use strict";
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const OUTCOMES = ["native", "cast", "shim", "boundary", "todo"];
const [FILE, LINE, PLACE, OUTCOME, CODE, SOURCE, MESSAGE] = [0, 1, 2, 3, 4, 5, 6];
const state = { view: "overview", file: -1, outcomes: new Set(OUTCOMES.keys()), code: "", words: [], names: "", chosen: -1, line: 0 };

// The first site of each file in the list of all, in which they stand file by file.
const firstOf = new Map();
data.sites.forEach((site, number) => { if (!firstOf.has(site[FILE])) firstOf.set(site[FILE], number); });
const haystack = data.sites.map((s) => `${s[SOURCE]} ${s[MESSAGE]} ${s[CODE]} ${data.files[s[FILE]].path}`.toLowerCase());

/** Make an element; text is always text, never HTML. */
function make(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "click") node.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
const plural = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
const tag = (outcome) => make("span", { class: `tag ${OUTCOMES[outcome]}` }, make("i", { class: "dot" }), OUTCOMES[outcome]);

/** A list of rows of one height, of which only those in sight are in the document. */
class Rows {
  constructor(scroll, height, draw) {
    Object.assign(this, { scroll, height, draw, number: 0, first: -1, last: -1 });
    [this.spacer, this.rows] = [scroll.querySelector(".spacer"), scroll.querySelector(".rows")];
    scroll.addEventListener("scroll", () => this.show(), { passive: true });
    new ResizeObserver(() => this.show()).observe(scroll);
  }
  set(number) {
    this.number = number;
    this.spacer.style.height = `${number * this.height}px`;
    this.show(true);
  }
  show(anew = false) {
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / this.height) - 12);
    const last = Math.min(this.number, first + Math.ceil(this.scroll.clientHeight / this.height) + 24);
    if (!anew && first === this.first && last === this.last) return this.place();
    [this.first, this.last] = [first, last];
    this.place();
    const fresh = [];
    for (let at = first; at < last; at++) fresh.push(this.draw(at));
    this.rows.replaceChildren(...fresh);
  }
  /** The rows stay in sight; to the side their text moves, on both sides at once. */
  place() {
    this.rows.style.transform = `translate(${this.scroll.scrollLeft}px, ${this.first * this.height}px)`;
    this.rows.style.width = `${this.scroll.clientWidth}px`;
    this.rows.style.setProperty("--x", `${-this.scroll.scrollLeft}px`);
  }
  reveal(at) {
    const top = at * this.height;
    if (top < this.scroll.scrollTop + 60 || top > this.scroll.scrollTop + this.scroll.clientHeight - 90)
      this.scroll.scrollTop = top - this.scroll.clientHeight / 3;
    this.show(true);
  }
}

// ------------------------------------------------------------------------------------------------ what is shown
function passes(number) {
  const site = data.sites[number];
  return state.outcomes.has(site[OUTCOME]) && (!state.code || site[CODE] === state.code)
    && state.words.every((word) => haystack[number].includes(word));
}
let shown = [];
function filter() {
  shown = [];
  for (let number = 0; number < data.sites.length; number++) if (passes(number)) shown.push(number);
  byId("count").textContent = shown.length.toLocaleString("en");
  const total = data.sites.length;
  byId("sites-note").textContent = shown.length === total ? plural(total, "site") : `${shown.length.toLocaleString("en")} of ${plural(total, "site")}`;
  listFiles();
  if (state.view === "sites") siteRows.set(shown.length);
  if (state.view === "file") drawFile();
  keep();
}

function listFiles() {
  const counts = new Map();
  for (const number of shown) counts.set(data.sites[number][FILE], (counts.get(data.sites[number][FILE]) || 0) + 1);
  const filtered = shown.length < data.sites.length;
  const items = data.files.map((file, number) => {
    if (filtered && !counts.has(number) || state.names && !file.path.toLowerCase().includes(state.names)) return null;
    const total = Math.max(1, file.counts.reduce((a, b) => a + b, 0));
    const mix = make("span", { class: "mix" });
    file.counts.forEach((count, outcome) => {
      if (count) { const part = make("i", { class: OUTCOMES[outcome] }); part.style.flexGrow = count / total; mix.append(part); }
    });
    return make("li", {}, make("button",
      { type: "button", class: file.done ? "done" : "", "aria-current": String(state.view === "file" && state.file === number), title: file.path + (file.done ? " (converted)" : ""), "data-file": number, click: () => openFile(number) },
      make("span", { class: "name" }, make("bdi", {}, file.path)), make("span", { class: "number" }, String(counts.get(number) || 0)), mix));
  });
  byId("files").replaceChildren(...items.filter(Boolean));
}

function view(name) {
  state.view = name;
  for (const id of ["overview", "sites", "file"]) byId(id).hidden = id !== name;
  for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-current", String(button.dataset.view === name));
  if (name === "sites") siteRows.set(shown.length);
  if (name !== "file") { state.file = -1; listFiles(); }
  keep();
}

// ---------------------------------------------------------------------------------------------------- overview
function table(heads, rows, nothing) {
  if (!rows.length) return make("p", { class: "none" }, nothing);
  const numeric = (head) => (head.startsWith("#") ? "n" : null);
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { class: numeric(head), scope: "col" }, head.replace(/^#/, ""))))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell, at) => make("td", { class: numeric(heads[at]) }, cell))))));
}
const link = (file, line) => make("button", { type: "button", class: "link", click: () => openFile(file, line) }, `${data.files[file].path}:${line}`);
const code = (text) => make("code", {}, text);
function drawOverview() {
  const total = data.sites.length, done = data.files.filter((file) => file.done).length;
  const card = (value, words, kind) => make("div", { class: `card ${kind || ""}` }, make("b", {}, value.toLocaleString("en")), make("span", {}, words));
  const mix = make("div", { class: "mix", role: "img", "aria-label": "Sites by outcome" });
  OUTCOMES.forEach((name) => {
    if (data.outcomes[name]) { const part = make("i", { class: name, title: `${name} ${data.outcomes[name]}` }); part.style.flexGrow = data.outcomes[name] / total; mix.append(part); }
  });
  const share = total ? (100 * (data.outcomes.native + data.outcomes.cast) / total).toFixed(1) : "100.0";
  const most = 200, section = (title, node, rows) => [make("h2", {}, title), node, rows > most ? make("p", { class: "none" }, `and ${rows - most} more`) : null];
  const verdicts = [...data.verified].sort((a, b) => (a.verdict === "equal") - (b.verdict === "equal"));
  const parts = [
    make("div", { class: "cards" }, card(`${done} / ${data.files.length}`, "files converted"), card(total, "uses of NumPy"), card(`${share}%`, "plain torch"),
      card(data.lines, "lines"), card(data.guards.length, "guards"), card(data.hot.length, "hot loops")),
    mix,
    make("div", { class: "cards" }, ...OUTCOMES.map((name) => card(data.outcomes[name], name, name))),
    ...section("Problems", table(["file", "code", "what"], data.problems.map((p) => [`${p[0]}:${p[1]}`, make("span", { class: "nowrap" }, p[2]), p[3]]), "All files could be read."), 0),
    ...section("Names that need hands", table(["#sites", "name", "code", "why", "first"],
      data.hands.slice(0, most).map((h) => [String(h[0]), code(h[1]), make("span", { class: "nowrap" }, h[2]), h[3], link(h[4], h[5])]), "None: a conversion takes all of NumPy away."), data.hands.length),
    ...section("Hot loops", table(["place", "code", "what"], data.hot.slice(0, most).map((h) => [link(h[0], h[1]), make("span", { class: "nowrap" }, h[2]), h[3]]), "None is known."), data.hot.length),
    ...(data.verified.length ? section("Verified", table(["verdict", "function", "difference"],
      verdicts.slice(0, most).map((v) => [v.verdict, v.file >= 0 && v.line ? make("button", { type: "button", class: "link", click: () => openFile(v.file, v.line) }, v.name) : code(v.name), v.difference]), ""), verdicts.length) : []),
    ...section("Files, in the order in which to migrate them", table(["#", "file", "state", "#lines", ...OUTCOMES.map((o) => `#${o}`), "#guards", "#hot loops"],
      data.files.slice(0, most).map((file, number) => [String(number + 1), make("button", { type: "button", class: "link", click: () => openFile(number) }, file.path), file.done ? "done" : "to do",
        file.lines.toLocaleString("en"), ...file.counts.map(String), String(file.guards), String(file.hot)]), "No file uses NumPy."), data.files.length),
    ...section("Guards", table(["function", "guard", "without it"], data.guards.slice(0, most).map((g) => [make("span", {}, link(g[0], g[1]), " ", code(g[2])), code(g[3]), g[4]]), "None stands at an entry."), data.guards.length),
  ];
  byId("overview").replaceChildren(...parts.filter(Boolean));
}

// ------------------------------------------------------------------------------------------------------- sites
const siteRows = new Rows(byId("site-list"), 30, (at) => {
  const site = data.sites[shown[at]];
  return make("div", { class: "row", role: "listitem", "data-site": shown[at], click: () => openSite(shown[at]) }, tag(site[OUTCOME]),
    make("span", { class: "left", title: data.files[site[FILE]].path }, make("bdi", {}, `${data.files[site[FILE]].path}:${site[PLACE]}`)), make("span", {}, site[CODE]), make("span", { class: "mono", title: site[SOURCE] }, site[SOURCE]),
    make("span", { title: site[MESSAGE] }, site[MESSAGE]));
});

// -------------------------------------------------------------------------------------------------------- file
let rows = [], known = [], marks = new Map(), oldLines = [], here = [];
const codeRows = new Rows(byId("rows"), 20, drawRow);
function openFile(number, line) {
  if (number !== state.file || state.view !== "file") {
    const own = JSON.parse(byId(`file-${number}`).textContent);
    [rows, known, state.file, state.chosen] = [[], own.known, number, -1];
    oldLines = [];
    let [before, after, widest] = [0, 0, 40];
    const bare = /<[^>]*>/g;
    for (const row of own.rows) {
      const [left, right] = typeof row === "string" ? [row, row] : row;
      if (left !== 0) oldLines[++before] = rows.length;
      if (right !== 0) after++;
      rows.push([left === 0 ? 0 : before, left, right === 0 ? 0 : after, right, typeof row !== "string"]);
      for (const side of [left, right]) if (side !== 0 && side.length > widest) widest = Math.max(widest, side.replace(bare, "").length);
    }
    byId("rows").style.setProperty("--wide", `${Math.min(widest, 200) + 2}ch`);
    byId("rows").scrollTop = byId("rows").scrollLeft = 0;
    view("file");
    listFiles();
  }
  drawFile();
  if (line) choose(line);
  else if (here.length) choose(data.sites[here[0]][LINE]);
  byId("rows").focus({ preventScroll: true });
}
function openSite(number) {
  openFile(data.sites[number][FILE], data.sites[number][LINE]);
  state.chosen = here.indexOf(number);
  at();
}
function drawFile() {
  const file = data.files[state.file];
  here = shown.filter((number) => data.sites[number][FILE] === state.file);
  marks = new Map();
  for (const number of here) {
    const site = data.sites[number];
    marks.set(site[LINE], Math.max(marks.get(site[LINE]) ?? 0, site[OUTCOME]));
  }
  byId("file-name").textContent = file.path;
  byId("file-note").textContent = `${plural(file.lines, "line")}, ${file.done ? "converted" : "not converted yet"}`;
  byId("after-label").textContent = file.done ? "after" : "after, as it would be";
  codeRows.set(rows.length);
  if (state.chosen >= here.length) state.chosen = -1;
  at();
  details();
}
function drawRow(number) {
  const [before, left, after, right, changed] = rows[number];
  const mark = left === 0 ? undefined : marks.get(before);
  const node = make("div", { class: `row${mark === undefined ? "" : ` site ${OUTCOMES[mark]}`}${before && before === state.line ? " here" : ""}`, "data-line": before || null });
  const side = (html, kind) => { const cell = make("span", { class: html === 0 ? "gap" : changed ? kind : null }); if (html !== 0) { const text = make("b", {}); text.innerHTML = html; cell.append(text); } return cell; };
  node.append(make("u", {}, before ? String(before) : ""), side(left, "minus"), make("u", {}, after ? String(after) : ""), side(right, "plus"));
  if (mark !== undefined) node.addEventListener("click", () => choose(before));
  return node;
}
function choose(line) {
  state.line = line;
  state.chosen = here.findIndex((number) => data.sites[number][LINE] === line);
  codeRows.reveal(oldLines[line] ?? 0);
  at();
  details();
  keep();
}
function at() {
  byId("at").textContent = here.length ? `${state.chosen < 0 ? "–" : state.chosen + 1} / ${here.length}` : "no sites";
}
function step(by) {
  if (state.view !== "file") { if (shown.length) openSite(shown[0]); return; }
  if (!here.length) return;
  let next = state.chosen + by;
  while (next > 0 && next < here.length && data.sites[here[next]][LINE] === state.line) next += by;
  if (next < 0 || next >= here.length) return;
  choose(data.sites[here[next]][LINE]);
}
function details() {
  const found = here.filter((number) => data.sites[number][LINE] === state.line);
  const guards = data.guards.filter((guard) => guard[0] === state.file && guard[1] === state.line);
  const proven = data.verified.filter((one) => one.file === state.file && one.line === state.line);
  byId("details").replaceChildren(
    ...guards.map((g) => make("div", { class: "guard" }, make("p", {}, "Guard of ", code(g[2])), make("p", {}, code(g[3])), make("p", { class: "none" }, g[4]))),
    ...proven.map((one) => make("div", { class: "guard" }, make("p", {}, `Verified: ${one.verdict} `, code(one.name)), make("p", {}, one.difference),
      ...one.failures.map((f) => make("p", { class: "mono" }, `old ${f[0]}; new ${f[1]}; ${f[2]}`)))),
    ...found.map((number) => {
      const site = data.sites[number], why = known[number - firstOf.get(site[FILE])] || [];
      return make("div", { class: "detail", "data-site": number },
        make("p", {}, tag(site[OUTCOME]), "  ", make("b", { title: data.codes[site[CODE]] }, site[CODE]), "  ", code(site[SOURCE]), "  ", make("span", { class: "none" }, site[PLACE])),
        make("p", {}, site[MESSAGE]),
        make("ul", {}, ...why.map(([source, type, origins]) => make("li", {}, code(source), " is ", code(type),
          ...origins.map(([kind, place, text, fact], at) => make("div", { class: "because" }, `${at ? "and" : "because of"} ${kind}${place ? ` ${place}` : ""}: `, code(text), fact ? ` → ${fact}` : ""))))));
    }));
}

// ------------------------------------------------------------------------------------------------ the controls
OUTCOMES.forEach((name, number) => {
  const button = make("button", { type: "button", class: `outcome ${name}`, "aria-pressed": "true", "data-outcome": name, title: `${name} (${number + 1})`, click: () => toggle(number) },
    make("i", { class: "dot" }), name, make("b", {}, data.outcomes[name].toLocaleString("en")));
  byId("outcomes").append(button);
});
function toggle(number) {
  if (!state.outcomes.delete(number)) state.outcomes.add(number);
  document.querySelector(`[data-outcome="${OUTCOMES[number]}"]`).setAttribute("aria-pressed", String(state.outcomes.has(number)));
  filter();
}
const perCode = new Map();
for (const site of data.sites) perCode.set(site[CODE], (perCode.get(site[CODE]) || 0) + 1);
byId("rule").append(make("option", { value: "" }, "all rules"),
  ...Object.entries(data.codes).map(([name, title]) => make("option", { value: name }, `${name} ${title} (${perCode.get(name)})`)));
byId("rule").addEventListener("change", (event) => { state.code = event.target.value; filter(); if (state.view === "overview") view("sites"); });
let waiting = 0;
byId("search").addEventListener("input", (event) => {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    state.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (state.words.length && state.view === "overview") view("sites");
    filter();
  }, 60);
});
byId("filter").addEventListener("input", (event) => { state.names = event.target.value.toLowerCase(); listFiles(); });
for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => view(button.dataset.view));
byId("home").addEventListener("click", () => view("overview"));
byId("next").addEventListener("click", () => step(1));
byId("previous").addEventListener("click", () => step(-1));
byId("keys").addEventListener("click", () => byId("help").showModal());
const dark = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = null;
const paint = () => { document.documentElement.dataset.theme = chosenTheme || (dark.matches ? "dark" : "light"); };
dark.addEventListener("change", paint);
function theme() { chosenTheme = document.documentElement.dataset.theme === "dark" ? "light" : "dark"; paint(); }
byId("theme").addEventListener("click", theme);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const field = event.target.closest("input, select");
  if (event.key === "Escape" && field) { field.value = ""; field.dispatchEvent(new Event("input")); field.blur(); return; }
  if (field) return;
  const nextFile = (by) => openFile(Math.min(data.files.length - 1, Math.max(0, state.file + by)));
  const actions = { "/": () => byId("search").focus(), j: () => step(1), k: () => step(-1), n: () => nextFile(1), p: () => nextFile(-1),
    o: () => view("overview"), s: () => view("sites"), t: theme, "?": () => byId("help").showModal() };
  const action = actions[event.key] || (event.key >= "1" && event.key <= "5" ? () => toggle(Number(event.key) - 1) : null);
  if (action && (data.files.length || !"np".includes(event.key))) { event.preventDefault(); action(); }
});
/** Keep the place in the address, so that a link leads to it. */
function keep() {
  const place = state.view === "file" ? `#file=${state.file}&line=${state.line}` : `#${state.view}`;
  try { history.replaceState(null, "", place); } catch { /* a page from elsewhere may not */ }
}
paint();
drawOverview();
const start = location.hash;
filter();
const place = /^#file=(\d+)&line=(\d+)$/.exec(start);
if (place && data.files[Number(place[1])]) openFile(Number(place[1]), Number(place[2]));
else view(start === "#sites" ? "sites" : "overview");
