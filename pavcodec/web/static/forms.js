// Forms of addresses (GET) leave out empty fields, so that links stay short; and a form that is on its
// way says so, since an answer may take seconds.

function dropEmptyFields(form) {
  const dropped = [...form.elements].filter((field) => field.name && field.value === "" && !field.disabled);
  for (const field of dropped) field.disabled = true;
  setTimeout(() => dropped.forEach((field) => (field.disabled = false)));
}

function showBusy(form, button) {
  form.setAttribute("aria-busy", "true");
  button?.classList.add("busy");
}

function showIdle() {
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
