import { findings, type Template } from "./rule-findings.ts";

/*
 * Polls in a line each, for configs that are right and look like a mistake: `build` makes one from what makes it right, or wrong.
 */

type Changes = Readonly<Record<string, unknown>>;

export const jq = (program: string) => ({ "!jq": program });

const inIntake = (index: number, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([name, json]) => [
      name.startsWith("/") ? name : `/data_intake/${index}/${name}`,
      json,
    ]),
  );

/** A poll whose service nothing is known of. */
export const poll = (changes: Changes): Changes => ({
  "/data_intake/0/name": "people",
  "/workflows/0/data_intake": "people",
  ...inIntake(0, { pre_poll: undefined, post_poll: undefined, ...changes }),
});

/** The import beside a webhook. */
export const imported = (changes: Changes): Changes => inIntake(1, changes);

/** A poll with one request and one program behind it. */
export const feed = (
  comment: string,
  state: string,
  params: Changes,
  program: string,
  { path = "/items", ...more }: Changes & { readonly path?: string } = {},
): Changes =>
  poll({
    _comment: comment,
    initial_setup: jq(`{polling_state: ${state}}`),
    request: { "!pipe": [{ "!http": { path, params } }, jq(program)] },
    ...more,
  });

/** What `request` gives. */
export const gives = (state: string, iterate = ".more", results = ".items"): string =>
  `{results: ${results}, iterate: ${iterate}, polling_state: ${state}}`;

/** A rule, a config made of one text, the text with which it is right, and one with which it is told. */
export type Variant = readonly [
  title: string,
  rule: string,
  build: (text: string) => Changes,
  right: string,
  wrong: string,
];

/** How often the rule tells of the right one and of the wrong one. */
export const toldOf = (
  [, rule, build, right, wrong]: Variant,
  template: Template = "inbound-polling",
): readonly number[] => [right, wrong].map((text) => findings(rule, template, build(text)).length);
