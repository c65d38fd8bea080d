import type { Expression } from "@configc/jq";
import type { Command, Expansion, FieldSymbol, IntakeSymbol, JqProgram } from "../bind/model.ts";
import { workflowsOf } from "../bind/resolve.ts";
import { saveScopes } from "../language/commands/save.ts";
import { knowsPayload } from "../samples/payload-type.ts";
import type { TypeFlow } from "./flow.ts";
import { stateCommands } from "./polling-state.ts";
import type { SaveScope } from "./saved.ts";
import { inputSource, outputSource, sourceOf, type ValuePath, type ValueSource } from "./value-path.ts";

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

/** Commands on one way back: states may depend on themselves. */
const STEPS = 100;

/**
 * Walks back from an expression to where its value comes from, over steps, pipelines, saved values and states. Meant for one
 * finding or question at a time: nothing of it is worked out while types are.
 *
 * @param path a part of the value; empty for all of it
 */
export function trailOf(
  flow: TypeFlow,
  program: JqProgram,
  node: Expression,
  path: ValuePath = [],
): Trail | undefined {
  return new Walk(flow).from(sourceOf(program, node, path), program);
}

/** The same from the input of an expression. */
export function inputTrail(
  flow: TypeFlow,
  program: JqProgram,
  node: Expression,
  path: ValuePath = [],
): Trail | undefined {
  return new Walk(flow).from(inputSource(program, node, path), program);
}

/** The same from what a command gives. */
export function outputTrail(flow: TypeFlow, command: Command, path: ValuePath = []): Trail | undefined {
  return new Walk(flow).output(command, path);
}

/**
 * The same from an expansion.
 *
 * @param length how many segments of its path are gone; all of them, if absent
 */
export function expansionTrail(flow: TypeFlow, expansion: Expansion, length?: number): Trail | undefined {
  const { syntax } = expansion;
  const shortened = { ...expansion, syntax: { ...syntax, path: syntax.path.slice(0, length) } };
  return new Walk(flow).expansion(shortened, []);
}

class Walk {
  private readonly flow: TypeFlow;
  private readonly hops: string[] = [];
  private steps = 0;

  constructor(flow: TypeFlow) {
    this.flow = flow;
  }

  from(source: ValueSource | undefined, program: JqProgram): Trail | undefined {
    if (source === undefined) return undefined;
    switch (source.kind) {
      case "made":
        return this.end({ kind: "made", program, node: source.node });
      case "input":
        this.hop(source.path);
        return this.input(program.command, source.path);
      case "hole": {
        const expansion = program.holes[source.hole];
        return expansion === undefined ? undefined : this.expansion(expansion, source.path);
      }
    }
  }

  output(command: Command, path: ValuePath): Trail | undefined {
    if (++this.steps > STEPS) return undefined;
    const { key, children, program } = command;
    switch (key) {
      case "!pipe": {
        const last = children.at(-1);
        return last === undefined ? undefined : this.output(last, path);
      }
      case "!switch":
        return this.firstOf(
          children.filter((child) => child !== undefined),
          path,
        );
      case "!jq":
        return program === undefined ? undefined : this.from(outputSource(program, path), program);
      case "!save":
      case "!print_c":
      case "!extract":
        return this.input(command, path);
      case "!http":
        return this.end({ kind: "response", command, path });
      case "!resource":
        return this.end({ kind: "resource", command, path });
      case "!error":
        // It gives nothing: what goes on comes from another case.
        return undefined;
      default:
        return this.end({ kind: "command", command, path });
    }
  }

  input(command: Command, path: ValuePath): Trail | undefined {
    if (++this.steps > STEPS) return undefined;
    let at = command;
    for (let { parent } = at; parent !== undefined; { parent } = at) {
      const before = parent.key === "!pipe" && at.stepsRun > 0 ? parent.children[at.stepsRun - 1] : undefined;
      if (before !== undefined) return this.output(before, path);
      at = parent;
    }
    if (at.place.input === "roots") return this.root(at, path);
    if (at.place.input === "payload") return this.payload(at, path);
    if (at.place.input === "transformed" && at.unit?.kind === "workflow" && at.unit.maps.length === 0) {
      const pipeline = at.unit.node.get("data_pipeline");
      const source = this.flow.commandAt(pipeline?.kind === "object" ? pipeline.get("source") : undefined);
      return source === undefined ? undefined : this.output(source, path);
    }
    return this.end({ kind: "place", command: at, path });
  }

  expansion({ root, rootExact, syntax, command, fields }: Expansion, path: ValuePath): Trail | undefined {
    if (!rootExact || syntax.problem !== undefined || command === undefined) return undefined;
    const names = [...syntax.path.slice(1).map(({ text }) => text), ...path];
    if (root !== "piped_content") {
      this.hops.push(syntax.path.map(({ text }) => text).join("."));
      if (root === "custom_data" && fields[0] !== undefined) return this.field(fields[0], names.slice(1));
      return root === undefined ? undefined : this.root(command, [root, ...names]);
    }
    const index = Number(names[0]);
    const rest = names.slice(1).map((name) => (/^\d+$/.test(name) ? "[]" : name));
    this.hop(rest);
    if (index === 0) return this.input(command.pipe ?? command, rest);
    const step = command.pipe?.children[index - 1];
    return step === undefined ? undefined : this.output(step, rest);
  }

  /** A path below the roots (D16). */
  private root(command: Command, [root, first, second, ...rest]: ValuePath): Trail | undefined {
    const { unit } = command;
    if (root === "polling_state" && unit?.kind === "intake" && first !== undefined) {
      const path = ["polling_state", first, ...(second === undefined ? [] : [second]), ...rest];
      const commands = stateCommands.flatMap((name) => unit.commands.get(name) ?? []);
      return this.firstOf(commands, path);
    }
    if (root === "data" && second !== undefined) {
      const scope: SaveScope | undefined = saveScopes.find((name) => name === first);
      const saves = scope === undefined ? [] : (this.flow.savedKeys()?.get(scope)?.keys.get(second) ?? []);
      return saves[0] === undefined ? undefined : this.input(saves[0], [second, ...rest]);
    }
    if (root === "custom_data") {
      const fields = workflowsOf(unit).flatMap((workflow) => workflow.fields);
      const field = fields.find(({ id }) => id === first);
      return field === undefined
        ? undefined
        : this.field(field, second === undefined ? [] : [second, ...rest]);
    }
    return undefined;
  }

  /** What a customer chooses is one of the options (D12). */
  private field(field: FieldSymbol, [attribute, ...rest]: ValuePath): Trail | undefined {
    const options = this.flow.commandAt(field.node.get("options"));
    const isOption = attribute === "value" || attribute === "display";
    if (options === undefined || !isOption || field.type === "multiselect")
      return this.end({ kind: "field", field, path: rest });
    this.hops.push(`the form field \`${field.id}\``);
    return this.output(options, ["[]", attribute, ...rest]);
  }

  /** What samples say that a webhook sends; the items of a polling intake are what its `request` returns. */
  private payload(command: Command, path: ValuePath): Trail | undefined {
    const { unit } = command;
    const workflow = unit?.kind === "workflow" ? unit : undefined;
    const intake = unit?.kind === "intake" ? unit : workflow?.intake?.target;
    if (intake !== undefined && knowsPayload(intake, this.flow.model))
      return this.end({ kind: "payload", intake, path });
    const request = intake?.type === "polling" ? intake.commands.get("request") : undefined;
    if (request !== undefined && workflow?.historicalIntake === undefined)
      return this.output(request, ["results", "[]", ...path]);
    return this.end({ kind: "place", command, path });
  }

  /** The first that leads further than to an expression. */
  private firstOf(commands: readonly Command[], path: ValuePath): Trail | undefined {
    let found: Trail | undefined;
    const kept = this.hops.length;
    for (const command of commands) {
      const trail = this.output(command, path);
      if (trail !== undefined && (found === undefined || found.origin.kind === "made")) found = trail;
      this.hops.length = kept;
      if (found !== undefined && found.origin.kind !== "made") break;
    }
    return found;
  }

  private hop(path: ValuePath): void {
    const text = pathText(path);
    if (path.length > 0 && this.hops.at(-1) !== text) this.hops.push(text);
  }

  private end(origin: Origin): Trail {
    return { hops: [...this.hops], origin };
  }
}

/** `.items[].name` */
export function pathText(path: ValuePath): string {
  if (path.length === 0) return ".";
  const text = path
    .map((name) =>
      name === "[]" ? "[]" : /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `.${JSON.stringify(name)}`,
    )
    .join("");
  return text.startsWith("[") ? `.${text}` : text;
}
