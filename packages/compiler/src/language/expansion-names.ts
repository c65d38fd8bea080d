/** Names that expansions know (D7, D11, D12). Scopes of `data` stand with `!save`. */

/** The first segments that an expansion can have; what each is stands in `roots.ts`. */
export const ROOT_NAMES = [
  "webhook",
  "data",
  "custom_data",
  "polling_state",
  "piped_content",
  "subdomain",
] as const;
export type RootName = (typeof ROOT_NAMES)[number];

export function isRootName(name: string | undefined): name is RootName {
  return (ROOT_NAMES as readonly (string | undefined)[]).includes(name);
}

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
