// While somebody types or pastes: what the text is, in one line below it. The page of the answer says
// the same, so this is only a help.

const WAIT = 400;
const LONGEST = 6000;
const MOST = 6; // schemes that one sentence lists

// The schemes of a text as a sentence.
function inWords(schemes) {
  const [first] = schemes;
  const board = ({ board }) => (board === undefined ? "" : `board ${board}`);
  if (schemes.length === 1) return `This is ${[first.summary, board(first)].filter(Boolean).join(", ")}.`;
  const names = schemes.map((each) => [each.scheme, board(each)].filter(Boolean).join(" "));
  const more = names.length - MOST;
  return `This may be: ${names.slice(0, MOST).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

class Recognition {
  constructor(area) {
    this.area = area;
    this.line = document.createElement("p");
    this.line.className = "quiet recognised";
    this.line.setAttribute("aria-live", "polite");
    area.after(this.line);
    area.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.asked?.abort();
      this.line.textContent = "";
      this.timer = setTimeout(() => this.ask(), WAIT);
    });
  }

  async ask() {
    const text = this.area.value.trim();
    if (!text || text.length > LONGEST) return;
    this.asked = new AbortController();
    try {
      const answer = await fetch("/api/v1/identify", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text }),
        signal: this.asked.signal,
      });
      const { schemes, problem } = await answer.json();
      if (schemes) this.line.textContent = inWords(schemes);
      else if (answer.status === 422) this.line.textContent = `Not yet: ${problem.message}`;
    } catch (error) {
      if (error.name !== "AbortError") this.line.textContent = "";
    }
  }
}

for (const area of document.querySelectorAll("form.question textarea[name=text]")) new Recognition(area);
