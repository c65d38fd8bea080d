import { configsIn } from "../support/mistakes/configs.ts";
import { testMistakes } from "../support/mistakes/told.ts";

// The configs and mistakes were written from the specification alone, by somebody who hadn't read a rule or a mutator.
const folder = new URL(".", import.meta.url);
testMistakes(folder, configsIn(new URL("configs/", folder)));
