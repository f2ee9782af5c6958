// The page Deal, made quicker: a diagnosis and the number of deals while somebody types, completion,
// a search in the library, sliders for the weights, and parts of conditions without a new page.

import { addCompletion } from "./completion.js";
import { API, addDiagnosis, element, post } from "./diagnosis.js";

const form = document.getElementById("deal");
const field = document.getElementById("condition");
const number = document.getElementById("number");
const types = document.getElementById("types");
const COUNTED = ["condition", "north", "east", "south", "west", "name", "type", "weight", "interleave"];

// ---- diagnosis and number ----------------------------------------------------------------------

let counting = null;
let countTimer = 0;

function query() {
  const pairs = [...new FormData(form)].filter(([name]) => COUNTED.includes(name));
  return new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));
}

function isAsked(asked) {
  return COUNTED.some((name) => name !== "weight" && name !== "name" && asked.getAll(name).some((text) => text.trim()));
}

const nothing = number.querySelector("[data-nothing]")?.outerHTML ?? "";

function showNumber(html) {
  number.innerHTML = html || nothing; // from the server, which escapes what people type
  number.classList.remove("old");
}

async function count() {
  counting?.abort();
  const asked = query();
  if (!isAsked(asked)) return showNumber("");
  counting = new AbortController();
  const { signal } = counting;
  number.classList.add("old");
  const slow = setTimeout(() => showNumber("<p>Counting…</p>"), 150);
  try {
    const response = await fetch(`/deal/count?${asked}`, { signal });
    const html = await response.text();
    if (!signal.aborted) showNumber(html);
  } catch {
    if (!signal.aborted) showNumber("");
  } finally {
    clearTimeout(slow);
  }
}

const checkSoon = addDiagnosis(field, document.getElementById("diagnosis"), (answer) => {
  if (answer.problem) showNumber("");
  else countTimer = setTimeout(count, 250);
});

function changed() {
  clearTimeout(countTimer);
  counting?.abort();
  number.classList.add("old");
  checkSoon();
}

form.addEventListener("input", (event) => {
  if (event.target === field || COUNTED.includes(event.target.name)) changed();
});
addCompletion(field, (condition, caret) => post("complete", { condition, caret }));

// ---- library -----------------------------------------------------------------------------------

const library = document.querySelector(".library");
const search = document.getElementById("search");
const situations = [...library.querySelectorAll(".situations li")];
library.querySelector("[data-search]").hidden = false;

function fill(text) {
  field.value = text;
  changed();
  field.focus();
}

search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const item of situations) {
    item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
  }
  const left = situations.filter((item) => !item.hidden).length;
  library.querySelector("[data-found]").textContent = left === 1 ? "1 situation" : `${left} situations`;
});
search.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  situations.find((item) => !item.hidden)?.querySelector("a").focus();
});
library.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-condition]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  form.elements.dealer.value = link.dataset.dealer;
  fill(link.dataset.condition);
});

// ---- parts from points and lengths -------------------------------------------------------------

const builder = document.querySelector(".builder");

function part() {
  const found = { condition: field.value, whose: form.elements.whose.value, balanced: form.elements.balanced.value };
  for (const input of builder.querySelectorAll("input")) if (input.value !== "") found[input.name] = input.value;
  return found;
}

builder.querySelector("button[name='add']").addEventListener("click", async (event) => {
  event.preventDefault();
  builder.querySelector(".problem")?.remove();
  const response = await fetch(`${API}/build`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(part()),
  }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (response?.ok) {
    for (const input of builder.querySelectorAll("input")) input.value = "";
    fill(answer.condition);
    return;
  }
  const box = element("p", answer?.problem?.message ?? "The server does not answer.", "problem");
  box.setAttribute("role", "alert");
  builder.append(box);
});

// ---- types with sliders ------------------------------------------------------------------------

const MOST = 100;

function weights() {
  return [...types.querySelectorAll("[data-type]")].map((row) => ({
    row,
    is: row.querySelector("[name='type']").value.trim() !== "",
    weight: Number(row.querySelector("[name='weight']").value),
  }));
}

function showShares() {
  const all = weights().filter((each) => each.is);
  const sum = all.reduce((total, each) => total + (each.weight || 0), 0);
  for (const { row, is, weight } of weights()) {
    const share = row.querySelector("output");
    share.textContent = is && sum > 0 && weight >= 0 ? `${Number(((100 * weight) / sum).toPrecision(3))} %` : "";
  }
}

function addSlider(row) {
  const weight = row.querySelector("[name='weight']");
  const name = row.querySelector("[name='name']");
  const share = document.createElement("div");
  share.className = "share";
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: MOST, step: 1 });
  slider.value = weight.value || 0;
  const label = () => slider.setAttribute("aria-label", `Weight of ${name.value || "this type"}`);
  label();
  const output = element("output", "");
  share.append(slider, output);
  row.append(share);
  slider.addEventListener("input", () => {
    weight.value = slider.value;
    showShares();
    changed();
  });
  weight.addEventListener("input", () => {
    slider.value = Number(weight.value) || 0;
    showShares();
  });
  row.addEventListener("input", () => {
    label();
    showShares();
  });
}

types.querySelectorAll("[data-type]").forEach(addSlider);
showShares();

const more = element("button", "Add a type", "second small");
more.type = "button";
more.addEventListener("click", () => {
  const rows = types.querySelectorAll("[data-type]");
  const row = rows[rows.length - 1].cloneNode(true);
  row.querySelector(".share")?.remove();
  for (const input of row.querySelectorAll("input")) {
    input.value = "";
    input.id = input.id.replace(/\d+$/, rows.length);
    input.removeAttribute("aria-invalid");
  }
  for (const label of row.querySelectorAll("label")) label.htmlFor = label.htmlFor.replace(/\d+$/, rows.length);
  types.append(row);
  addSlider(row);
  row.querySelector("input").focus();
});
types.insertAdjacentElement("afterend", more);

// The number of a condition that came with the address, such as after a choice, is there already.
if (field.value.trim() && nothing && !document.querySelector(".problem")) changed();
