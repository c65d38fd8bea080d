import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { numberOf } from "../../../flow/number-of.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const undoneReplacement = defineRule<{ by: string; found: string; next: string; isNumber: boolean }>({
  id: "jq/undone-replacement",
  severity: "warning",
  summary: "A replacement is undone by the next one",
  why: "Replacements run one after the other, and each works on what the one before it wrote. Where the thousands separators are taken out after the decimal comma became a point, the decimal point goes too: each amount is a hundred times too high.",
  guards: ["D23", "command.!jq"],
  message: ({ by, next, isNumber }) =>
    isNumber
      ? `This writes \`${by}\` for the decimals, and then \`${next}\` takes it away.`
      : `This writes \`${by}\`, and then \`${next}\` replaces it, so this has no effect.`,
  because: ({ by, found, isNumber }) =>
    isNumber
      ? [`\`1.234${found}50\` becomes \`1.234${by}50\``, "without points, the number is 123450"]
      : [`\`${found}\` becomes \`${by}\``, `then \`${by}\` becomes what \`${found}\` would have become`],
  help: () => "Swap the two, or remove one.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, amount: (.amount | «sub(\\",\\"; \\".\\")» | gsub(\\"[.]\\"; \\"\\") | tonumber)}"}',
      good: '{"!jq": "{email: .email, amount: (.amount | gsub(\\"[.]\\"; \\"\\") | sub(\\",\\"; \\".\\") | tonumber)}"}',
    },
    {
      title: "What is allowed in a slug",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, slug: (.title | ascii_downcase | «gsub(\\" \\"; \\"-\\")» | gsub(\\"[^a-z0-9]\\"; \\"\\"))}"}',
      good: '{"!jq": "{email: .email, slug: (.title | ascii_downcase | gsub(\\" \\"; \\"-\\") | gsub(\\"[^a-z0-9-]\\"; \\"\\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [undoneReplacement],
  checks: {
    program(program, report) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/g?sub\s*\(|join\s*\(/.test(node.value)) return;
      for (const pipeline of nodesOfKind(program, "Pipeline")) {
        const stages = flat(pipeline.stages as readonly Expression[]);
        const steps = replacementsIn(stages);
        for (const [index, one] of steps.entries()) {
          const next = steps[index + 1];
          if (next === undefined || next.from !== one.to + 1 || one.literal === undefined) continue;
          const written = replaced(one.by, next);
          if (written === undefined || written === one.by) continue;
          const isIdle = written === replaced(one.literal, next);
          const isDecimal = one.by === "." && one.literal !== "." && written === "";
          const isNumber =
            isDecimal && isCalled("tonumber", stages.slice(next.to + 1)) && !isReckoned(pipeline, program);
          const [start, last, after] = [stages[one.from], stages[one.to], stages[next.from]];
          if ((!isIdle && !isNumber) || start === undefined || last === undefined || after === undefined)
            continue;
          const args = {
            by: one.by,
            found: one.literal,
            next: excerpt(textAt(after, program)),
            isNumber,
          };
          report(undoneReplacement, { node, from: start.start, to: last.end }, args);
        }
      }
    },
  },
};
export default module;

interface Replacement {
  /** The only text that is replaced, if there is only one. */
  readonly literal: string | undefined;
  /** What is replaced wherever it stands; undefined where that depends on what is around it. */
  readonly pattern: RegExp | undefined;
  readonly by: string;
  /** The first and last stage that make it. */
  readonly from: number;
  readonly to: number;
}

function flat(stages: readonly Expression[]): readonly Expression[] {
  return stages.flatMap((stage) => {
    const inner = bare(stage);
    return inner.kind === "Pipeline" ? flat(inner.stages as readonly Expression[]) : [inner];
  });
}

function replacementsIn(stages: readonly Expression[]): readonly Replacement[] {
  return stages.flatMap((stage, from): Replacement[] => {
    if (stage.kind !== "Call") return [];
    const name = stage.name.text;
    const [first, second, third] = stage.arguments.map(constantOf);
    if (typeof first !== "string") return [];
    if ((name === "sub" || name === "gsub") && typeof second === "string") {
      if (stage.arguments.length > 2 && third !== "g") return [];
      const isGlobal = name === "gsub" || third === "g";
      const pattern = isGlobal ? patternOf(first) : undefined;
      return [{ literal: literalOf(first), pattern, by: second, from, to: from }];
    }
    const joined = stages[from + 1];
    const isSplit = name === "split" && stage.arguments.length === 1 && first !== "";
    if (!isSplit || joined?.kind !== "Call" || joined.name.text !== "join") return [];
    const by = joined.arguments[0] === undefined ? undefined : constantOf(joined.arguments[0]);
    const pattern = patternOf(first.replace(/[^\w\s]/g, "\\$&"));
    return typeof by === "string" ? [{ literal: first, pattern, by, from, to: from + 1 }] : [];
  });
}

/** The text that a pattern matches, if it is only one. */
function literalOf(pattern: string): string | undefined {
  const text = pattern.replace(/\[([^\\\]^])\]|\\([^\w\s])/g, (_, one?: string, other?: string) =>
    String.fromCharCode(0xe000 + (one ?? other ?? "").charCodeAt(0)),
  );
  if (text === "" || /[\\^$.|?*+()[\]{}]/.test(text)) return undefined;
  return text.replace(/[\ue000-\uf8ff]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000));
}

/** In characters: longer ones aren't what is meant here. */
const LONGEST = 60;

function patternOf(pattern: string): RegExp | undefined {
  const outside = pattern.replace(/\\[^\w\s]|\[(?:\\.|[^\]\\])*\]/g, "");
  if (pattern.length > LONGEST || /[\^$|()]|\\[bBAzZGK]/.test(outside) || pattern.includes("[:"))
    return undefined;
  try {
    return new RegExp(pattern, "g");
  } catch {
    return undefined;
  }
}

function replaced(text: string, { pattern, by }: Replacement): string | undefined {
  return pattern === undefined ? undefined : text.replace(pattern, () => by);
}

const isCalled = (name: string, stages: readonly Expression[]): boolean =>
  stages.some((stage) => stage.kind === "Call" && stage.name.text === name);

/** Whether the number is divided or multiplied: without the point it may be one of cents. */
function isReckoned({ start, end }: Expression, program: JqProgram): boolean {
  return nodesOfKind(program, "Arithmetic").some(
    (each) =>
      each.rest.some(
        ({ operator, operand }) => (operator === "/" || operator === "*") && numberOf(operand) !== undefined,
      ) &&
      ((each.start <= start && end <= each.end) || (start <= each.start && each.end <= end)),
  );
}
