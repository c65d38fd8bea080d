import type { Expression } from "@configc/jq";
import { isIdentifier } from "@configc/jq/internal";
import type { Command, Expansion, FieldSymbol, IntakeSymbol, JqProgram } from "../bind/bound-nodes.ts";
import { workflowsOf } from "../bind/resolve.ts";
import type { SaveScope } from "../language/commands/save.ts";
import { saveScopes } from "../language/commands/save.ts";
import { knowsPayload } from "../samples/payload-type.ts";
import { stateCommands } from "./polling-state.ts";
import type { TypeFlow } from "./type-flow.ts";
import type { ValuePath, ValueSource } from "./value-path.ts";
import { inputSources, outputSources, sourcesOf } from "./value-sources.ts";

/** Where a value comes from in the end. */
export type Origin =
  /** A part of what an `!http` gives (D20). */
  | { readonly kind: "response"; readonly command: Command; readonly path: ValuePath }
  | { readonly kind: "field"; readonly field: FieldSymbol; readonly path: ValuePath }
  | { readonly kind: "resource"; readonly command: Command; readonly path: ValuePath }
  /** A part of what a webhook sends, where samples or a document say it. */
  | { readonly kind: "payload"; readonly intake: IntakeSymbol; readonly path: ValuePath }
  /** What a place is given: a webhook's payload, a contact, the request to verify. */
  | { readonly kind: "place"; readonly command: Command; readonly path: ValuePath }
  /** An expression makes it. */
  | { readonly kind: "made"; readonly program: JqProgram; readonly node: Expression }
  /** A command other than `!jq` does. */
  | { readonly kind: "command"; readonly command: Command; readonly path: ValuePath };

/** The way back to an origin: the paths by which programs read the value, the last one first. */
export interface Trail {
  readonly hops: readonly string[];
  readonly origin: Origin;
}

/** Commands on all ways back: states may depend on themselves. */
const STEPS = 100;

/**
 * Walks back from an expression to where its value comes from, over steps, pipelines, saved values and states: a trail for each
 * source that it may have, `.name // .login`; none where that isn't known. Meant for one finding or question at a time: nothing
 * of it is worked out while types are.
 *
 * @param path a part of the value; empty for all of it
 */
export function trailsOf(
  flow: TypeFlow,
  program: JqProgram,
  node: Expression,
  path: ValuePath = [],
): readonly Trail[] {
  return new Walk(flow).from(sourcesOf(program, node, path), program, []);
}

/** The same from the input of an expression. */
export function inputTrails(
  flow: TypeFlow,
  program: JqProgram,
  node: Expression,
  path: ValuePath = [],
): readonly Trail[] {
  return new Walk(flow).from(inputSources(program, node, path), program, []);
}

/** The same from what a command gives. */
export function outputTrails(flow: TypeFlow, command: Command, path: ValuePath = []): readonly Trail[] {
  return new Walk(flow).output(command, path, []);
}

/**
 * The same from an expansion.
 *
 * @param length how many segments of its path are gone; all of them, if absent
 */
export function expansionTrails(flow: TypeFlow, expansion: Expansion, length?: number): readonly Trail[] {
  return new Walk(flow).expansion(expansion, [], [], length);
}

class Walk {
  private readonly flow: TypeFlow;
  private steps = 0;

  constructor(flow: TypeFlow) {
    this.flow = flow;
  }

  from(sources: readonly ValueSource[], program: JqProgram, hops: Hops): readonly Trail[] {
    return told(sources.map((source) => this.fromOne(source, program, hops)));
  }

  private fromOne(source: ValueSource, program: JqProgram, hops: Hops): readonly Trail[] {
    switch (source.kind) {
      case "made":
        return [{ hops, origin: { kind: "made", program, node: source.node } }];
      case "input":
        return this.input(program.command, source.path, hopped(hops, source.path));
      case "hole": {
        const expansion = program.holes[source.hole];
        return expansion === undefined ? [] : this.expansion(expansion, source.path, hops);
      }
    }
  }

  output(command: Command, path: ValuePath, hops: Hops): readonly Trail[] {
    if (++this.steps > STEPS) return [];
    const { key, children, program } = command;
    switch (key) {
      case "!pipe": {
        const last = children.at(-1);
        return last === undefined ? [] : this.output(last, path, hops);
      }
      case "!switch":
        return told(children.map((child) => (child === undefined ? [] : this.output(child, path, hops))));
      case "!jq":
        return program === undefined ? [] : this.from(outputSources(program, path), program, hops);
      case "!save":
      case "!print_c":
      case "!extract":
        return this.input(command, path, hops);
      case "!http":
        return [{ hops, origin: { kind: "response", command, path } }];
      case "!resource":
        return [{ hops, origin: { kind: "resource", command, path } }];
      case "!error":
        // It gives nothing: what goes on comes from another case.
        return [];
      default:
        return [{ hops, origin: { kind: "command", command, path } }];
    }
  }

  input(command: Command, path: ValuePath, hops: Hops): readonly Trail[] {
    if (++this.steps > STEPS) return [];
    let at = command;
    for (let { parent } = at; parent !== undefined; { parent } = at) {
      const before = parent.key === "!pipe" && at.stepsRun > 0 ? parent.children[at.stepsRun - 1] : undefined;
      if (before !== undefined) return this.output(before, path, hops);
      at = parent;
    }
    if (at.place.input === "roots") return this.root(at, path, hops);
    if (at.place.input === "payload") return this.payload(at, path, hops);
    if (at.place.input === "transformed" && at.unit?.kind === "workflow" && at.unit.maps.length === 0) {
      const pipeline = at.unit.node.get("data_pipeline");
      const source = this.flow.commandAt(pipeline?.kind === "object" ? pipeline.get("source") : undefined);
      return source === undefined ? [] : this.output(source, path, hops);
    }
    return [{ hops, origin: { kind: "place", command: at, path } }];
  }

  expansion(
    { root, rootExact, syntax, command, fields }: Expansion,
    path: ValuePath,
    hops: Hops,
    length = syntax.path.length,
  ): readonly Trail[] {
    if (!rootExact || syntax.problem !== undefined || command === undefined) return [];
    const written = syntax.path.slice(0, length).map(({ text }) => text);
    const names = [...written.slice(1), ...path];
    if (root !== "piped_content") {
      const own = [...hops, written.join(".")];
      if (root === "custom_data" && fields[0] !== undefined)
        return this.field(fields[0], names.slice(1), own);
      return root === undefined ? [] : this.root(command, [root, ...names], own);
    }
    const index = Number(names[0]);
    const rest = names.slice(1).map((name) => (/^\d+$/.test(name) ? "[]" : name));
    const own = hopped(hops, rest);
    if (index === 0) return this.input(command.pipe ?? command, rest, own);
    const step = command.pipe?.children[index - 1];
    return step === undefined ? [] : this.output(step, rest, own);
  }

  /** A path below the roots (D16). */
  private root(command: Command, [root, first, second, ...rest]: ValuePath, hops: Hops): readonly Trail[] {
    const { unit } = command;
    if (root === "polling_state" && unit?.kind === "intake" && first !== undefined) {
      const path = ["polling_state", first, ...(second === undefined ? [] : [second]), ...rest];
      const commands = stateCommands.flatMap((name) => unit.commands.get(name) ?? []);
      return told(commands.map((each) => this.output(each, path, hops)));
    }
    if (root === "data" && second !== undefined) {
      const scope: SaveScope | undefined = saveScopes.find((name) => name === first);
      const saves = scope === undefined ? [] : (this.flow.savedKeys()?.get(scope)?.keys.get(second) ?? []);
      return told(saves.map((save) => this.input(save, [second, ...rest], hops)));
    }
    if (root === "custom_data") {
      const fields = workflowsOf(unit).flatMap((workflow) => workflow.fields);
      const field = fields.find(({ id }) => id === first);
      return field === undefined
        ? []
        : this.field(field, second === undefined ? [] : [second, ...rest], hops);
    }
    return [];
  }

  /** What a customer chooses is one of the options (D12). */
  private field(field: FieldSymbol, [attribute, ...rest]: ValuePath, hops: Hops): readonly Trail[] {
    const options = this.flow.commandAt(field.node.get("options"));
    const isOption = attribute === "value" || attribute === "display";
    if (options === undefined || !isOption || field.type === "multiselect")
      return [{ hops, origin: { kind: "field", field, path: rest } }];
    return this.output(options, ["[]", attribute, ...rest], [...hops, `the form field \`${field.id}\``]);
  }

  /** What samples say that a webhook sends; the items of a polling intake are what its `request` returns. */
  private payload(command: Command, path: ValuePath, hops: Hops): readonly Trail[] {
    const { unit } = command;
    const workflow = unit?.kind === "workflow" ? unit : undefined;
    const intake = unit?.kind === "intake" ? unit : workflow?.intake?.target;
    if (intake !== undefined && knowsPayload(intake, this.flow.model))
      return [{ hops, origin: { kind: "payload", intake, path } }];
    const request = intake?.type === "polling" ? intake.commands.get("request") : undefined;
    if (request !== undefined && workflow?.historicalIntake === undefined)
      return this.output(request, ["results", "[]", ...path], hops);
    return [{ hops, origin: { kind: "place", command, path } }];
  }
}

type Hops = Trail["hops"];

function hopped(hops: Hops, path: ValuePath): Hops {
  if (path.length === 0) return hops;
  const text = pathText(path);
  return hops.at(-1) !== text ? [...hops, text] : hops;
}

/** What an expression makes on the spot only where nothing else is told: it says least. */
function told(trails: readonly (readonly Trail[])[]): readonly Trail[] {
  const all = trails.length === 1 ? trails[0]! : trails.flat();
  if (!all.some(({ origin }) => origin.kind === "made")) return all;
  const further = all.filter(({ origin }) => origin.kind !== "made");
  return further.length > 0 ? further : all;
}

/** `.items[].name` */
export function pathText(path: ValuePath): string {
  if (path.length === 0) return ".";
  let text = "";
  for (const name of path)
    text += name === "[]" ? "[]" : isIdentifier(name) ? `.${name}` : `.${JSON.stringify(name)}`;
  return text.startsWith("[") ? `.${text}` : text;
}
