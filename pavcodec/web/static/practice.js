// Practice: values beside the sliders, short addresses, and keys: the arrows for boards, 1 to 9 to reveal.

for (const slider of document.querySelectorAll(".slider input")) {
  const output = slider.parentElement.querySelector("output");
  const show = () => (output.textContent = slider.value === "0" ? "–" : slider.value);
  slider.addEventListener("input", show);
  show();
}

document.getElementById("choose")?.addEventListener("submit", (event) => {
  const idle = [...event.target.querySelectorAll(".slider input")].filter((slider) => slider.value === "0");
  for (const slider of idle) slider.disabled = true;
  setTimeout(() => idle.forEach((slider) => (slider.disabled = false)));
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea")) return;
  const link = { ArrowRight: "next", ArrowLeft: "prev" }[event.key];
  if (link) document.querySelector(`a[rel="${link}"]`)?.click();
  const details = document.querySelectorAll(".own ~ details")[Number(event.key) - 1];
  if (details) details.open = !details.open;
});
