import { children, type Node, type Program, resolve } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText, passingOf } from "../../bind/derived.ts";
import { outermostCommand } from "../../bind/outermost-command.ts";
import type { Part } from "../../bind/part.ts";
import { givesOn } from "../gives-on.ts";
import { isExpression } from "../nodes.ts";
import { plainBody } from "../plain-body.ts";
import { stepBefore } from "../producers.ts";
import { ofArguments, ofItems } from "./reads-input.ts";

/** What is read of a value: members by name, or all of it. */
export interface Readers {
  readonly members: ReadonlySet<string>;
  readonly whole: boolean;
}

export interface ValueReaders {
  /** What is read of a step's output. */
  of(step: Command): Readers;
  /** What is read of the input of an outermost command. */
  input(outermost: Command): Readers;
}

interface Collected {
  readonly members: Set<string>;
  whole: boolean;
}

/**
 * What the commands of a part read of the output of each step, and of the input of each outermost command (by that command).
 * What isn't certain counts as reading all of it. The output of a last step is the pipe's own, and isn't looked into here.
 */
export function valueReaders({ expansions, commands }: Pick<Part, "expansions" | "commands">): ValueReaders {
  const ofSteps = new Map<Command, Collected>();
  const ofInputs = new Map<Command, Collected>();
  const at = (found: Map<Command, Collected>, command: Command): Collected => {
    let known = found.get(command);
    if (known === undefined) found.set(command, (known = { members: new Set(), whole: false }));
    return known;
  };
  const taken = (command: Command): Collected => {
    const before = stepBefore(command);
    return before === undefined ? at(ofInputs, outermostCommand(command)) : given(before);
  };
  const handedOn = new Map<Command, Collected>();
  // A pipe may have thousands of steps that hand on what came.
  const given = (step: Command): Collected => {
    const passed: Command[] = [];
    let from: Command | undefined = step;
    while (from !== undefined && handsOn(from) && !handedOn.has(from)) {
      passed.push(from);
      from = stepBefore(from);
    }
    const found =
      from === undefined ? at(ofInputs, outermostCommand(step)) : (handedOn.get(from) ?? at(ofSteps, from));
    for (const each of passed) handedOn.set(each, found);
    return found;
  };
  for (const expansion of expansions) {
    const { command, root } = expansion;
    if (command === undefined || (root !== undefined && root !== "piped_content")) continue;
    const value = valueMeant(expansion, given, taken);
    const member = expansion.syntax.path[2]?.text;
    if (value === undefined) {
      // It may mean any step around it.
      taken(command).whole = true;
      for (const step of command.pipe?.children ?? []) if (step !== undefined) given(step).whole = true;
    } else if (member === undefined) value.whole = true;
    else value.members.add(member);
  }
  for (const command of commands) {
    if (command.key === "!pipe" || ignoresInput.has(command.key)) continue;
    // What `.` gives is looked for where that is read.
    if (
      isIdentity(command) &&
      (handsOn(command) || (command.parent !== undefined && handsOn(command.parent)))
    )
      continue;
    const value = taken(command);
    const { program } = command;
    if (program === undefined || program.diagnostics.length > 0) {
      value.whole = true;
      continue;
    }
    const { members, whole } = inputReads(program);
    for (const member of members) value.members.add(member);
    if (whole) value.whole = true;
  }
  const none: Readers = { members: new Set(), whole: false };
  return {
    of: (step) => ofSteps.get(step) ?? none,
    input: (outermost) => ofInputs.get(outermost) ?? none,
  };
}

/** The same for a part as it is: several rules ask. */
export const valueReadersOf = passingOf((part: Part): ValueReaders => valueReaders(part));

/** Whether a step gives what it takes, to later ones: of a last step the output is the pipe's own. */
function handsOn(step: Command): boolean {
  if (step.key === "!print_c") return true;
  return step.parent?.key === "!pipe" && step.parent.children.at(-1) !== step && givesOn(step);
}

const isIdentity = ({ key, program }: Command): boolean =>
  key === "!jq" && program !== undefined && plainBody(program).kind === "Identity";

const ignoresInput: ReadonlySet<Command["key"]> = new Set(["!http", "!error", "!respond", "!print_c"]);

function valueMeant(
  { rootExact, root, syntax, command }: Expansion,
  ofStep: (step: Command) => Collected,
  taken: (command: Command) => Collected,
): Collected | undefined {
  const index = syntax.path[1]?.text;
  if (root === undefined || !rootExact || syntax.problem !== undefined || command === undefined)
    return undefined;
  if (index === undefined || !/^\d+$/.test(index)) return undefined;
  if (index === "0") return taken(command.pipe ?? command);
  const step = command.pipe?.children[Number(index) - 1];
  return step === undefined ? undefined : ofStep(step);
}

/** What a program reads of its input. */
export const inputReads: (program: JqProgram) => Readers = derivedFromText((tree) => readOfInput(tree));

/** The same for a tree that is a part of a program. */
export function readOfInput(tree: Program): Readers {
  const members = new Set<string>();
  let whole = false;
  const { bindings, uses } = namedInputs(tree);
  const pending: (readonly [Node, boolean])[] = [[tree.body, true]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, isInput] = next;
    switch (node.kind) {
      case "Identity":
      case "RecurseDefault":
        whole ||= isInput;
        break;
      case "Binding":
        // `. as $step` takes what its uses take.
        if (bindings.has(node)) break;
        for (const child of children(node)) pending.push([child, isInput]);
        break;
      case "Call":
        // What isn't known to leave its input alone may take all of it.
        whole ||=
          isInput &&
          !(node.arguments.length === 0 && leavesInput.has(node.name.text)) &&
          !ofArguments.has(`${node.name.text}/${node.arguments.length}`);
        for (const [index, each] of node.arguments.entries())
          pending.push([each, isInput && !(index === 1 && ofItems.has(node.name.text))]);
        break;
      case "Comparison": {
        const asks = [node.left, node.right].some((side) => constantOf(side) === null);
        for (const child of children(node))
          if (!(asks && child.kind === "Identity")) pending.push([child, isInput]);
        break;
      }
      case "Pipeline": {
        let isSame = isInput;
        for (const stage of node.stages) {
          pending.push([stage, isSame]);
          if (stage.kind !== "Definition" && stage.kind !== "Binding" && stage.kind !== "Label")
            isSame = false;
        }
        break;
      }
      case "Postfix": {
        const [first] = node.suffixes;
        const isNamed = uses.has(node.head);
        if (!isNamed && (node.head.kind !== "Identity" || !isInput)) pending.push([node.head, isInput]);
        else if (first?.kind === "Field" && first.key.kind === "Name") members.add(first.key.text);
        else if (first?.kind === "Index" && first.index.kind === "String") {
          const name = constantOf(first.index);
          if (typeof name === "string") members.add(name);
          else whole = true;
        } else whole = true;
        for (const suffix of node.suffixes) pending.push([suffix, isInput]);
        break;
      }
      case "Object":
        for (const entry of node.entries) {
          if (entry.value === undefined && entry.key.kind === "Name" && isInput) members.add(entry.key.text);
          pending.push([entry.key, isInput]);
          if (entry.value !== undefined) pending.push([entry.value, isInput]);
        }
        break;
      default:
        whole ||= uses.has(node);
        for (const child of children(node)) pending.push([child, isInput]);
    }
  }
  return { members, whole };
}

/** What `. as $step` names, and where it is used. */
function namedInputs(tree: Program): {
  readonly bindings: ReadonlySet<Node>;
  readonly uses: ReadonlySet<Node>;
} {
  const bindings = new Map<Node, Node>();
  for (const stage of tree.body.kind === "Pipeline" ? tree.body.stages : []) {
    if (isExpression(stage)) break;
    const [pattern, ...others] = stage.kind === "Binding" ? stage.patterns : [];
    if (stage.kind === "Binding" && stage.source.kind === "Identity" && others.length === 0)
      if (pattern?.kind === "VariablePattern") bindings.set(stage, pattern);
  }
  if (bindings.size === 0) return { bindings: new Set(), uses: new Set() };
  const patterns = new Set(bindings.values());
  const uses = [...resolve(tree).variables].flatMap(([use, meant]) => (patterns.has(meant) ? [use] : []));
  return { bindings: new Set(bindings.keys()), uses: new Set(uses) };
}

const leavesInput: ReadonlySet<string> = new Set([
  "now",
  "empty",
  "null",
  "true",
  "false",
  "infinite",
  "nan",
]);
