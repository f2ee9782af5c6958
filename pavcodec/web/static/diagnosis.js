// What the server finds in a condition while somebody types it.

export const API = "/api/v1";

export async function post(name, question, signal) {
  try {
    const response = await fetch(`${API}/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
      signal,
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null; // a newer question replaced it, or the server is away: the form works without
  }
}

export function element(name, text, className = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

function wrongPart(problem) {
  const { source, start } = problem;
  const end = Math.max(problem.end, start + 1);
  const code = element("code", "", "source");
  code.append(source.slice(0, start), element("mark", source.slice(start, end) || "⎵"), source.slice(end));
  return code;
}

// The fault and the warnings of a condition, as elements.
function diagnosisOf(answer) {
  const parts = [];
  if (answer.problem) {
    const box = element("div", answer.problem.message, "problem");
    if (answer.problem.source !== null) box.append(wrongPart(answer.problem));
    parts.push(box);
  }
  for (const warning of answer.warnings) parts.push(element("p", warning, "notice"));
  return parts;
}

// Diagnoses a field while somebody types, in a place beside it. `answered` gets each diagnosis as soon
// as it is there. Returns a function that asks again soon.
const PATIENCE = 1200; // milliseconds before a fault at the caret is shown, which may be half a word

export function addDiagnosis(field, place, answered = () => {}) {
  let timer = 0;
  let asking = null;

  function show(answer) {
    document.getElementById(`${field.id}-problem`)?.remove(); // of the page as it came
    place.replaceChildren(...diagnosisOf(answer));
    if (answer.problem) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }

  async function check() {
    asking?.abort();
    asking = new AbortController();
    const text = field.value;
    const answer = await post("check", { condition: text }, asking.signal);
    if (!answer || field.value !== text) return;
    const { problem } = answer;
    const caret = field.selectionEnd;
    const isTyping = document.activeElement === field && problem && problem.start <= caret && caret <= problem.end;
    clearTimeout(timer);
    if (isTyping) timer = setTimeout(() => show(answer), PATIENCE);
    else show(answer);
    answered(answer);
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(check, 200);
  }

  field.addEventListener("input", soon);
  field.addEventListener("blur", () => field.value.trim() && check());
  return soon;
}
