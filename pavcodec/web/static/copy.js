// A copy button for each element with `data-copy`: the text of its <code>, or of the field that
// `data-copy="#id"` names. Where the browser forbids the clipboard, the text is selected instead.

function textOf(element) {
  const other = element.dataset.copy && document.querySelector(element.dataset.copy);
  const code = other || element.querySelector("code") || element;
  return { code, text: "value" in code ? code.value : code.textContent };
}

async function copy(button, element) {
  const { code, text } = textOf(element);
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

export function addCopyButtons(root = document) {
  for (const element of root.querySelectorAll("[data-copy]:not([data-copy-ready])")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy second";
    button.textContent = "Copy";
    button.setAttribute("aria-live", "polite");
    if (element.dataset.copyName) button.title = `Copy ${element.dataset.copyName}`;
    button.addEventListener("click", () => copy(button, element));
    element.dataset.copyReady = "";
    element.append(button);
  }
}
