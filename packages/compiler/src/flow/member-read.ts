import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../bind/bound-nodes.ts";
import { boundTo } from "./protocol/dependence.ts";
import { respells } from "./underlying.ts";
import { stepsOf } from "./value-path.ts";

/** The member that a value is, in another form or not. */
export interface ReadMember {
  readonly name: string;
  /** What it is read of, as it is written: `$order.customer`. */
  readonly owner: string;
  /** Both together. */
  readonly path: string;
}

/** Calls that give a text, a number or a time in another form. */
const forms: ReadonlySet<string> = new Set([
  ...respells,
  "floor",
  "round",
  "todate",
  "fromdate",
  "fromdateiso8601",
  "todateiso8601",
  "strftime",
  "strptime",
  "mktime",
  "gmtime",
]);

/** The one member that an expression gives, in its own form or another: `.name.first`, `(.last // "")`, `.ends_at[0:10]`. */
export function readMember(node: Expression, program: JqProgram): ReadMember | undefined {
  switch (node.kind) {
    case "Group":
      return readMember(node.body, program);
    case "Hole": {
      const path = program.holes[node.hole]?.syntax.path ?? [];
      const name = path.at(-1)?.text;
      const owner = path.slice(0, -1).map(({ text }) => text);
      return name === undefined ? undefined : read(name, owner.join("."));
    }
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : readMember(source, program);
    }
    case "Alternative": {
      const [first, ...others] = node.operands;
      return others.every((other) => constantOf(other) !== undefined)
        ? readMember(first!, program)
        : undefined;
    }
    case "If": {
      const ways = [...node.branches.map(({ body }) => body), ...(node.otherwise ? [node.otherwise] : [])];
      const [way, ...others] = ways.filter((each) => constantOf(each) === undefined);
      return way === undefined || others.length > 0 ? undefined : readMember(way, program);
    }
    case "Pipeline": {
      const [first, ...others] = node.stages;
      if (first === undefined || !others.every(isForm)) return undefined;
      return isExpression(first) ? readMember(first, program) : undefined;
    }
    case "Postfix": {
      const last = node.suffixes.findLast(({ kind }) => kind !== "Optional" && kind !== "Slice");
      const name = last === undefined ? undefined : stepsOf([last])?.[0];
      if (name === undefined || name === "[]" || last === undefined) return undefined;
      return read(name, program.node.value.slice(node.start, last.start).trim());
    }
    default:
      return undefined;
  }
}

const read = (name: string, owner: string): ReadMember => ({ name, owner, path: `${owner}.${name}` });

type Stage = Extract<Expression, { kind: "Pipeline" }>["stages"][number];

const isExpression = (stage: Stage): stage is Expression =>
  stage.kind !== "Definition" && stage.kind !== "Binding" && stage.kind !== "Label";

/** `strftime("%Y")`, `.[0:10]`, `. // ""` */
function isForm(stage: Stage): boolean {
  if (stage.kind === "Call") return forms.has(stage.name.text);
  if (stage.kind === "Alternative") return stage.operands[0]?.kind === "Identity";
  return stage.kind === "Postfix" && stage.head.kind === "Identity"
    ? stage.suffixes.every(({ kind }) => kind === "Slice" || kind === "Optional")
    : false;
}
