import { groupBy, nearest } from "@configc/jq/internal";
import type { Reference } from "../../../bind/bound-nodes.ts";
import { defineRule, type Finding, type Fix, type FixContext } from "../../../findings/rule.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean, excerpt } from "../../message-text.ts";
import { declaredAuths, declaredIntakes, eligible } from "./declared.ts";

type UnknownName = {
  name: string;
  /** The names that could stand here. */
  known: readonly string[];
  suggestion: string | undefined;
};

const unknownAuth = defineRule<UnknownName>({
  id: "reference/unknown-auth",
  severity: "error",
  summary: "A workflow names an auth entry that isn't declared",
  why: "The `connect` step authorises customers with the auth entry that the workflow names. Without it nobody can connect. Names are case-sensitive.",
  guards: ["workflow.auth", "document.auth", "authentication.1", "D5"],
  message: ({ name, suggestion }) => `There is no auth entry \`${excerpt(name)}\`.${didYouMean(suggestion)}`,
  help: (args) => helpWith(args, "Declare it in top-level `auth`."),
  examples: [
    { in: "inbound-webhook", at: "/workflows/0/auth", bad: '«"acmee"»', good: '"acme"', fixed: '"acme"' },
    {
      title: "D5: letter case counts",
      in: "inbound-webhook",
      at: "/workflows/0/auth",
      bad: '«"Acme"»',
      good: '"acme"',
      fixed: '"acme"',
    },
    {
      title: "its type instead of its name",
      in: "inbound-webhook",
      at: "/workflows/0/auth",
      bad: '«"oauth2"»',
      good: '"acme"',
      fixed: '"acme"',
    },
  ],
  fixes: rename,
});

const unknownIntake = defineRule<UnknownName & { member: string }>({
  id: "reference/unknown-intake",
  severity: "error",
  summary: "A workflow names an intake that isn't declared",
  why: "`data_intake` and `historical_data_intake` name entries of top-level `data_intake`. A workflow whose intake doesn't exist never receives any data. Names are case-sensitive.",
  guards: [
    "workflow.data_intake",
    "workflow.historical_data_intake",
    "document.data_intake",
    "historical.2",
    "D5",
  ],
  message: ({ name, member, suggestion }) =>
    `There is no intake \`${excerpt(name)}\`, which \`${member}\` names.${didYouMean(suggestion)}`,
  help: (args) =>
    helpWith(
      args,
      args.member === "historical_data_intake"
        ? "Declare an intake of type `polling` in top-level `data_intake`."
        : "Declare it in top-level `data_intake`.",
    ),
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_intake",
      bad: '«"submission.craeted"»',
      good: '"submission.created"',
      fixed: '"submission.created"',
    },
    {
      title: "of the historical sync",
      in: "historical-sync",
      at: "/workflows/0/historical_data_intake",
      bad: '«"orders"»',
      good: '"past-orders"',
      fixed: '"past-orders"',
    },
  ],
  fixes: rename,
});

const module: RuleModule = {
  rules: [unknownAuth, unknownIntake],
  checks: {
    document(model, report) {
      const { workflows } = model;
      for (const [first, ...others] of undeclared(workflows.map(({ auth }) => auth))) {
        const known = declaredAuths(model);
        if (known === undefined) break;
        report(unknownAuth, first.node, argsOf(first, known), alsoHere(others));
      }
      // An intake of an outbound workflow has no effect, whatever it names (`workflow/inbound-only`).
      const readers = workflows.filter(({ direction }) => direction !== "outbound");
      const references = readers.flatMap(({ intake, historicalIntake }) => [intake, historicalIntake]);
      for (const [first, ...others] of undeclared(references)) {
        const intakes = declaredIntakes(model);
        if (intakes === undefined) break;
        const args = { ...argsOf(first, eligible(first, intakes)), member: first.member };
        report(unknownIntake, first.node, args, alsoHere(others));
      }
    },
  },
};
export default module;

type Some<T> = readonly [T, ...T[]];

/** The references without a declaration, grouped by name: repeated uses of one undeclared name are one finding. */
function undeclared<S>(references: readonly (Reference<S> | undefined)[]): readonly Some<Reference<S>>[] {
  const found = references
    .filter((each) => each !== undefined)
    .filter((each) => !each.exact && each.node.valid);
  return [...groupBy(found, ({ name }) => name).values()];
}

function argsOf<S>({ name }: Reference<S>, known: readonly string[]): UnknownName {
  return { name, known, suggestion: nearest(name, known) };
}

function alsoHere<S>(others: readonly Reference<S>[]) {
  return others.map(({ node }) => ({ message: "also named here", at: node }));
}

function helpWith({ known }: UnknownName, otherwise: string): string {
  return known.length === 0 ? otherwise : `Declared: ${allNames(known)}.`;
}

/** To the nearest name, or to the only one that there is; in all places. */
function rename({ at, args, related }: Finding<UnknownName>, { document }: FixContext): readonly Fix[] {
  const { suggestion, known } = args;
  const name = suggestion ?? (known.length === 1 ? known[0] : undefined);
  if (name === undefined) return [];
  const places = [at, ...related.map((other) => other.at)];
  const edits = places.map((place) => ({ ...spanOf(document, place), newText: JSON.stringify(name) }));
  return [{ title: `Change to \`${name}\``, safe: suggestion !== undefined, edits }];
}
