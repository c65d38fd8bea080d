import type { Model } from "../bind/model.ts";
import type { Samples } from "../options/samples.ts";
import type { Settings, Severity } from "../options/settings.ts";
import type { Document, Location } from "../parse/document.ts";

/** Arguments of a rule's message: plain data, so that a finding can be compared, stored and rendered late. */
export type Args = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Whom a breaking change concerns (D40): what customers filled in, what is registered at third parties, what is kept, who embeds the app. */
export const concerns = ["setups", "registrations", "state", "embedders"] as const;
/** Whom a breaking change concerns: one of `concerns`. */
export type Concern = (typeof concerns)[number];

/**
 * A rule of the registry. Its id is public API from the first release. Text, page and example are all here; the page in
 * `docs/rules`, `configc explain`, the SARIF table and the tests are made from it.
 */
export interface Rule<A extends Args = Args> {
  /** `area/kebab-name` */
  readonly id: string;
  readonly severity: Severity;
  /** Severity under `"language": "core"`, for the tolerances of D41. */
  readonly core?: Severity;
  /** One line that says what is reported, without a period. */
  readonly summary: string;
  /** Markdown: why it matters to a customer, and what to do. */
  readonly why: string;
  /** Rows of the specification (`workflow.auth`) and decisions (`D5`) that it guards, for `docs/coverage.md`. */
  readonly guards: readonly string[];
  /** What was found, and what would be accepted. One or two sentences. */
  message(args: A): string;
  /** The values or the way on which it goes wrong, smallest first; a line each. */
  because?(args: A): readonly string[];
  /** What to do, where the message alone doesn't say. */
  help?(args: A): string | undefined;
  readonly examples: readonly [RuleExample, ...RuleExample[]];
  /** Of a rule about two versions: whom it concerns. */
  readonly concerns?: readonly Concern[];
  /** How an editor shows it. */
  readonly tag?: "unnecessary" | "deprecated";
  /** Computed only when asked for; `finding.at` says where. */
  fixes?(finding: Finding<A>, context: FixContext): readonly Fix[];
}

/**
 * A bad and a good case. Each is a fragment of JSON put into one of the `configc init` templates (or into a plainer base of the same name).
 *
 * In `bad`, `«…»` marks the characters that the finding points at. With the marks taken out, `bad` gives the rule there and
 * (unless `also` lists it) nothing else at warning level or above; `good` gives nothing at that level and not this rule.
 */
export type RuleExample = {
  readonly title?: string;
  readonly bad: string;
  readonly good: string;
  /** `bad` after all of its fixes, unsafe ones too; omitted where there are none. */
  readonly fixed?: string;
  /** Of a rule about two versions: the fragment in the published one, while `bad` and `good` stand in the new one. */
  readonly published?: string;
  /** Other rules that `bad` gives. */
  readonly also?: readonly string[];
  /** Settings that the example is about. */
  readonly settings?: Partial<Settings>;
  /** What is known of the responses, where the example is about that. */
  readonly samples?: Partial<Samples>;
} & (
  | {
      readonly in: "inbound-webhook" | "inbound-polling" | "historical-sync" | "outbound";
      /** JSON Pointer of the value that the fragment replaces; a missing last member is added. */
      readonly at: string;
      /** Replacements of other values, made first and in both cases: pointer → JSON text (undefined removes). */
      readonly with?: Readonly<Record<string, string | undefined>>;
    }
  /** `bad` and `good` are whole documents; of the name, only the ending counts. */
  | { readonly in: "document"; readonly name?: string }
);

/** What a rule found: facts, of which text is made when they are shown. */
export interface Finding<A extends Args = Args> {
  readonly rule: Rule<A>;
  readonly args: A;
  readonly at: Location;
  readonly related: readonly Related[];
}

/** Another place that a finding is about, with what it is there. */
export interface Related {
  readonly message: string;
  readonly at: Location;
}

export interface FixContext {
  readonly document: Document;
  readonly model: Model;
}

/** A way to mend what a finding is about. */
export interface Fix {
  /** Imperative, as in a menu: "Change to `acme`". */
  readonly title: string;
  /** Whether the result certainly means what the author meant; `--fix` applies only safe ones. */
  readonly safe: boolean;
  readonly edits: readonly Edit[];
}

/** Replaces `[start, end)` of the document's text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Gives a rule the type of its arguments: `defineRule<{ name: string }>({ … })`. */
export function defineRule<A extends Args>(rule: Rule<A>): Rule<A> {
  return rule;
}
