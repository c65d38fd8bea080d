/** A value of JSON as it is written into a config. */
export type ConfigValue =
  | string
  | number
  | boolean
  | null
  | readonly ConfigValue[]
  | { readonly [name: string]: ConfigValue };
/** An object of JSON as it is written into a config. */
export type ConfigObject = { readonly [name: string]: ConfigValue };

/** What was taken for what, as a person reads it. */
export interface Told {
  /** “pages”, “the account”. */
  readonly what: string;
  /** “go on by `cursor`”. */
  readonly taken: string;
  readonly because: string;
  /** Whether a person has to look. */
  readonly isOpen: boolean;
}

/** An app, as far as a description of its API tells it. */
export interface Proposal {
  readonly config: ConfigObject;
  /** In the order of the config. */
  readonly told: readonly Told[];
}
