import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { numberOf } from "../number-of.ts";
import { definitionInStep } from "./definition-site.ts";
import { boundTo } from "./dependence.ts";

/** How a point in time is written: as a count since 1970, or as text. */
export type TimeUnit = "seconds" | "milliseconds" | "date";

/** How the time that an expression gives is written; undefined where that isn't certain. */
export function timeUnitOf(node: Expression, program: JqProgram, input?: TimeUnit): TimeUnit | undefined {
  switch (node.kind) {
    case "Identity":
      return input;
    case "Group":
      return timeUnitOf(node.body, program, input);
    case "Pipeline": {
      let unit = input;
      for (const stage of node.stages) {
        if (stage.kind === "Definition" || stage.kind === "Label" || stage.kind === "Binding") continue;
        unit = timeUnitOf(stage, program, unit);
      }
      return unit;
    }
    case "Call":
      return ofCall(node.name.text, input);
    case "Arithmetic":
      return ofArithmetic(node, program, input);
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : timeUnitOf(source, program);
    }
    case "If":
      if (node.otherwise === undefined) return undefined;
      return common([...node.branches.map(({ body }) => body), node.otherwise], program, input);
    case "Number":
      return unitOf(node.value);
    case "Hole": {
      const made = ofStep(node.hole, program);
      return made === undefined ? undefined : timeUnitOf(made.node, made.program);
    }
    case "Postfix": {
      const last = node.suffixes.at(-1);
      return last?.kind === "Field" && last.key.kind === "Name" && countsMilliseconds.test(last.key.text)
        ? "milliseconds"
        : undefined;
    }
    case "String": {
      const text = constantOf(node);
      return typeof text === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? "date" : undefined;
    }
    default:
      return undefined;
  }
}

/** Names that say it: `created_at_ms`, `createdMillis`. */
const countsMilliseconds =
  /(?:^|_)(?:ms|millis|msec|milliseconds?)$|(?:[a-z\d])(?:Ms|MS|Millis|Msec|Milliseconds?)$/;

function ofStep(hole: number, { holes }: JqProgram): ReturnType<typeof definitionInStep> {
  const expansion = holes[hole];
  return expansion === undefined ? undefined : definitionInStep(expansion);
}

function ofCall(name: string, input: TimeUnit | undefined): TimeUnit | undefined {
  switch (name) {
    case "now":
    case "mktime":
    case "fromdate":
    case "fromdateiso8601":
      return "seconds";
    case "todate":
    case "todateiso8601":
      return "date";
    case "floor":
    case "round":
    case "ceil":
    case "trunc":
      return input;
    default:
      return undefined;
  }
}

function ofArithmetic(
  { first, rest }: Extract<Expression, { kind: "Arithmetic" }>,
  program: JqProgram,
  input: TimeUnit | undefined,
): TimeUnit | undefined {
  let unit = timeUnitOf(first, program, input);
  for (const { operator, operand } of rest) {
    const number = numberOf(operand);
    if (operator === "*" && unit === "seconds" && number === 1000) unit = "milliseconds";
    else if (operator === "/" && unit === "milliseconds" && number === 1000) unit = "seconds";
    else if (operator !== "+" && operator !== "-") return undefined;
    // Between two times lies a span.
    else if (number === undefined && timeUnitOf(operand, program, input) !== undefined) return undefined;
  }
  return unit;
}

function common(
  nodes: readonly Expression[],
  program: JqProgram,
  input: TimeUnit | undefined,
): TimeUnit | undefined {
  const units = new Set(nodes.map((node) => timeUnitOf(node, program, input)));
  return units.size === 1 ? [...units][0] : undefined;
}

/** The unit of a number that is a time of our years, by its digits. */
export function unitOf(value: number): TimeUnit | undefined {
  if (value >= 1e9 && value < 3e9) return "seconds";
  return value >= 1e12 && value < 3e12 ? "milliseconds" : undefined;
}
