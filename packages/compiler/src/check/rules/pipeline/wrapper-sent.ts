import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { emptinessBy } from "../../../flow/emptiness.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { bare } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { valueReadersOf } from "../../../flow/protocol/value-readers.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { type SentBody, sentBodies } from "./unbuilt-body.ts";

const looked = (body: string): string =>
  `{"!pipe": [{"!http": {"path": "/people", "params": {"email": "\${piped_content.0.email}"}}}, {"!jq": "{id: .people[0].id, person: \${piped_content.0}}"}, {"!switch": {"jq": "if .id == null then 0 else 1 end", "cases": [{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": "${body}"}}, {"!jq": "{id: .id}"}]}, {"!jq": "{id: .id}"}]}}, {"!http": {"method": "POST", "path": "/lists/\${custom_data.list.value}/people", "body": {"id": "\${piped_content.3.id}"}}}]}`;

const wrapperSent = defineRule<{ sent: string; member: string; empty: string; instead: string }>({
  id: "pipeline/wrapper-sent",
  severity: "warning",
  summary: "A new record is made of the object that a step has put the record into",
  why: "A step puts what was mapped beside the id that a lookup gave, for the `!switch` behind it. In the case for nobody found, the id is null, and the record stands one level too deep: the service finds neither its email nor its name.",
  guards: ["expansion.piped_content", "command.!switch", "command.!http", "D14"],
  message: ({ sent, member, empty }) =>
    `\`${sent}\` has the record in its \`${member}\`, which nothing reads, and a \`${empty}\` that is empty in this case.`,
  because: ({ member, empty }) => [
    `this case runs where there is no \`${empty}\``,
    `the record is sent below \`${member}\``,
  ],
  help: ({ instead }) => `Send \`${instead}\`.`,
  fixes: ({ at, args }, { document }) => rewriteTo({ at, args }, document),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: looked("«${piped_content.0}»"),
      good: looked("${piped_content.0.person}"),
      fixed: looked("${piped_content.0.person}"),
    },
  ],
});

const module: RuleModule = {
  rules: [wrapperSent],
  checks: {
    part(part, report, model) {
      for (const sent of sentBodies(part, model)) {
        const found = wrapped(sent, part, model);
        if (found === undefined) continue;
        const { node, syntax } = sent.expansion;
        const text = syntax.path.map((each) => each.text).join(".");
        const [open, close] = [node.value.slice(0, 2), node.value.slice(-1)];
        const instead = `${open}${text}.${found.member}${close}`;
        report(wrapperSent, { node, from: syntax.start, to: syntax.end }, { sent: text, ...found, instead });
      }
    },
  },
};
export default module;

/** The member with the whole record, and the one without which the case runs, of an object that a step makes of nothing else. */
function wrapped(
  { expansion, around, slot, step, below, isNew }: SentBody,
  part: Part,
  model: Model,
): { readonly member: string; readonly empty: string } | undefined {
  if (!isNew || slot !== "body" || below.length > 0 || step?.key !== "!jq") return undefined;
  const { program } = step;
  const object = program === undefined || program.diagnostics.length > 0 ? undefined : finalObject(program);
  const members = object === undefined ? undefined : literalMembers(object);
  if (program === undefined || members === undefined || members.size !== 2) return undefined;
  const [member, ...more] = [...members].flatMap(([name, value]) =>
    value !== undefined && isWholeRecord(value, program) ? [name] : [],
  );
  if (member === undefined || more.length > 0) return undefined;
  const empty = emptyWhere(around, expansion.command!);
  if (empty === undefined || empty === member || !members.has(empty)) return undefined;
  return valueReadersOf(part, model).of(step).members.has(member) ? undefined : { member, empty };
}

/** `.`, or `${piped_content.0}` */
function isWholeRecord(value: Parameters<typeof bare>[0], { holes }: JqProgram): boolean {
  const node = bare(value);
  const hole = node.kind === "Hole" ? holes[node.hole] : undefined;
  return hole?.root === "piped_content" && hole.syntax.path.length === 2 && hole.syntax.filters.length === 0;
}

/** The member of a `!switch`'s input that is empty where the case of a command runs. */
function emptyWhere({ program, children }: Command, command: Command): string | undefined {
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  const body = plainBody(program);
  const [branch, ...others] = body.kind === "If" ? body.branches : [];
  if (body.kind !== "If" || branch === undefined || others.length > 0 || body.otherwise === undefined)
    return undefined;
  for (const isTrue of [true, false]) {
    const own = children[Number(constantOf(isTrue ? branch.body : body.otherwise))];
    if (own === undefined || (own !== command && own !== command.parent)) continue;
    const [found, ...more] = emptinessBy(branch.condition, isTrue, program);
    const [root, name, ...deeper] = found?.path ?? [];
    if (more.length === 0 && found?.isEmpty === true && root === "." && deeper.length === 0) return name;
  }
  return undefined;
}
