import type { Expression } from "@configc/jq";
import type { Command, Expansion, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { workflowsOf } from "../../../bind/resolve.ts";
import { rootPaths, takesRoots } from "../../../bind/roots-input.ts";
import { standsUnread } from "./readers.ts";

const ROOT = "custom_data";

/** Whether every expansion that may read a form field is bound to it. */
export function isFormReadingResolved(model: Model): boolean {
  return (
    model.expansions.every(isBound) &&
    // Expansions where none are evaluated are read by people who meant them (`expansion/not-expanded`).
    !model.inertTemplates.some(({ node }) => node.value.includes(ROOT)) &&
    !standsUnread(model, ROOT) &&
    !lookalike.test(model.document.text)
  );
}

/** What its author takes for an expansion is a reader that was meant (`expansion/lookalike`). */
const lookalike = /(?:(?<!\$)\{|\{\{|\$\(?|%[=-]?)\s*custom_data(?:\.|::|\[)/;

function isBound({ root, rootExact, syntax, fields, fieldExact, unit }: Expansion): boolean {
  if (syntax.problem !== undefined || !rootExact) return false;
  return root !== ROOT || workflowsOf(unit).length === 0 || (fields.length > 0 && fieldExact);
}

/** The workflows of which some command reads all fields, or fields that can't be told from its text. */
export function formsReadAsWhole({ commands, programs, expansions }: Model): ReadonlySet<WorkflowSymbol> {
  const units = [
    ...programs.filter(readsWholeForm).map(({ command }) => command.unit),
    ...commands.filter(keepsRoots).map(({ unit }) => unit),
    ...expansions.filter(takesWholeInput).map(({ unit }) => unit),
  ];
  return new Set(units.flatMap(workflowsOf));
}

/** A command that does something with each member of its input, where that is the object of the roots (D16). */
function keepsRoots(command: Command): boolean {
  return (command.key === "!save" || command.key === "!extract") && takesRoots(command);
}

/** `${piped_content.0}` of a pipe whose input is the object of the roots, or the form below any step. */
function takesWholeInput({ root, syntax: { path }, command }: Expansion): boolean {
  if (root !== "piped_content") return false;
  if (path.some(({ text }) => text === ROOT)) return true;
  return (
    path.length === 2 && path[1]?.text === "0" && command?.pipe !== undefined && takesRoots(command.pipe)
  );
}

function readsWholeForm(program: JqProgram): boolean {
  const { node, command, tree, diagnostics, holes } = program;
  if (diagnostics.length === 0 && takesRoots(command) && passesInput(tree.body)) return true;
  const mentions = count(node.value, ROOT) - holes.filter((hole) => hole.root === ROOT).length;
  if (mentions <= 0) return false;
  if (diagnostics.length > 0) return true;
  const paths = rootPaths(program).filter(({ segments }) => segments[0]?.key === ROOT);
  if (paths.some(({ segments }) => typeof segments[1]?.key !== "string")) return true;
  return new Set(paths.map(({ segments }) => segments[0]?.start)).size < mentions;
}

/** Calls that look at nothing. */
const blind: ReadonlySet<string> = new Set(["empty", "true", "false", "null", "now", "not"]);

/** Whether some output of an expression may hold all of its input; in doubt it does. */
function passesInput(node: Expression): boolean {
  switch (node.kind) {
    case "Number":
    case "Hole":
    case "Variable":
    case "Missing":
    case "Break":
    case "SourceLocation":
      return false;
    case "Group":
      return passesInput(node.body);
    case "Array":
      return node.body !== undefined && passesInput(node.body);
    case "Comma":
      return node.items.some(passesInput);
    case "Alternative":
    case "Logical":
      return node.operands.some(passesInput);
    case "Comparison":
      return passesInput(node.left) || passesInput(node.right);
    case "Arithmetic":
      return passesInput(node.first) || node.rest.some(({ operand }) => passesInput(operand));
    case "String":
      return node.parts.some((part) => part.kind === "Interpolation" && passesInput(part.expression));
    case "Object":
      return node.entries.some(({ value }) => value !== undefined && passesInput(value));
    case "If":
      return (
        node.branches.some(({ condition, body }) => passesInput(condition) || passesInput(body)) ||
        // Without `else` it passes its input on.
        node.otherwise === undefined ||
        passesInput(node.otherwise)
      );
    case "Postfix": {
      const [first] = node.suffixes;
      if (node.head.kind !== "Identity") return passesInput(node.head);
      return first?.kind !== "Field" || first.key.kind === "Hole";
    }
    case "Pipeline": {
      // What follows sees the output of the first stage, unless that gives a name to something.
      const [first] = node.stages;
      if (first === undefined || first.kind === "Definition" || first.kind === "Label") return true;
      return first.kind === "Binding" || passesInput(first);
    }
    case "Call":
      return !(node.arguments.length === 0 && blind.has(node.name.text));
    default:
      return true;
  }
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
