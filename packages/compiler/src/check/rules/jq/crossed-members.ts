import type { Expression } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName, isSecretName } from "../../../flow/id-names.ts";
import { literalMembers } from "../../../flow/literal-object.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { boundName, wordsOf } from "../../../flow/protocol/bound-names.ts";
import type { Location } from "../../../parse/document.ts";
import { parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";

const crossedMembers = defineRule<{ first: string; second: string }>({
  id: "jq/crossed-members",
  severity: "warning",
  summary: "Two members look swapped",
  why: "Each of the two members is read from a member with the other's name. Nothing fails, but every record gets a name where the address belongs, or a window that begins where it ends.",
  guards: ["D23", "D17"],
  message: ({ first, second }) =>
    `\`${first}\` gets what belongs to \`${second}\`, and \`${second}\` what belongs to \`${first}\`.`,
  because: ({ first, second }) => [
    `\`${first}\` is read from a member that is called as \`${second}\` is`,
    `\`${second}\` is read from a member that is called as \`${first}\` is`,
  ],
  help: () => "Swap them.",
  examples: [
    {
      title: "In a program",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "«{email: .email, first_name: .last_name, last_name: .first_name}»"}',
      good: '{"!jq": "{email: .email, first_name: .first_name, last_name: .last_name}"}',
    },
    {
      title: "In a request",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name", "required": true}]',
      },
      bad: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": «{"email": "${piped_content.0.name}", "name": "${piped_content.0.email}"}»}}',
      good: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "name": "${piped_content.0.name}"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [crossedMembers],
  checks: {
    program(program, report) {
      for (const node of nodesOfKind(program, "Object")) {
        if (node.entries.length < 2) continue;
        const named = [...(literalMembers(node) ?? [])].flatMap(([name, value]) => {
          const from = value === undefined ? undefined : readName(value, program);
          return from === undefined ? [] : [[name, from] as const];
        });
        tell(named, { node: program.node, from: node.start, to: node.end });
      }
      function tell(named: readonly Named[], at: Location): void {
        const crossed = crossedIn(named);
        if (crossed !== undefined) report(crossedMembers, at, crossed);
      }
    },
    command: {
      "!http"({ argument }, report) {
        for (const part of ["params", "body"]) {
          const values = argument?.kind === "object" ? argument.get(part) : undefined;
          if (values?.kind !== "object") continue;
          const named = values.members.flatMap(({ name, value }) => {
            const from = value?.kind === "string" ? lastOf(value.value) : undefined;
            return from === undefined ? [] : [[name, from] as const];
          });
          const crossed = crossedIn(named);
          if (crossed !== undefined) report(crossedMembers, values, crossed);
        }
      },
    },
  },
};
export default module;

/** The name of a member, and that of what it is given. */
type Named = readonly [string, string];

/** Names that are exchanged on purpose: an answer goes to whom the message came from. */
const directions =
  /^(?:from|to|sender|recipient|source|target|old|new|previous|current|origin|destination|display|value)$/i;

function crossedIn(named: readonly Named[]): { readonly first: string; readonly second: string } | undefined {
  const pairs = named.length < 2 ? [] : named.filter(([name]) => !directions.test(name)).map(pairOf);
  for (const [index, first] of pairs.entries())
    for (const second of pairs.slice(index + 1)) {
      if (areKeysOfIds(first, second)) return { first: first.to.name, second: second.to.name };
      if (!areEnds(first, second) && !(areSame(first.to, second.from) && areSame(second.to, first.from)))
        continue;
      if (!areSame(first.to, first.from) && !areSame(second.to, second.from))
        return { first: first.to.name, second: second.to.name };
    }
  return undefined;
}

/** A name as it is compared with others. */
interface Compared {
  readonly name: string;
  /** Its words, with a space before each. */
  readonly words: string;
}

interface Pair {
  readonly to: Compared;
  readonly from: Compared;
}

function pairOf([name, from]: Named): Pair {
  return { to: compared(name), from: compared(from) };
}

function compared(name: string): Compared {
  return { name, words: ` ${wordsOf(name).join(" ")}` };
}

/** Whether two names are the same, or one ends with the other: `hook_id` and `id`. */
function areSame(a: Compared, b: Compared): boolean {
  return a.words.endsWith(b.words) || b.words.endsWith(a.words);
}

/** Whether the start of a window is given its end, and its end the start. */
function areEnds(first: Pair, second: Pair): boolean {
  const [a, c] = [boundName(first.to.name)?.end, boundName(second.to.name)?.end];
  if (a === undefined || c === undefined || a === c) return false;
  return boundName(first.from.name)?.end === c && boundName(second.from.name)?.end === a;
}

/** Whether an id is given a secret, and the secret an id. */
function areKeysOfIds(first: Pair, second: Pair): boolean {
  const roles = [first.to, first.from, second.to, second.from].map(({ name }) =>
    isIdName(name) ? "id" : isSecretName(name) ? "secret" : undefined,
  );
  const [a, b, c, d] = roles;
  return a !== undefined && c !== undefined && a !== c && b === c && d === a;
}

/** The name that a plain path ends with. */
function readName(node: Expression, { holes }: JqProgram): string | undefined {
  switch (node.kind) {
    case "Group":
      return readName(node.body, { holes } as JqProgram);
    case "Hole":
      return holes[node.hole]?.syntax.path.at(-1)?.text;
    case "Postfix": {
      const last = node.suffixes.at(-1);
      return last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
    }
    default:
      return undefined;
  }
}

/** The same of a string that is nothing but an expansion. */
function lastOf(text: string): string | undefined {
  const [expansion, ...others] = parseTemplate(text)?.expansions ?? [];
  if (expansion === undefined || others.length > 0 || expansion.start > 0 || expansion.end < text.length)
    return undefined;
  return expansion.path.at(-1)?.text;
}
