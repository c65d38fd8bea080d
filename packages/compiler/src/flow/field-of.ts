import type { Expression } from "@configc/jq";
import type { FieldSymbol, JqProgram } from "../bind/bound-nodes.ts";
import { workflowsOf } from "../bind/resolve.ts";
import { takesRoots } from "../bind/roots-input.ts";
import { bare } from "./nodes.ts";
import { boundTo } from "./protocol/dependence.ts";
import { stageBefore, stageIntoCall } from "./protocol/stage-before.ts";
import { inputPath } from "./value-path.ts";

/** The field whose value is read without an expansion: `.custom_data.form.value`. */
export function fieldAtPath(node: Expression, program: JqProgram): FieldSymbol | undefined {
  const { command } = program;
  const [root, id, attribute, ...others] = inputPath(node) ?? [];
  if (root !== "custom_data" || attribute !== "value" || others.length > 0 || !takesRoots(command))
    return undefined;
  const [workflow, ...more] = workflowsOf(command.unit);
  if (workflow === undefined || more.length > 0) return undefined;
  const [field, ...same] = workflow.fields.filter((each) => each.id === id);
  // Behind a pipe the same path is another value's: nothing refers to the field there.
  const isRead = field?.references.some(
    ({ node: text, from }) => text === program.node && from >= node.start && from < node.end,
  );
  return isRead === true && same.length === 0 ? field : undefined;
}

/** The field whose value an expression gives, as a number or as it is. */
export function fieldOf(given: Expression, program: JqProgram): FieldSymbol | undefined {
  const node = bare(given);
  switch (node.kind) {
    case "Hole": {
      const { root, rootExact, fields = [], fieldExact, syntax } = program.holes[node.hole] ?? {};
      const isValue = root === "custom_data" && rootExact === true && syntax?.path[2]?.text === "value";
      return isValue && fieldExact === true && fields.length === 1 ? fields[0] : undefined;
    }
    case "Postfix":
      return fieldAtPath(node, program);
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : fieldOf(source, program);
    }
    case "String": {
      const [part, ...others] = node.parts;
      return part === undefined || part.kind === "StringText" || others.length > 0
        ? undefined
        : fieldOf(part.expression, program);
    }
    // `FIELD | if . == "" then null else tonumber * 60 end`
    case "Identity":
    case "Call": {
      const before =
        node.kind === "Identity"
          ? stageBefore(program).get(node)
          : keepsNumber(node)
            ? stageIntoCall(program).get(node)
            : undefined;
      return before === undefined ? undefined : fieldOf(before, program);
    }
    case "Alternative":
      return fieldOf(node.operands[0]!, program);
    case "Pipeline": {
      const [first, ...rest] = node.stages as Expression[];
      const isKept = rest.every((stage) => keepsNumber(stage));
      return first !== undefined && isKept ? fieldOf(first, program) : undefined;
    }
    default:
      return undefined;
  }
}

/** `tonumber`, `tostring`, `tonumber?` */
function keepsNumber(stage: Expression): boolean {
  const call =
    stage.kind === "Postfix" && stage.suffixes.every(({ kind }) => kind === "Optional") ? stage.head : stage;
  return call.kind === "Call" && (call.name.text === "tonumber" || call.name.text === "tostring");
}
