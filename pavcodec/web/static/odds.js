// The page Odds, made quicker: faults and completions while somebody types an event or a condition.

import { addCompletion } from "./completion.js";
import { addDiagnosis, post } from "./diagnosis.js";

for (const name of ["event", "given", "second"]) {
  const field = document.getElementById(name);
  const place = document.createElement("div");
  place.setAttribute("aria-live", "polite");
  field.closest(".field").append(place);
  addDiagnosis(field, place);
  addCompletion(field, (condition, caret) => post("complete", { condition, caret }));
}
