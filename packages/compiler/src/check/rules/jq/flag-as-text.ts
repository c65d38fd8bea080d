import type { Comparison, Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { ShapeUse } from "../../../flow/shape-reads.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { shapeReadsByName } from "../response/shape-reads.ts";

const flagAsText = defineRule<{ text: string; name: string; is: boolean }>({
  id: "jq/flag-as-text",
  severity: "warning",
  summary: "A member that is a condition elsewhere is compared with a text",
  why: "A member that is asked for by itself, `if .blocked then`, is true or false. A text, the word true or the empty one, is neither, so the comparison is the same for every record.",
  guards: ["command.!jq", "command.!switch", "D23"],
  message: ({ text, name, is }) =>
    `\`${text}\` is ${is} for every record: elsewhere \`${name}\` is a condition itself, so it is true or false.`,
  because: ({ name, text, is }) => [
    `\`${name}\` is true: \`${text}\` is ${is}`,
    `\`${name}\` is false: \`${text}\` is ${is}, too`,
  ],
  help: ({ name }) => `Ask for \`.${name}\` itself.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if .person.blocked then 0 else 1 end", "cases": [{"!error": "Blocked."}, {"!jq": "."}]}}, {"!switch": {"jq": "if «.person.blocked != \\"\\"» then 0 else 1 end", "cases": [{"!jq": "."}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"note": "${custom_data.note.value | default}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/people", "body": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if .person.blocked then 0 else 1 end", "cases": [{"!error": "Blocked."}, {"!jq": "."}]}}, {"!switch": {"jq": "if .person.blocked then 0 else 1 end", "cases": [{"!jq": "."}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"note": "${custom_data.note.value | default}"}}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [flagAsText],
  checks: {
    // The same record is asked for in other workflows.
    document(model, report) {
      const asked = flagsCompared(model);
      if (asked.length === 0) return;
      const uses = shapeReadsByName(model);
      for (const { name, text, is, read, at } of asked) {
        const others = (uses.get(name) ?? []).filter((use) => !isSame(use.at, read));
        const own = ownerAt(read.node.value, read.to - name.length);
        const condition = others.find(({ use, at: { node, to } }) => {
          if (use !== "condition") return false;
          const owner = ownerAt(node.value, to - name.length);
          // A payload may be the record itself.
          return isAskedName(name) || owner === own || owner === "" || own === "";
        });
        if (condition === undefined || others.some(({ use }) => contradicts.has(use))) continue;
        report(flagAsText, at, { text, name, is }, [{ message: "a condition", at: condition.at }]);
      }
    },
  },
};
export default module;

/** Uses of a member by which it is no flag. */
const contradicts: ReadonlySet<ShapeUse> = new Set([
  "text",
  "number",
  "pasted",
  "member",
  "listed",
  "iterated",
  "joined",
  "counted",
  "asked",
]);

const isSame = (a: StringPart, b: StringPart): boolean =>
  a.node === b.node && a.from >= b.from && a.to <= b.to;

/** Members that are called as a flag is, and are compared with the empty text. A flag in words, `"1"`, is one of them for a condition. */
const flagsCompared = derivedByPart(({ programs }: Part) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0 || !/[!=]=\s*"(?:true|false)?"/.test(program.node.value)) return [];
    return nodesOfKind(program, "Comparison").flatMap((comparison) => {
      const { operator, left, right } = comparison;
      const word = constantOf(right);
      const name = memberRead(left);
      if ((operator !== "==" && operator !== "!=") || (word !== "" && word !== "true" && word !== "false"))
        return [];
      if (name === undefined || !isFlagName(name)) return [];
      // `.blocked and .blocked != ""`: the author knows of both.
      if (isGuarded(comparison, program)) return [];
      const is = operator === "!=";
      const [at, read] = [partAt(program, comparison), partAt(program, left)];
      return [{ name, text: textAt(comparison, program), is, read, at }];
    });
  }),
);

function memberRead(given: Expression): string | undefined {
  const value = bare(given);
  const isPlain = value.kind === "Postfix" && value.suffixes.every(({ kind }) => kind === "Field");
  return isPlain ? nameOfValue(value) : undefined;
}

/** Whether another part of the same condition asks for the same member. */
const isGuarded = (comparison: Comparison, program: JqProgram): boolean =>
  nodesOfKind(program, "Logical").some(
    ({ operands }) =>
      operands.includes(comparison) &&
      operands.some(
        (each) =>
          each !== comparison && textAt(each, program).includes(textAt(bare(comparison.left), program)),
      ),
  );

/** What a member is read of, as far as it stands before it: `person` of `.person.blocked`. */
const ownerAt = (text: string, at: number): string =>
  /(\w*)\.$/.exec(text.slice(Math.max(0, at - 60), at))?.[1] ?? "";

/** `is_new`, `hasCar`. */
const isAskedName = (name: string): boolean => /^(?:is|has|was|are|can|may)(?:_[a-z]|[A-Z])/.test(name);

/** `blocked`, `is_new`; no time, person or number is called so, as it may be with `closed`, `invited` or `paid`. */
const isFlagName = (name: string): boolean =>
  isAskedName(name) ||
  /^(?:allowed|banned|barred|blocked|disabled|enabled|featured|flagged|insured|limited|locked|married|muted|required|restricted|retired|subscribed|suspended|trusted|unsubscribed|waived)$/.test(
    name,
  );
