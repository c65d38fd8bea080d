import { escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { saysAround } from "../../../flow/said/of-name.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const staleVersion = defineRule<{ read: string; name: string; method: string; path: string }>({
  id: "value/stale-version",
  severity: "warning",
  summary: "A version is read from a record as it was before a step changed it",
  why: "Each change of a record gives it a new revision. A request that names the one from before the change is refused as outdated, or it acts on the record as it was: the change isn't in what is sent.",
  guards: ["command.!pipe", "expansion.piped_content", "D14"],
  message: ({ read, name, method, path }) =>
    `\`${read}\` was read before \`${method} ${path}\` changed the record, which has another \`${name}\` since.`,
  because: ({ name, method }) => [
    `the record has \`${name}\` 4 when it is read`,
    `\`${method}\` changes it: now it has 5, and this sends 4`,
  ],
  help: ({ name }) => `Take \`${name}\` from the answer to the change, or read the record again.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/offers/latest", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/offers/${piped_content.1.id}", "body": {"days": 14}}}, {"!http": {"method": "POST", "path": "/offers/${piped_content.2.id}/send", "body": {"revision": "${«piped_content.1.revision»}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/offers/latest", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/offers/${piped_content.1.id}", "body": {"days": 14}}}, {"!http": {"method": "POST", "path": "/offers/${piped_content.2.id}/send", "body": {"revision": "${piped_content.2.revision}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [staleVersion],
  checks: {
    // A comment may say what makes no new version.
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, rootExact, syntax, node, command } = expansion;
      if (root !== "piped_content" || !rootExact || command?.pipe === undefined) return;
      const [first, index] = syntax.path;
      const last = syntax.path.at(-1);
      if (first === undefined || index === undefined || last === undefined || syntax.path.length < 3) return;
      if (!version.test(last.text) || syntax.problem !== undefined) return;
      const record = syntax.path.slice(0, -1).map(({ text }) => text);
      const step = Number(index.text);
      const change = stepsBetween(command, step).find((each) => changes(each, record.join(".")));
      if (change === undefined || !isAboutIt(expansion, change)) return;
      // Who sends both compares them.
      const body =
        command.key === "!http" ? model.document.text.slice(command.node.start, command.node.end) : "";
      const both = new RegExp(`piped_content\\.(\\d+)\\.[\\w.]*${escapedPattern(last.text)}\\b`, "g");
      if ([...body.matchAll(both)].some(([, other]) => Number(other) > step)) return;
      const stays = new RegExp(
        `(?:\\b(?:not|never|no|same)\\b|n't)[^.;]{0,40}\\b${escapedPattern(last.text)}s?\\b`,
        "i",
      );
      if (saysAround(stays, command, model)) return;
      report(
        staleVersion,
        { node, from: first.start, to: last.end },
        {
          read: syntax.path.map(({ text }) => text).join("."),
          name: last.text,
          method: (textOf(change.argument, "method") ?? "").toUpperCase(),
          path: textOf(change.argument, "path") ?? "",
        },
        [{ message: "changed here", at: change.member.key }],
      );
    },
  },
};
export default module;

/** What counts the changes of a record. */
const version =
  /^(?:revision|rev|_rev|version|etag|_etag)$|_(?:revision|version|etag)$|[a-z](?:Revision|Version|Etag|ETag)$/;

/** Requests of the steps behind one and before another. */
const stepsBetween = ({ pipe, stepsRun }: Command, step: number): readonly Command[] =>
  (pipe?.children ?? [])
    .slice(step, stepsRun)
    .flatMap((each) => (each === undefined ? [] : (allIn(each) ?? [])))
    .filter(({ key }) => key === "!http");

/** Whether a request changes the record that stands at a path of the step's output. */
function changes({ argument }: Command, record: string): boolean {
  if (!/^(?:patch|put)$/i.test(textOf(argument, "method") ?? "")) return false;
  const path = (textOf(argument, "path") ?? "").split("?")[0]!;
  const [, read] = /\/\$[{<]([\w.-]+)[^}>]*[}>]$/.exec(path) ?? [];
  return read !== undefined && read.slice(0, read.lastIndexOf(".")) === record;
}

/** Whether what has the version is sent to the same records' addresses: `/quotes/ID` and `/quotes/ID/send`. */
function isAboutIt({ command }: Expansion, change: Command): boolean {
  const all = command?.key === "!http" ? [command] : (command?.pipe?.children ?? []).slice(command?.stepsRun);
  const list = listOf(change);
  return all.some((each) => each?.key === "!http" && list !== undefined && listOf(each) === list);
}

/** What stands before the first value in a path. */
const listOf = ({ argument }: Command): string | undefined =>
  /^([^$?]*)\$[{<]/.exec(textOf(argument, "path") ?? "")?.[1];
