import type { Occurrence } from "./occurrence.ts";

/** What a declared name is a name of. */
export type NameKind =
  | "auth"
  | "intake"
  | "workflow"
  | "field"
  | "saved-key"
  | "polling-key"
  | "member"
  | "jq-variable"
  | "jq-function";

/** Everything that one name stands for: what an editor needs for definition, references, highlights and rename. */
export interface NamedSymbol {
  readonly kind: NameKind;
  readonly name: string;
  /** Where it is declared: a saved or polling key at each command that writes it. */
  readonly declarations: readonly Occurrence[];
  readonly references: readonly Occurrence[];
  /** Why some use of the name can't be told from the text, so that it can't be renamed. */
  readonly obstacle?: string;
}
