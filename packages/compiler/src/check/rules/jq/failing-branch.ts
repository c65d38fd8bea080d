import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, defines, isExpression, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const failingBranch = defineRule<{ text: string; kind: string; wanted: string; by: string }>({
  id: "jq/failing-branch",
  severity: "warning",
  summary: "One branch of a condition gives another kind of value than what is done with it takes",
  why: "jq doesn't add a text to a list, or join what is no list. The program fails for each record that takes this branch, and only for those.",
  guards: ["D23", "command.!jq"],
  message: ({ text, kind, wanted, by }) =>
    `\`${text}\` is ${kind}, and \`${by}\` takes ${wanted}: each record of this branch fails.`,
  because: ({ text, kind, wanted }) => [
    `a record takes the branch of \`${text}\``,
    `${kind} comes where ${wanted} must: the program fails`,
  ],
  help: ({ wanted }) => `Give ${wanted} here, as the other branch does.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, _tags: ([\\"Patient\\"] + (if .kind == \\"done\\" then «\\"Done\\"» else [] end))}"}',
      good: '{"!jq": "{email: .email, _tags: ([\\"Patient\\"] + (if .kind == \\"done\\" then [\\"Done\\"] else [] end))}"}',
    },
    {
      title: "What is joined",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, aids: ((if .kind == \\"pair\\" then [.left, .right] else «\\"none\\"» end) | join(\\", \\"))}"}',
      good: '{"!jq": "{email: .email, aids: ((if .kind == \\"pair\\" then [.left, .right] else [\\"none\\"] end) | join(\\", \\"))}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [failingBranch],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (program.diagnostics.length > 0 || !/\bif\b/.test(program.node.value)) return;
      const found = [...added(program), ...called(program)];
      if (found.length === 0) return;
      const known = flowOf(model).program(program).diagnostics;
      for (const { node, kind, wanted, by } of found) {
        // What fails whatever comes is told as that.
        if (known.some(({ start, end }) => start < by.end && by.start < end)) continue;
        report(failingBranch, partAt(program, node), {
          text: excerpt(textAt(node, program), 40),
          kind: article[kind],
          wanted: article[wanted],
          by: excerpt(textAt(by, program), 60),
        });
      }
    },
  },
};
export default module;

type Kind = "text" | "number" | "list" | "object";

const article: Readonly<Record<Kind, string>> = {
  text: "a text",
  number: "a number",
  list: "a list",
  object: "an object",
};

interface Failing {
  readonly node: Expression;
  readonly kind: Kind;
  readonly wanted: Kind;
  readonly by: Expression;
}

/** `["a"] + (if .b then "c" else [] end)` */
function added(program: JqProgram): readonly Failing[] {
  return nodesOfKind(program, "Arithmetic").flatMap((sum): readonly Failing[] => {
    if (sum.rest.some(({ operator }) => operator !== "+")) return [];
    const operands = [sum.first, ...sum.rest.map(({ operand }) => operand)];
    const wanted = operands.map((each) => kindOf(each, program)).find((kind) => kind !== undefined);
    if (wanted === undefined) return [];
    return operands.flatMap((each) =>
      branchesOf(each, program).flatMap((node) => {
        const kind = kindOf(node, program);
        return kind === undefined || kind === wanted ? [] : [{ node, kind, wanted, by: sum }];
      }),
    );
  });
}

/** `(if .b then "c" else ["d"] end) | join(",")` */
function called(program: JqProgram): readonly Failing[] {
  return nodesOfKind(program, "Pipeline").flatMap((pipeline): readonly Failing[] => {
    if (!pipeline.stages.every(isExpression)) return [];
    const stages = stagesOf(pipeline);
    return stages.flatMap((stage, at) => {
      const call = bare(stage);
      const before = stages[at - 1];
      const wanted =
        call.kind === "Call" && !defines(program, call.name.text) ? takes(call.name.text) : undefined;
      if (wanted === undefined || before === undefined) return [];
      return branchesOf(before, program).flatMap((node) => {
        const kind = kindOf(node, program);
        // Members of an object can be listed, too.
        const isOther = kind !== undefined && kind !== wanted && !(wanted === "list" && kind === "object");
        return isOther ? [{ node, kind, wanted, by: call }] : [];
      });
    });
  });
}

const takes = (name: string): Kind | undefined =>
  /^(?:join|map|unique|unique_by|sort|sort_by|group_by)$/.test(name)
    ? "list"
    : /^(?:ascii_downcase|ascii_upcase|split|test|startswith|endswith|strptime|fromdate|gsub|sub)$/.test(name)
      ? "text"
      : undefined;

/** The values that the branches of a condition give, also where a variable stands for it. */
function branchesOf(given: Expression, program: JqProgram, depth = 0): readonly Expression[] {
  const node = bare(given);
  if (depth > DEEPEST) return [];
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source === undefined ? [] : branchesOf(source, program, depth + 1);
  }
  if (node.kind !== "If") return [];
  return [...node.branches.map(({ body }) => body), ...(node.otherwise ? [node.otherwise] : [])].flatMap(
    (body) => {
      const inner = branchesOf(body, program, depth + 1);
      return inner.length > 0 ? inner : [bare(body)];
    },
  );
}

const DEEPEST = 4;

/** The kind of what an expression gives, as far as its text alone says it. */
function kindOf(given: Expression, program: JqProgram): Kind | undefined {
  const node = bare(given);
  switch (node.kind) {
    case "String":
    case "Format":
      return "text";
    case "Number":
      return "number";
    case "Array":
      return "list";
    case "Object":
      return "object";
    case "Pipeline": {
      const last = node.stages.at(-1);
      return last !== undefined &&
        isExpression(last) &&
        last.kind === "Call" &&
        !defines(program, last.name.text)
        ? gives(last.name.text)
        : undefined;
    }
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined || bare(source).kind === "Variable" ? undefined : kindOf(source, program);
    }
    default:
      return typeof constantOf(node) === "number" ? "number" : undefined;
  }
}

const gives = (name: string): Kind | undefined =>
  /^(?:join|tostring|ascii_downcase|ascii_upcase|todate|strftime|tojson)$/.test(name)
    ? "text"
    : /^(?:map|unique|unique_by|sort|sort_by|split|keys|group_by)$/.test(name)
      ? "list"
      : /^(?:length|floor|round|tonumber)$/.test(name)
        ? "number"
        : undefined;
