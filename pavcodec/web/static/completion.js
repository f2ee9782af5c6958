// Completion for a text of the language: a list of what may stand at the caret.
//
// The field keeps the focus; the list is a listbox beside it, and `aria-activedescendant` names the
// chosen option. Down and Up choose, Enter or Tab inserts the chosen one, Escape closes the list, and
// Ctrl+Space opens it. Without a chosen option all keys have their usual meaning.

const WAIT = 120;
// A word opens the list; a number ends most conditions, and a list would hide the button below.
const OPENS = /(?:\b[a-z_]\w*|[(,])$/i;

export function addCompletion(field, ask) {
  const id = `${field.id}-completions`;
  const place = document.createElement("div");
  place.className = "completions";
  place.innerHTML = `<ul id="${id}" role="listbox" hidden></ul><p class="unseen" aria-live="polite"></p>`;
  field.insertAdjacentElement("afterend", place);
  const [list, said] = place.children;
  list.setAttribute("aria-label", "Completions");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", id);
  field.setAttribute("aria-haspopup", "listbox");

  let found = null;
  let chosen = -1;
  let timer = 0;
  let turn = 0;

  function close() {
    turn += 1;
    clearTimeout(timer);
    found = null;
    chosen = -1;
    list.hidden = true;
    list.replaceChildren();
    field.removeAttribute("aria-activedescendant");
  }

  function choose(next) {
    const options = [...list.children];
    chosen = (next + options.length) % options.length;
    options.forEach((option, i) => option.setAttribute("aria-selected", String(i === chosen)));
    options[chosen].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", options[chosen].id);
  }

  function insert(item) {
    // What somebody has typed since the question belongs to the word; elsewhere the list is too old.
    const typed = field.value.length - found.length;
    const { start } = found;
    const end = found.end + typed;
    const isHere = field.selectionStart === found.caret + typed && end >= start;
    close();
    if (!isHere) return;
    field.focus();
    field.setSelectionRange(start, end);
    if (!document.execCommand("insertText", false, item.text)) field.setRangeText(item.text, start, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function option(item, i) {
    const element = document.createElement("li");
    element.id = `${id}-${i}`;
    element.setAttribute("role", "option");
    element.setAttribute("aria-selected", "false");
    const text = document.createElement("code");
    text.textContent = item.label;
    const meaning = document.createElement("span");
    meaning.textContent = item.meaning === item.kind ? item.kind : `${item.kind}: ${item.meaning}`;
    element.append(text, meaning);
    element.addEventListener("mousedown", (event) => {
      event.preventDefault();
      insert(item);
    });
    return element;
  }

  async function open() {
    const mine = (turn += 1);
    const caret = field.selectionStart;
    if (caret !== field.selectionEnd) return close();
    const { length } = field.value;
    const answer = await ask(field.value, caret);
    if (mine !== turn || document.activeElement !== field) return;
    const typed = answer ? field.value.slice(answer.start, caret) : "";
    const items = (answer?.items ?? []).filter((item) => item.text !== typed);
    if (!items.length) return close();
    found = { start: answer.start, end: answer.end, caret, length };
    chosen = -1;
    list.replaceChildren(...items.map(option));
    list.hidden = false;
    list.scrollTop = 0;
    field.removeAttribute("aria-activedescendant");
    said.textContent = items.length === 1 ? "1 completion" : `${items.length} completions`;
    list.items = items;
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    if (OPENS.test(field.value.slice(0, field.selectionStart))) timer = setTimeout(open, WAIT);
    else close();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      open();
    } else if (!found) {
      return;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(event.key === "ArrowDown" ? chosen + 1 : Math.max(chosen, 0) - 1);
    } else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0 && !event.ctrlKey) {
      event.preventDefault();
      insert(list.items[chosen]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    } else if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) {
      close();
    }
  });
  field.addEventListener("blur", close);
}
