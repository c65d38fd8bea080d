import { nearest } from "@configc/jq";
import type { AuthSymbol, IntakeSymbol, Model, Reference } from "../../../bind/model.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule, type Finding, type Fix, type FixContext } from "../../rule.ts";
import { didYouMean, oneOfNames } from "../../words.ts";

type UnknownName = { name: string; known: readonly string[]; suggestion: string | undefined };

const unknownAuth = defineRule<UnknownName>({
  id: "reference/unknown-auth",
  severity: "error",
  summary: "A workflow names an auth entry that isn't declared",
  why: "The `connect` step authorises customers by the auth entry that the workflow names. Without it nobody can connect.",
  guards: ["workflow.auth", "authentication.1", "D5"],
  message: ({ name, suggestion }) => `There is no auth entry \`${name}\`.${didYouMean(suggestion)}`,
  help: ({ known }) =>
    known.length === 0 ? "Declare it in top-level `auth`." : `Declared are ${oneOfNames(known)}.`,
  examples: [
    { in: "inbound-webhook", at: "/workflows/0/auth", bad: '«"acmee"»', good: '"acme"', fixed: '"acme"' },
    {
      title: "letter case counts",
      in: "inbound-webhook",
      at: "/workflows/0/auth",
      bad: '«"Acme"»',
      good: '"acme"',
      fixed: '"acme"',
    },
  ],
  fixes: changeToNearest,
});

const unknownIntake = defineRule<UnknownName & { member: string }>({
  id: "reference/unknown-intake",
  severity: "error",
  summary: "A workflow names an intake that isn't declared",
  why: "`data_intake` and `historical_data_intake` name entries of top-level `data_intake`. A workflow whose intake doesn't exist never receives any data.",
  guards: ["workflow.data_intake", "workflow.historical_data_intake", "historical.2", "D5"],
  message: ({ name, member, suggestion }) =>
    `\`${member}\` names the intake \`${name}\`, which isn't declared.${didYouMean(suggestion)}`,
  help: ({ known }) =>
    known.length === 0 ? "Declare it in top-level `data_intake`." : `Declared are ${oneOfNames(known)}.`,
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
    },
  ],
  fixes: changeToNearest,
});

const module: RuleModule = {
  rules: [unknownAuth, unknownIntake],
  checks: {
    document(model, report) {
      const auths = model.workflows.flatMap(({ auth }) => auth ?? []);
      for (const [first, ...others] of unknown<AuthSymbol>(auths)) {
        report(unknownAuth, first.node, argsOf(first, names(model.auths)), alsoHere(others));
      }
      const intakes = model.workflows.flatMap(({ intake, historicalIntake }) =>
        [intake ?? [], historicalIntake ?? []].flat(),
      );
      for (const [first, ...others] of unknown<IntakeSymbol>(intakes)) {
        const args = { ...argsOf(first, names(model.intakes)), member: first.member };
        report(unknownIntake, first.node, args, alsoHere(others));
      }
    },
  },
};
export default module;

type Some<T> = readonly [T, ...T[]];

/** The references without a declaration, grouped by name: repeated uses of one undeclared name are one finding. */
function unknown<S>(references: readonly Reference<S>[]): readonly Some<Reference<S>>[] {
  const byName = new Map<string, [Reference<S>, ...Reference<S>[]]>();
  for (const reference of references) {
    // An empty name is reported as such.
    if (reference.exact || reference.name === "" || !reference.node.valid) continue;
    const same = byName.get(reference.name);
    if (same === undefined) byName.set(reference.name, [reference]);
    else same.push(reference);
  }
  return [...byName.values()];
}

function argsOf<S>({ name }: Reference<S>, known: readonly string[]): UnknownName {
  return { name, known, suggestion: nearest(name, known) };
}

function alsoHere<S>(others: readonly Reference<S>[]) {
  return others.map(({ node }) => ({ message: "also named here", at: node }));
}

function names(symbols: Model["auths"] | Model["intakes"]): readonly string[] {
  return symbols.flatMap(({ name }) => name ?? []);
}

function changeToNearest(
  { at, args, related }: Finding<UnknownName>,
  { document }: FixContext,
): readonly Fix[] {
  const { suggestion } = args;
  if (suggestion === undefined) return [];
  const places = [at, ...related.map((other) => other.at)];
  const edits = places.map((place) => ({ ...spanOf(document, place), newText: JSON.stringify(suggestion) }));
  return [{ title: `Change to \`${suggestion}\``, safe: true, edits }];
}
