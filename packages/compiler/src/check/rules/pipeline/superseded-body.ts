import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const supersededBody = defineRule<{ read: string; later: string; step: number }>({
  id: "pipeline/superseded-body",
  severity: "warning",
  summary: "One request sends what a step completes, and another one sends it incomplete",
  why: "A step adds what the customer chose to a record. A request that takes the record from before leaves all that out, without an error, for those who come this way.",
  guards: ["expansion.piped_content", "data_pipeline.target", "D14"],
  message: ({ read, later, step }) =>
    `\`${read}\` lacks what step ${step} adds to it. Another request of this pipe sends \`${later}\`.`,
  because: ({ read, later, step }) => [
    `step ${step} makes \`${later}\` of \`${read}\``,
    `this request sends \`${read}\`: what step ${step} adds is left out`,
  ],
  help: ({ later }) => `Send \`\${${later}}\`.`,
  fixes: ({ at, args: { later } }, { document }) => rewriteTo({ at, args: { instead: later } }, document),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{email: .email}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.1.email}"}}}, {"!jq": "${piped_content.1} + {list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if (${piped_content.2.people} | length) > 0 then 0 else 1 end", "cases": [{"!http": {"method": "PATCH", "path": "/people/${piped_content.2.people[0].id}", "body": "${«piped_content.1»}"}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.3}"}}]}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.1.email}"}}}, {"!jq": "${piped_content.1} + {list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if (${piped_content.2.people} | length) > 0 then 0 else 1 end", "cases": [{"!http": {"method": "PATCH", "path": "/people/${piped_content.2.people[0].id}", "body": "${piped_content.3}"}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.3}"}}]}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email}"}, {"!http": {"path": "/people", "params": {"email": "${piped_content.1.email}"}}}, {"!jq": "${piped_content.1} + {list: ${custom_data.list.value}}"}, {"!switch": {"jq": "if (${piped_content.2.people} | length) > 0 then 0 else 1 end", "cases": [{"!http": {"method": "PATCH", "path": "/people/${piped_content.2.people[0].id}", "body": "${piped_content.3}"}}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.3}"}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [supersededBody],
  checks: {
    part({ expansions }, report) {
      const bodies = expansions.filter(isWholeBody);
      if (bodies.length < 2) return;
      for (const body of bodies) {
        const read = stepRead(body);
        // What comes in is told as the value that isn't converted.
        if (!(read > 0)) continue;
        const pipe = body.command?.pipe;
        const later = pipe?.children.findIndex(
          (step, at) =>
            at + 1 > read &&
            at < body.command!.stepsRun &&
            step?.program !== undefined &&
            completes(step.program, read),
        );
        if (pipe === undefined || later === undefined || later < 0) continue;
        const step = later + 1;
        if (!bodies.some((other) => other.command?.pipe === pipe && stepRead(other) === step)) continue;
        const [first, last] = [body.syntax.path[0]!, body.syntax.path.at(-1)!];
        const at = { node: body.node, from: first.start, to: last.end };
        report(supersededBody, at, { read: `piped_content.${read}`, later: `piped_content.${step}`, step });
      }
    },
  },
};
export default module;

/** `"body": "${piped_content.3}"` */
const isWholeBody = ({ root, command, node, syntax }: Expansion): boolean =>
  root === "piped_content" &&
  command?.key === "!http" &&
  syntax.path.length === 2 &&
  syntax.start === 0 &&
  syntax.end === node.value.length &&
  node.parent?.kind === "member" &&
  node.parent.name === "body";

const stepRead = ({ syntax }: Pick<Expansion, "syntax">): number => Number(syntax.path[1]?.text);

/** `${piped_content.1} + {…}`, and `. + {…}` where step 1 comes just before. */
function completes(program: JqProgram, step: number): boolean {
  const body = plainBody(program);
  if (body.kind !== "Arithmetic" || body.rest.some(({ operator }) => operator !== "+")) return false;
  const first = bare(body.first);
  if (!body.rest.every(({ operand }) => bare(operand).kind === "Object")) return false;
  if (first.kind === "Identity") return program.command.stepsRun === step;
  const hole = first.kind === "Hole" ? program.holes[first.hole] : undefined;
  return (
    hole?.root === "piped_content" && hole.syntax.path.length === 2 && stepRead(hole as Expansion) === step
  );
}
