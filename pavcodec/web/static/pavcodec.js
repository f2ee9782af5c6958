// What all pages have in common. Every page works without it.

import { announce } from "./arrival.js";
import { addCopyButtons } from "./copy.js";
import { addForms } from "./forms.js";
import { addKeys } from "./keys.js";

addCopyButtons();
addForms();
addKeys();
announce();
