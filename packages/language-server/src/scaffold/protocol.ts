/** Proposes a config for an API that a file describes: an OpenAPI or Swagger document, a HAR file, cURL commands. Nothing is written. */
export const PROPOSE_CONFIG = "configc/proposeConfig";
/** Writes one that was proposed, with what belongs beside it. */
export const WRITE_CONFIG = "configc/writeConfig";

/** What `configc/proposeConfig` takes. */
export interface ProposeConfigParams {
  /** URI of the file that describes the API. */
  readonly from: string;
  /** What the service is called. Default: as its description says. */
  readonly title?: string;
  /** Which of `choices.read` is taken, or an empty text for none. Default: the likeliest. */
  readonly read?: string;
  /** Which of `choices.write` is taken, or an empty text for none. Default: the likeliest. */
  readonly write?: string;
}

/** A config for an API, and what each part of it rests on. */
export interface ProposedConfig {
  /** As in `NAME.app.json`. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly told: readonly {
    /** “pages”, “the account”. */
    readonly what: string;
    readonly taken: string;
    readonly because: string;
    /** Whether a person has to look. */
    readonly isOpen: boolean;
  }[];
  /** Where contacts may come from, and which requests may take one; the likeliest first. */
  readonly choices: { readonly read: readonly string[]; readonly write: readonly string[] };
}

/** What `configc/writeConfig` takes. */
export interface WriteConfigParams extends ProposeConfigParams {
  /** URI of the config, which mustn't be there yet. */
  readonly config: string;
}

/** What was written beside a config. */
export interface WrittenConfig {
  /** For people: where types come from, what a world file asks. */
  readonly notes: readonly string[];
}

/** Reads descriptions of APIs, and writes configs. Whoever starts the server has the files; without one, both requests are refused. */
export interface Scaffolder {
  /** @throws Error that says what is wrong with the file */
  propose(params: ProposeConfigParams): Promise<ProposedConfig>;
  /** @throws Error where it can't be written */
  write(params: WriteConfigParams): Promise<WrittenConfig>;
}
