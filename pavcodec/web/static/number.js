// While somebody types or pastes: what the text is, in one line below it. The page of the answer says
// the same, so this is only a help.

const WAIT = 400;
const LONGEST = 6000;

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
      const answer = await fetch("/api/v1/recognise", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text }),
        signal: this.asked.signal,
      });
      if (!answer.ok) return;
      const { words, problem } = await answer.json();
      this.line.textContent = words || `Not yet: ${problem.message}`;
    } catch (error) {
      if (error.name !== "AbortError") this.line.textContent = "";
    }
  }
}

for (const area of document.querySelectorAll("form.question textarea[name=text]")) new Recognition(area);
