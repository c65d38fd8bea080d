import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../bind/bound-nodes.ts";
import { partOfUnit } from "../bind/unit-part.ts";
import { literalMembers } from "./literal-object.ts";
import { nodesOfKind } from "./nodes.ts";
import { expansionTrails, inputTrails, type Origin } from "./origin.ts";
import { plainBody } from "./plain-body.ts";
import { dependenceOf, stagesOf } from "./protocol/dependence.ts";
import type { TypeFlow } from "./type-flow.ts";

/** What a value in a pipeline is made from. */
export interface Basis {
  /** Whether the record that the pipeline runs for has a part in it. */
  readonly record: "certain" | "possible" | "none";
  /** The expression that puts the present time into it. */
  readonly clock: { readonly program: JqProgram; readonly node: Expression } | undefined;
}

const setup: Basis = { record: "none", clock: undefined };
const record: Basis = { record: "certain", clock: undefined };
const unknown: Basis = { record: "possible", clock: undefined };
/** Values made of values made of values: beyond so many nothing is said. */
const DEPTH = 10;

/** What an expansion's value is made from, over steps: the record that the pipeline runs for, or the setup and the time alone. */
export function basisOf(flow: TypeFlow, expansion: Expansion, depth = DEPTH): Basis {
  const { root } = expansion;
  if (root === "custom_data" || root === "subdomain" || root === "data") return setup;
  if (depth === 0) return unknown;
  const kept = keptMember(expansion);
  const origins = kept === undefined ? expansionTrails(flow, expansion).map(({ origin }) => origin) : [kept];
  return origins.length === 0
    ? unknown
    : joined(origins.map((origin) => fromOrigin(flow, origin, depth - 1)));
}

function fromOrigin(flow: TypeFlow, origin: Origin, depth: number): Basis {
  if (depth === 0) return unknown;
  switch (origin.kind) {
    case "field":
      return setup;
    case "place":
    case "payload":
    case "resource":
      return record;
    case "response": {
      const { unit } = origin.command;
      const own = unit?.kind === "workflow" ? partOfUnit(unit, flow.model).expansions : [];
      const sent = own.filter(({ command }) => command === origin.command);
      const isOfRecord = sent.some((each) => basisOf(flow, each, depth).record === "certain");
      return isOfRecord ? record : unknown;
    }
    case "command":
      return unknown;
    case "made": {
      const { program } = origin;
      const node = wholeOf(origin.node, program);
      const { holes, input, clock } = dependenceOf(program, [node], conversions(program));
      const read = [...holes].map((hole) => {
        const expansion = program.holes[hole];
        return expansion === undefined ? unknown : basisOf(flow, expansion, depth);
      });
      const inputs = input ? inputTrails(flow, program, program.tree.body) : [];
      return joined([
        ...read,
        ...(input ? [unknown] : []),
        ...inputs.map((trail) => fromOrigin(flow, trail.origin, depth)),
        { record: "none", clock: clock ? { program, node } : undefined },
      ]);
    }
  }
}

/** The pipeline that a value goes through before it comes to a stage. */
function wholeOf(node: Expression, program: JqProgram): Expression {
  const pipeline = nodesOfKind(program, "Pipeline").find(({ stages }) => stages.indexOf(node) > 0);
  return pipeline === undefined ? node : wholeOf(pipeline, program);
}

/** Stages that only give the value before them another form, `… | tonumber | strftime("%F")`: they read nothing else. */
function conversions(program: JqProgram): (node: Node) => boolean {
  const known = new Set<Node>();
  for (const pipeline of nodesOfKind(program, "Pipeline"))
    for (const stage of stagesOf(pipeline).slice(1))
      if (stage.kind === "Call" && stage.arguments.every((each) => constantOf(each) !== undefined))
        known.add(stage);
  return (node) => known.has(node);
}

/** What several values together are made from. */
export function joined(all: readonly Basis[]): Basis {
  const has = (wanted: Basis["record"]): boolean => all.some((each) => each.record === wanted);
  return {
    record: has("certain") ? "certain" : has("possible") ? "possible" : "none",
    clock: all.find(({ clock }) => clock !== undefined)?.clock,
  };
}

/** A member of an object from which a step only leaves out some: `{a, b} | with_entries(select(.value != ""))`. */
function keptMember({ root, syntax, command }: Expansion): Origin | undefined {
  const [, index, name, ...rest] = syntax.path.map(({ text }) => text);
  const step = root === "piped_content" ? command?.pipe?.children[Number(index) - 1] : undefined;
  const body = step?.key === "!jq" && step.program !== undefined ? plainBody(step.program) : undefined;
  if (name === undefined || rest.length > 0 || body?.kind !== "Pipeline") return undefined;
  const [object, filter, ...others] = stagesOf(body);
  if (object?.kind !== "Object" || others.length > 0 || filter?.kind !== "Call") return undefined;
  const [argument] = filter.arguments;
  const isSelection = argument?.kind === "Call" && argument.name.text === "select";
  if (filter.name.text !== "with_entries" || !isSelection) return undefined;
  const node = literalMembers(object)?.get(name);
  return node === undefined ? undefined : { kind: "made", program: step!.program!, node };
}
