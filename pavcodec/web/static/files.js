// Drop files on the page; files that are dropped or chosen are opened at once.

const form = document.getElementById("files");
const field = document.getElementById("file");
const area = document.querySelector("[data-drop]");

function open() {
  if (field.files.length) form.requestSubmit();
}

function mark(event, over) {
  if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
  event.preventDefault();
  area.classList.toggle("over", over);
}

field.addEventListener("change", open);
document.addEventListener("dragover", (event) => mark(event, true));
document.addEventListener("dragleave", (event) => mark(event, false));
document.addEventListener("drop", (event) => {
  mark(event, false);
  if (!event.dataTransfer?.files.length) return;
  field.files = event.dataTransfer.files;
  open();
});
