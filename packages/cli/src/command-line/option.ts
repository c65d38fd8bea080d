/** An option of a verb, as data: parsing, help and completion are made from it. */
export interface OptionSpec {
  /** Without the dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What the value is called in help. A flag has none; an option with two values has both: `NAME VALUE`. */
  readonly value?: string;
  /** The values that are accepted. */
  readonly choices?: readonly string[];
  /** What a shell completes as value where there are no choices. */
  readonly completes?: Completes;
  readonly summary: string;
}

export type Completes = "files" | "folders" | "rules";

export function takesPair(option: OptionSpec): boolean {
  return option.value?.includes(" ") === true;
}
