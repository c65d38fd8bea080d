import { escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import { derived, derivedInPart } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf, savedKeys } from "../../../flow/flow.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { isPlural, mayBeSame, nounOf, nounOfId } from "../../../flow/nouns.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { memberMade } from "../../../flow/protocol/definition-site.ts";
import { nameOfPath, nounOfPath } from "../../../flow/record-kind.ts";
import { resultsOf } from "../../../flow/result.ts";
import { scopesOf } from "../../../flow/saved.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const board = (save: string): string =>
  `{"!pipe": [{"!switch": {"jq": "if \${data.workflow.board_id | default} == \\"\\" then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/boards", "body": {"name": "New"}}}, ${save}]}, {"!jq": "{board_id: \${data.workflow.board_id}}"}]}}, {"!http": {"method": "POST", "path": "/cards", "body": {"board_id": "\${data.workflow.board_id}", "email": "\${piped_content.0.email}"}}}, {"!jq": "{card: .id}"}, {"!http": {"method": "POST", "path": "/cards/\${piped_content.3.card}/open"}}]}`;

const savedAnswer = defineRule<{
  key: string;
  scope: string;
  list: string;
  /** What `update` saves under that key of such an answer. It is left out elsewhere, so that fingerprints of known findings stay. */
  read?: string;
}>({
  id: "state/saved-answer",
  severity: "warning",
  summary: "The whole answer about a new record is saved, but its id is read under another name",
  why: "`!save` stores the members of its input under their own names. In the answers of this API a record has an `id`, so that is what is stored. What is read under a longer name was never saved: reading it fails, or with a default a new record is made each time.",
  guards: ["command.!save", "expansion.data", "D9", "D24"],
  message: ({ key, scope, list, read }) =>
    read === undefined
      ? `This saves the answer of \`${list}\` as it is. Nothing saves \`${key}\`, which \`\${data.${scope}.${key}}\` reads.`
      : `This saves the answer of \`${list}\` as it is. Only \`update\` saves its \`${read}\` as \`${key}\`, which \`\${data.${scope}.${key}}\` reads.`,
  because: ({ key, read }) => [
    read === undefined
      ? "the answers of this API have the id of a record as `id`"
      : `\`update\` has it as \`${read}\` in the answer`,
    `nothing of it is saved as \`${key}\`, which is read`,
  ],
  help: ({ key, read }) =>
    read === undefined
      ? `Put a step before it: \`{"!jq": "{${key}: .id}"}\`.`
      : "Put a step before it that picks what is kept, as in `update`.",
  examples: [
    {
      title: "D24",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: board('{«"!save"»: {"scope": "workflow"}}'),
      good: board('{"!jq": "{board_id: .id}"}, {"!save": {"scope": "workflow"}}'),
    },
    {
      title: "D24: `update` saves it",
      in: "inbound-webhook",
      at: "/data_intake/0/create",
      with: {
        "/data_intake/0/update":
          '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .hook.id}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      },
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {«"!save"»: {"scope": "workflow"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .hook.id}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [savedAnswer],
  checks: {
    // How the API answers is read in all parts.
    reach: "document",
    part(part, report, model) {
      for (const { save, scope, list } of answersSaved(part)) {
        const key = keyLacking(save, scope, list, part, model);
        const isNamed = answersHaveId(model) || answersAreNamed(model);
        if (key !== undefined && isNamed && !isSaidInAnswer(key, save, model))
          report(savedAnswer, save.member.key, { key, scope, list });
        const left = key === undefined ? savedByUpdate(save, scope, part, model) : undefined;
        if (left !== undefined && !isSaidInAnswer(left.key, save, model))
          report(savedAnswer, save.member.key, { ...left, scope, list });
      }
    },
  },
};
export default module;

/** Whether a comment shows a key in what is answered: `POST /boards answers {board_id, name}`. */
export function isSaidInAnswer(key: string, { node }: Command, model: Model): boolean {
  if (!hasComments(model)) return false;
  const named = new RegExp(`(?<![\\w.])${escapedPattern(key)}(?!\\w)`);
  return documentedClauses(node).some(
    ({ text }) =>
      named.test(text) &&
      /\b(?:answers?|responses?|gives?|returns?)\b/.test(text) &&
      !/\b(?:not?|never)\b/.test(text),
  );
}

/** The `!save` commands that get the answer to a request for one more record, and store it in one scope. */
const answersSaved = derivedInPart(({ commands }) =>
  commands.flatMap((save) => {
    const list = save.key === "!save" ? listMade(save) : undefined;
    const [scope, ...others] = list === undefined ? [] : scopesOf(save);
    return list === undefined || scope === undefined || others.length > 0 ? [] : [{ save, scope, list }];
  }),
);

/** The list to which a request adds the record whose whole answer a `!save` gets. */
function listMade(save: Command): string | undefined {
  const { pipe, parent, stepsRun, unit } = save;
  const behind = pipe?.children[stepsRun + 1];
  // In an intake a step behind it that makes something of the answer is told to be late. A request is none: it switches the registration on.
  if (parent !== pipe || (unit?.kind === "intake" && behind !== undefined && behind.key !== "!http"))
    return undefined;
  const before = stepBefore(save);
  const [made, ...others] = before === undefined ? [] : resultsOf(before);
  if (made?.key !== "!http" || others.length > 0) return undefined;
  if (!/^post$/i.test(textOf(made.argument, "method") ?? "")) return undefined;
  const path = (textOf(made.argument, "path") ?? "").split("?")[0] ?? "";
  const name = nameOfPath(path);
  return name !== undefined && path.endsWith(name) ? path : undefined;
}

/** A key that is read as the id of such a record, which no `!save` stores under this name. */
function keyLacking(
  save: Command,
  scope: SaveScope,
  list: string,
  { expansions }: Part,
  model: Model,
): string | undefined {
  const known = savedKeys(model).get(scope);
  const noun = nounOf(nameOfPath(list) ?? "");
  // What the answer has may be known, and another `!save` may store anything.
  if (known === undefined || known.complete || noun === undefined) return undefined;
  const named = new Set([...known.keys.values()].flat());
  if (named.has(save) || known.saves.some((each) => each !== save && !named.has(each))) return undefined;
  const inPath = keysInPath(expansions, scope, noun);
  return expansions
    .map((each) => keyRead(each, scope))
    .find((key) => {
      const saves = key === undefined ? undefined : known.keys.get(key);
      const isLate = saves?.every((each) => isInUpdateOf(each, save)) ?? true;
      if (key === undefined || !isLate || saves?.some((each) => isOwnName(each, key)) === true) return false;
      const asked = nounOfId(key);
      return (asked !== undefined && mayBeSame(asked, noun)) || inPath.has(key);
    });
}

/** Whether a `!save` takes a key from a member of that name: so answers have it. */
function isOwnName(save: Command, key: string): boolean {
  const made = memberMade(stepBefore(save), key);
  return made !== undefined && textAt(made.node, made.program).endsWith(`.${key}`);
}

/**
 * Keys that are read in a path as the id behind the list, and are called as its records: `hook` and `hook_number` of `/hooks/${data.workflow.hook}`,
 * or for short: `ep_id` of `/endpoints/${data.workflow.ep_id}`.
 */
function keysInPath(expansions: readonly Expansion[], scope: SaveScope, noun: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const expansion of expansions) {
    const key = expansion.position === "path" ? keyRead(expansion, scope) : undefined;
    if (key === undefined || expansion.syntax.path.length !== 3) continue;
    const [, list] = /([\w-]+)\/$/.exec(expansion.node.value.slice(0, expansion.syntax.start)) ?? [];
    const named = nounOf(key.replace(/_?(?:number|no|ref|key|code)$/i, ""));
    const isId = /^[a-z]{1,4}_?id$/i.test(key);
    if (list !== undefined && nounOf(list) === noun && (named === noun || isId)) found.add(key);
  }
  return found;
}

/**
 * A key that `delete` or `verification` reads, which `create` doesn't save, though `update` does: from another member of the answer to its own
 * request. So the answer to `create` has no member of that name either.
 */
function savedByUpdate(save: Command, scope: SaveScope, { expansions }: Part, model: Model) {
  const { unit } = save;
  if (unit?.kind !== "intake" || save.place.name !== "intake.create") return undefined;
  const [create, update] = ["create", "update"].map((name) => unit.commands.get(name));
  const known = savedKeys(model).get(scope);
  if (known === undefined || update === undefined || create !== outermostCommand(save)) return undefined;
  if ([...known.keys.values()].some((saves) => saves.includes(save))) return undefined;
  for (const [key, saves] of known.keys) {
    if (saves.some((each) => outermostCommand(each) === create)) continue;
    const other = saves.find((each) => outermostCommand(each) === update);
    const read = other === undefined ? undefined : memberAnswered(other, key);
    const isRead = expansions.some(
      (each) =>
        each.command?.unit === unit &&
        /^intake\.(?:delete|verification)$/.test(each.command.place.name) &&
        keyRead(each, scope) === key,
    );
    if (read !== undefined && isRead) return { key, read };
  }
  return undefined;
}

/** `.hook.id` where a `!save` stores that of an answer under another name. */
function memberAnswered(save: Command, key: string): string | undefined {
  const step = stepBefore(save);
  const made = memberMade(step, key);
  const text = made === undefined ? "" : textAt(made.node, made.program);
  const name = /^(?:\.\w+){0,4}\.(\w+)$/.exec(text)?.[1];
  const before = step === undefined || name === undefined || name === key ? undefined : stepBefore(step);
  const answers = before === undefined ? [] : resultsOf(before);
  const isAnswer = answers.every(
    (each) => each.key === "!http" && /^(?:post|put|patch)$/i.test(textOf(each.argument, "method") ?? ""),
  );
  return isAnswer && answers.length > 0 ? text : undefined;
}

/** Whether one command stands in the `update` of the intake whose `create` has the other: that runs when there is an id already. */
const isInUpdateOf = (command: Command, created: Command): boolean =>
  created.place.name === "intake.create" &&
  command.place.name === "intake.update" &&
  command.unit === created.unit;

const keyRead = ({ root, rootExact, syntax }: Expansion, scope: string): string | undefined =>
  root === "data" && rootExact && syntax.path[1]?.text === scope ? syntax.path[2]?.text : undefined;

/** Whether the `id` of an answer is read somewhere as that, or below the name of the record: `.museum.id` of `GET /museum`. */
const answersHaveId = derived((model): boolean => {
  const flow = flowOf(model);
  return (
    model.programs.some((program) => {
      if (program.diagnostics.length > 0 || !/\.id\b/.test(program.node.value)) return false;
      return nodesOfKind(program, "Postfix").some(
        (node) =>
          /^(?:\.\w+)?\.id$/.test(textAt(node, program)) && trailsOf(flow, program, node).some(isOwnId),
      );
    }) ||
    model.expansions.some(
      (expansion) =>
        expansion.syntax.path.at(-1)?.text === "id" && expansionTrails(flow, expansion).some(isOwnId),
    )
  );
});

/** Whether the answer about a record has it below its name: `.buyer.email` of `GET /buyers/…`. */
const answersAreNamed = derived((model): boolean => {
  const flow = flowOf(model);
  return model.programs.some(
    (program) =>
      program.diagnostics.length === 0 &&
      nodesOfKind(program, "Postfix").some((node) =>
        trailsOf(flow, program, node).some(({ origin }) => {
          const owner = origin.kind === "response" ? origin.path[0] : undefined;
          if (origin.kind !== "response" || owner === undefined || isPlural(owner)) return false;
          const noun = nounOf(owner);
          return noun !== undefined && noun === nounOfPath(textOf(origin.command.argument, "path") ?? "");
        }),
      ),
  );
});

function isOwnId({ origin }: Trail): boolean {
  if (origin.kind !== "response" || origin.path.at(-1) !== "id") return false;
  // A record in a list has it as one alone does.
  const [owner, ...others] = origin.path.slice(0, -1).filter((name) => name !== "[]");
  if (origin.path.at(-2) === "[]" && others.length === 0) return true;
  if (owner === undefined || others.length > 0) return owner === undefined;
  // Some services put each answer below a name of no kind: `{data: {id: …}}`.
  if (owner === "data" || owner === "result") return true;
  const asked = nounOfPath(textOf(origin.command.argument, "path") ?? "");
  return asked !== undefined && nounOf(owner) === asked;
}
