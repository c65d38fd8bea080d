import { makeError } from "./error.ts";
import { makeExtract } from "./extract.ts";
import { makeHttp } from "./http.ts";
import { makeJq } from "./jq.ts";
import { makePipe } from "./pipe.ts";
import { makePrint } from "./print.ts";
import { makeResource } from "./resource.ts";
import { makeRespond } from "./respond.ts";
import { makeSave } from "./save.ts";
import { makeSha } from "./sha.ts";
import type { StepCompiler } from "./step-compiler.ts";
import { makeSwitch } from "./switch.ts";

/** The commands by key. */
export const makers: ReadonlyMap<string, StepCompiler> = new Map([
  ["!pipe", makePipe],
  ["!http", makeHttp],
  ["!jq", makeJq],
  ["!save", makeSave],
  ["!resource", makeResource],
  ["!switch", makeSwitch],
  ["!error", makeError],
  ["!print_c", makePrint],
  ["!sha", makeSha],
  ["!extract", makeExtract],
  ["!respond", makeRespond],
]);
