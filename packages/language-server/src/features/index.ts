import type { Feature } from "../feature.ts";
import { codeActions } from "./code-actions.ts";
import { diagnostics } from "./diagnostics.ts";
import { names } from "./names.ts";

/** Everything the server can do; `docs/editors.md` lists the methods. */
export const features: readonly Feature[] = [diagnostics, codeActions, names];
