// Forms of addresses (GET) leave out empty fields, so that links stay short; and a form that is on its
// way says so, since an answer may take long: after a second by a line with a button that ends the work,
// as the browser's own button for stopping does.

const PATIENCE = 1000; // milliseconds

let progress = 0; // the timer of the line

function dropEmptyFields(form) {
  const dropped = [...form.elements].filter((field) => field.name && field.value === "" && !field.disabled);
  for (const field of dropped) field.disabled = true;
  setTimeout(() => dropped.forEach((field) => (field.disabled = false)));
}

function made(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function showProgress(form) {
  const start = Date.now();
  const line = made("p", { className: "progress" });
  const seconds = made("span", { ariaHidden: "true" }); // read once, not each second
  const cancel = made("button", { type: "button", className: "second small", textContent: "Cancel" });
  cancel.addEventListener("click", () => {
    stop(); // the server ends the work when the browser closes the connection
    showIdle();
    form.querySelector("button:not([type=button])")?.focus();
  });
  line.append(made("span", { role: "status", textContent: "Working on the answer" }), seconds, cancel);
  form.after(line);
  progress = setInterval(() => {
    line.hidden = Date.now() - start < PATIENCE;
    seconds.textContent = `${Math.floor((Date.now() - start) / 1000)} s`;
  }, PATIENCE / 4);
  line.hidden = true;
}

function showBusy(form, button) {
  showIdle();
  form.setAttribute("aria-busy", "true");
  button?.classList.add("busy");
  showProgress(form);
}

function showIdle() {
  clearInterval(progress);
  for (const line of document.querySelectorAll("p.progress")) line.remove();
  for (const form of document.querySelectorAll("form[aria-busy]")) form.removeAttribute("aria-busy");
  for (const button of document.querySelectorAll("button.busy")) button.classList.remove("busy");
}

export function addForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented) return;
    if (form.method === "get") dropEmptyFields(form);
    if (!event.submitter?.closest(".downloads")) showBusy(form, event.submitter);
  });
  addEventListener("pageshow", showIdle); // also when the reader comes back
}
