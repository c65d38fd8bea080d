import type { Command } from "../../../bind/bound-nodes.ts";
import { derivedInPart } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { nounOfId } from "../../../flow/nouns.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { resultsOf } from "../../../flow/result.ts";
import { scopesOf } from "../../../flow/saved.ts";
import { madeBy } from "../../../flow/step-members.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { isSaidInAnswer } from "./saved-answer.ts";

const created = (first: string): string =>
  `{"!switch": {"jq": "if \${custom_data.form.value} == \\"all\\" then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}", "events": ["a"]}}}, ${first}{"!save": {"scope": "workflow"}}]}, {"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}", "events": ["b"]}}}, {"!jq": "{hook_id: .hook.id}"}, {"!save": {"scope": "workflow"}}]}]}}`;

const savedEnvelope = defineRule<{ key: string; scope: string; inside: string; isSaid: boolean }>({
  id: "state/saved-envelope",
  severity: "warning",
  summary: "A whole answer is saved, but what is read stands inside one of its members",
  why: "`!save` stores the members of its input under their own names. Of `{hook: {id, …}}` that is `hook` alone: what is read under another name was never saved, so a registration can't be changed or removed, and no delivery is accepted.",
  guards: ["command.!save", "expansion.data", "D9", "D24"],
  message: ({ key, scope, inside, isSaid }) =>
    isSaid
      ? `This saves the answer as it is. A comment shows that it has \`${inside}\`, and nothing saves \`${key}\`, which \`\${data.${scope}.${key}}\` reads.`
      : `This saves the answer as it is. In the other case \`${key}\` is taken from \`${inside}\` of the same answer, and here nothing saves it.`,
  because: ({ key, inside }) => [
    `the answer has \`${inside}\``,
    `nothing of it is saved as \`${key}\`, which is read`,
  ],
  help: ({ key }) => `Put a step before it that makes \`{${key}: …}\` of the answer.`,
  examples: [
    {
      title: "In one case only",
      in: "inbound-webhook",
      at: "/data_intake/0/create",
      bad: created("").replace('"!save"', '«"!save"»'),
      good: created('{"!jq": "{hook_id: .hook.id}"}, '),
    },
    {
      title: "Said by a comment",
      in: "inbound-webhook",
      at: "/data_intake/0/create",
      with: {
        "/data_intake/0/delete":
          '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.registration}"}}',
        "/data_intake/0/update": undefined,
      },
      bad: '{"_comment": "Answers {hook: {id, token}}.", "!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {«"!save"»: {"scope": "workflow"}}]}',
      good: '{"_comment": "Answers {hook: {id, token}}.", "!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{registration: .hook.id}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [savedEnvelope],
  checks: {
    // What other parts save counts.
    reach: "document",
    part(part, report, model) {
      for (const { save, scope, requests } of answersSaved(part)) {
        const read = keysRead(part, scope);
        if (read.size === 0) continue;
        const beside = takenBeside(save, requests, read, part);
        if (beside !== undefined) {
          const { key, inside, other } = beside;
          report(savedEnvelope, save.member.key, { key, scope, inside, isSaid: false }, [
            { message: "the other case", at: other.member.key },
          ]);
          continue;
        }
        const said = hasComments(model) ? onlyMember(requests) : undefined;
        // The id of what one request made is told by the names alone (`state/saved-answer`).
        const others = requests.length > 1 ? read : [...read].filter((name) => nounOfId(name) === undefined);
        const key = said === undefined ? undefined : keyLacking(save, scope, said.name, others, model);
        if (said === undefined || key === undefined || isSaidInAnswer(key, save, model)) continue;
        report(savedEnvelope, save.member.key, { key, scope, inside: said.name, isSaid: true }, [
          { message: "the comment", at: said.comment },
        ]);
      }
    },
  },
};
export default module;

/** The `!save` commands that get an answer as it is, with the requests that give it. */
const answersSaved = derivedInPart(({ commands }) =>
  commands.flatMap((save) => {
    const before = save.key === "!save" ? stepBefore(save) : undefined;
    const requests = before === undefined ? [] : resultsOf(before);
    const [scope, ...others] = requests.length === 0 ? [] : scopesOf(save);
    const areWrites = requests.every(
      ({ key, argument }) =>
        key === "!http" && /^(?:post|put|patch)$/i.test(textOf(argument, "method") ?? ""),
    );
    return areWrites && scope !== undefined && others.length === 0 ? [{ save, scope, requests }] : [];
  }),
);

/** The keys of a scope that expansions of a part read. */
function keysRead({ expansions }: Part, scope: SaveScope): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { root, rootExact, syntax } of expansions)
    if (root === "data" && rootExact && syntax.path[1]?.text === scope && syntax.path[2] !== undefined)
      found.add(syntax.path[2].text);
  return found;
}

/** A key that another case of the same `!switch` takes from inside the answer to the same request. */
function takenBeside(save: Command, requests: readonly Command[], read: ReadonlySet<string>, part: Part) {
  const [request, ...others] = requests;
  if (request === undefined || others.length > 0) return undefined;
  for (const other of part.commands) {
    if (other.key !== "!save" || other === save || !isOtherCase(save, other)) continue;
    const step = stepBefore(other);
    const [way, ...more] = (step?.key === "!jq" ? madeBy(step) : undefined) ?? [];
    const from = step === undefined ? undefined : stepBefore(step);
    if (way === undefined || more.length > 0 || from?.key !== "!http" || !areAlike(from, request)) continue;
    for (const { name, entry, program } of way) {
      const value = entry.value === undefined ? undefined : bare(entry.value);
      const text = value?.kind === "Postfix" ? textAt(value, program) : "";
      if (read.has(name) && /^\.\w+\.\w+(?:\.\w+)*$/.test(text) && !text.startsWith(`.${name}.`))
        return { key: name, inside: text, other };
    }
  }
  return undefined;
}

const areAlike = (one: Command, other: Command): boolean =>
  ["method", "path"].every((name) => {
    const text = textOf(one.argument, name);
    return text !== undefined && text === textOf(other.argument, name);
  });

/** Whether two commands are in different cases of one `!switch`. */
function isOtherCase(one: Command, other: Command): boolean {
  const above = new Map<Command, Command>();
  for (let at = one; at.parent !== undefined; at = at.parent) above.set(at.parent, at);
  for (let at = other; at.parent !== undefined; at = at.parent) {
    const own = above.get(at.parent);
    if (own !== undefined) return at.parent.key === "!switch" && own !== at;
  }
  return false;
}

/** A key that is read and that no `!save` of the scope stores, where all others show what they store. */
function keyLacking(
  save: Command,
  scope: SaveScope,
  member: string,
  read: Iterable<string>,
  model: Model,
): string | undefined {
  const known = savedKeys(model).get(scope);
  if (known === undefined) return undefined;
  const named = new Set([...known.keys.values()].flat());
  if (named.has(save) || known.saves.some((each) => each !== save && !named.has(each))) return undefined;
  return [...read].find((key) => key !== member && !known.keys.has(key));
}

/** The one member that an answer has, by a comment around each of the requests: `POST and PATCH both answer {hook: {id, token, ...}}`. */
function onlyMember(
  requests: readonly Command[],
): { readonly name: string; readonly comment: StringNode } | undefined {
  const found = requests.map((request) =>
    documentedClauses(request.node).flatMap(({ text, comment }) => {
      const method = textOf(request.argument, "method")?.toUpperCase() ?? "";
      const name = answered.exec(text)?.[1];
      // What is said of another method isn't said of this one.
      const others: readonly string[] = text.match(/\b(?:GET|POST|PUT|PATCH|DELETE)\b/g) ?? [];
      const isOther = others.length > 0 && !others.includes(method);
      return name === undefined || isOther ? [] : [{ name, comment }];
    }),
  );
  const [first] = found[0] ?? [];
  return first !== undefined &&
    found.every((each) => each.length > 0 && each.every(({ name }) => name === first.name))
    ? first
    : undefined;
}

const answered =
  /\b(?:answers?|gives?|returns?|responds?|answered)(?: \w+){0,2}:? \{ ?["'`]?(\w+)["'`]?: ?\{[^{}]{0,200}\} ?\}/i;
