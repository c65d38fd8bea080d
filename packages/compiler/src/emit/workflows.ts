import type { WorkflowSymbol } from "../bind/bound-nodes.ts";
import { textOf } from "../parse/syntax-tree.ts";
import type { AppWorkflow } from "./app.ts";
import { commandIdOf, type EmitContext, optional, placeOf } from "./context.ts";
import { emitSetup } from "./setup.ts";

export function emitWorkflow(workflow: WorkflowSymbol, context: EmitContext): AppWorkflow {
  const { node, index, name, direction, auth, intake, historicalIntake } = workflow;
  const pipeline = node.get("data_pipeline");
  const step = (member: string) =>
    commandIdOf(pipeline?.kind === "object" ? pipeline.get(member) : undefined, context);
  return {
    ...placeOf(node),
    index,
    name: name ?? "",
    label: textOf(node, "label") ?? "",
    direction: direction ?? (intake === undefined ? "outbound" : "inbound"),
    // Only what is named exactly: a guess could send one service's credentials to another.
    ...optional("auth", auth?.exact === true ? auth.target?.name : undefined),
    ...optional("intake", intake?.exact === true ? intake.target?.index : undefined),
    ...optional(
      "historicalIntake",
      historicalIntake?.exact === true ? historicalIntake.target?.index : undefined,
    ),
    setup: emitSetup(workflow, context),
    ...optional("source", step("source")),
    ...optional("target", step("target")),
  };
}
