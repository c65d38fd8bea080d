import { type App, compile } from "@configc/compiler";
import {
  type AgainstReport,
  type Cause,
  knownApi,
  type PartReport,
  type Report,
  withKnown,
} from "@configc/simulate";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { readPublished } from "../files/published.ts";
import type { LoadedConfig } from "../run/config.ts";
import { styleOf } from "../terminal/style.ts";
import type { KnownConfig } from "./compile-known.ts";
import { failureLines } from "./pretty.ts";

/** @throws UsageError where the old version can't be compared with */
export function oldVersion(from: string, { file, settings, samples }: KnownConfig): App {
  const { name, content } = readPublished(from, file, "simulate");
  const { app, model } = compile(content, { uri: name, settings, samples });
  if (app.workflows.length === 0)
    throw new UsageError(`${name} has no workflow, so there is nothing to compare with.`, "simulate");
  return withKnown(app, knownApi(model));
}

/** What customers would suffer by the new version: only this fails. */
export function isWorse({ parts }: AgainstReport): boolean {
  return parts.some(({ findings }) => findings.some(({ cause }) => isNew(cause)));
}

function isNew(cause: Cause): boolean {
  return cause === "new" || cause === "hand-over";
}

/** What the new version does worse, as a report of it alone: for the formats of `check`. */
export function asReport({ parts }: AgainstReport): Report {
  return {
    version: 1,
    parts: parts.map(
      ({ workflow, worlds, findings, notTried }): PartReport => ({
        kind: "polling",
        workflow,
        intake: undefined,
        untried: undefined,
        roles: [],
        assumptions: [],
        notTried,
        worlds,
        cycles: 0,
        requests: 0,
        again: 0,
        arrived: 0,
        hypotheses: [],
        laws: [],
        failures: findings.flatMap(({ cause, failure }) => (isNew(cause) ? [failure] : [])),
      }),
    ),
  };
}

const titles: readonly (readonly [Cause, string])[] = [
  ["new", "Broken by the new version only:"],
  ["hand-over", "Broken where the new version goes on with what the old one kept, and by neither alone:"],
  ["both", "Broken by both versions:"],
  ["old", "Broken by the old version, and mended:"],
];

/** The comparison for a person. */
export function prettyAgainst({ parts }: AgainstReport, loaded: LoadedConfig, colour: boolean): string {
  const style = styleOf(colour);
  const lines = parts.flatMap(({ workflow, worlds, findings, notTried }) => [
    style.bold(workflow),
    ...titles.flatMap(([cause, title]) => {
      const found = findings.filter((each) => each.cause === cause);
      if (found.length === 0) return [];
      // What is mended, or was so before, needs no story.
      if (!isNew(cause))
        return ["", `  ${title}`, ...found.map(({ failure }) => `    ${failure.law}: ${failure.message}`)];
      return [
        "",
        `  ${title}`,
        ...found.flatMap(({ failure }) => ["", ...failureLines(failure, loaded, style)]),
      ];
    }),
    ...(findings.length === 0 ? ["  No law broke, in either version or between them."] : []),
    "",
    `  Tried: ${plural(worlds, "world")}.`,
    ...(notTried.length === 0 ? [] : [`  Not tried: ${notTried.join("; ")}.`]),
    "",
  ]);
  const worse = parts.reduce(
    (sum, { findings }) => sum + findings.filter(({ cause }) => isNew(cause)).length,
    0,
  );
  const summary =
    parts.length === 0
      ? "No workflow is in both versions, so nothing was compared."
      : worse === 0
        ? "The new version breaks nothing in what was tried that the old one didn't."
        : `${plural(worse, "way")} found in which the new version is worse.`;
  return `${[...lines, (worse === 0 ? style.green : style.red)(summary)].join("\n")}\n`;
}
