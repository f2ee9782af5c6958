// Ctrl+Enter (or Cmd+Enter) in a text of several lines sends its form.

export function addKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    const form = event.target.closest?.("form");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
