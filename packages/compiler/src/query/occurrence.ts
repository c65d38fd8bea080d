import type { StringPart } from "../parse/document.ts";

/** The characters of a name where it is declared or used. */
export interface Occurrence extends StringPart {
  /** How a new name has to be written here, if not as it is: `{a}` in jq becomes `{b: .a}` where only the key is renamed. */
  rewrite?(name: string): string;
}
