// When a page arrives with an answer or a problem, the reader goes there: the field that is wrong has
// the focus, or else the heading of the answer, so that screen readers say it and Tab goes on from it.

export function announce() {
  if (location.hash) return;
  const wrong = document.querySelector("[aria-invalid='true']");
  const problem = document.querySelector("main .problem[role='alert']");
  const heading = document.querySelector("main .answer h2, main .answer h3");
  const target = wrong || problem || heading;
  if (!target) return;
  if (!wrong) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  const place = target.getBoundingClientRect();
  if (place.top < 0 || place.bottom > innerHeight) {
    target.scrollIntoView({ block: wrong ? "center" : "start" });
  }
}
