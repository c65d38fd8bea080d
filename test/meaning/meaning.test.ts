import { configsIn } from "../support/mistakes/configs.ts";
import { testMistakes } from "../support/mistakes/told.ts";

testMistakes(new URL(".", import.meta.url), configsIn(new URL("configs/", import.meta.url)), () => true);
