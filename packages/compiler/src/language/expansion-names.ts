import type { RootName } from "../parse/template.ts";

/** Names that expansions know besides their roots (D7, D11, D12). Scopes of `data` stand with `!save`. */

/** The roots that are members of a command's input where that is the object of the roots (D16). */
export const inputRoots: readonly RootName[] = ["custom_data", "data", "polling_state", "webhook"];

/** What an expansion reads of a form field. */
export const fieldAttributes = ["value", "display"] as const;

/** Types of form fields without options: `display` is the typed text, the same as `value` (D12). */
export const typedFieldTypes = ["text", "textarea"] as const;

/** What an expansion reads of `webhook`. */
export const webhookMembers = ["url"] as const;

/** Filters behind `|`. */
export const filterNames = ["default"] as const;
