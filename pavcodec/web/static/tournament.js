// The page Tournament works without this: suggestions become buttons, files may be dropped anywhere in
// their field, and a page with new keys warns before they are lost.

for (const item of document.querySelectorAll("[data-fill]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "second small";
  button.textContent = item.textContent;
  button.addEventListener("click", () => {
    const field = document.getElementById(item.dataset.fill);
    field.value = button.textContent;
    field.focus();
  });
  item.replaceChildren(button);
}

for (const field of document.querySelectorAll("input[data-drop]")) {
  field.addEventListener("dragover", () => field.classList.add("over"));
  for (const name of ["dragleave", "drop"]) field.addEventListener(name, () => field.classList.remove("over"));
}

const whole = document.getElementById("whole");
if (whole) {
  const warn = (event) => event.preventDefault();
  addEventListener("beforeunload", warn);
  for (const link of document.querySelectorAll("a[download]"))
    link.addEventListener("click", () => removeEventListener("beforeunload", warn));
}
