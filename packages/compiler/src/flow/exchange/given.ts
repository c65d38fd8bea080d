import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { parseTemplate } from "../../parse/template.ts";
import { isExpression, nodesIn } from "../nodes.ts";
import { singular } from "../nouns.ts";
import { stepsOf } from "../value-path.ts";
import { kindOfText } from "./kind-of-text.ts";
import { type Kind, kindOfName } from "./name-kind.ts";

/** What a member is given, as far as its text tells it. */
export interface Given {
  /** What it certainly is; undefined where nothing tells. */
  readonly kind: Kind | undefined;
  /** Names of what it is read from. */
  readonly names: readonly string[];
  /** What has a member of those names: `boat` of `.boat.length`. */
  readonly owners: readonly string[];
  /** The text that is written there. */
  readonly constant: string | undefined;
}

/** What an expression of a program gives. */
export const givenBy = (node: Expression, program: JqProgram): Given => new GivenByExpression(node, program);

/** Its kind often says enough, so names are looked for once they are asked for. */
class GivenByExpression implements Given {
  declare readonly kind: Kind | undefined;
  declare readonly constant: string | undefined;
  declare private readonly node: Expression;
  declare private readonly program: JqProgram;
  declare private found: Pick<Given, "names" | "owners"> | undefined;

  constructor(node: Expression, program: JqProgram) {
    const constant = constantOf(node);
    this.kind = kindOf(node, program);
    this.constant = typeof constant === "string" ? constant : undefined;
    this.node = node;
    this.program = program;
    this.found = constant === undefined ? undefined : named([]);
  }

  get names(): readonly string[] {
    return this.read().names;
  }

  get owners(): readonly string[] {
    return this.read().owners;
  }

  private read(): Pick<Given, "names" | "owners"> {
    this.found ??= named(readsIn(this.node, this.program));
    return this.found;
  }
}

/** What a string of a request gives: an expansion, or a text. */
export function givenByText(text: string): Given {
  const expansions = parseTemplate(text)?.expansions ?? [];
  const [first] = expansions;
  if (first === undefined) return { kind: kindOfText(text), names: [], owners: [], constant: text };
  const paths = expansions.map(({ path }) => path.map((segment) => segment.text));
  const isWhole = first.start === 0 && first.end === text.length;
  return {
    kind: isWhole ? kindOfPath(paths[0]!) : kindOfText(text, true),
    ...named(paths.map(stepsOfPath)),
    constant: undefined,
  };
}

/** What a number, true or false of a request is. */
export function givenByConstant(value: number | boolean): Given {
  return { kind: typeof value === "number" ? "number" : "flag", names: [], owners: [], constant: undefined };
}

/** Names of members that say nothing without what has them. */
const generic = /^(?:id|value|data|body|name|display|key|code|number|title)$/i;

/** The members that an expansion reads; of a field, its id. */
function stepsOfPath(path: readonly string[]): readonly string[] {
  const [root] = path;
  if (root === "webhook") return [];
  if (root === "custom_data") return path.slice(1, 2);
  return path.slice(root === "piped_content" ? 2 : 1).filter((name) => !/^\d+$/.test(name));
}

/** Names by which values are known: `owner_id` of `owner.id`, and `stay` as well as `starts_on` of `stay.starts_on`. */
function named(reads: readonly (readonly string[])[]): Pick<Given, "names" | "owners"> {
  const names: string[] = [];
  const owners: string[] = [];
  for (const steps of reads) {
    const [owner, last] = steps.length > 1 ? steps.slice(-2) : [undefined, ...steps];
    if (last === undefined) continue;
    names.push(owner === undefined || !generic.test(last) ? last : `${singular(owner)}_${last}`);
    if (owner !== undefined) owners.push(singular(owner));
  }
  return { names, owners };
}

function kindOfPath(path: readonly string[]): Kind | undefined {
  if (path[0] === "webhook") return path[1] === "url" ? "url" : undefined;
  const last = path[0] === "custom_data" ? path[1] : path.at(-1);
  return last === undefined || path.length < 2 ? undefined : kindOfMember(last);
}

/** What is read under a name. A title may be any text. */
function kindOfMember(name: string): Kind | undefined {
  const kind = kindOfName(name);
  return kind === "name" && !/name$/i.test(name) ? "text" : kind;
}

const byCall: ReadonlyMap<string, Kind> = new Map(
  (
    [
      ["number", "length floor round ceil tonumber"],
      ["time", "strftime todate todateiso8601 now"],
      ["flag", "not any all test startswith endswith true false"],
      ["list", "to_entries keys split"],
    ] as const
  ).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);

function kindOf(node: Expression, program: JqProgram): Kind | undefined {
  switch (node.kind) {
    case "Group":
      return kindOf(node.body, program);
    case "Array":
      return "list";
    case "Object":
      return "object";
    case "Number":
      return "number";
    case "Comparison":
    case "Logical":
      return "flag";
    case "String":
      return kindOfString(node);
    case "Call":
      return byCall.get(node.name.text);
    case "Hole":
      return kindOfPath(program.holes[node.hole]?.syntax.path.map(({ text }) => text) ?? []);
    case "Arithmetic":
      return kindOfSum(node, program);
    case "Alternative":
      return sameKind(node.operands, program);
    case "If":
      return sameKind([...node.branches.map(({ body }) => body), node.otherwise ?? []].flat(), program);
    case "Pipeline":
      return kindOfPipeline(node.stages.filter(isExpression), program);
    case "Postfix": {
      const last = node.suffixes.findLast(({ kind }) => kind !== "Optional" && kind !== "Slice");
      return last?.kind === "Field" && last.key.kind === "Name" ? kindOfMember(last.key.text) : undefined;
    }
    default:
      return undefined;
  }
}

/** `Connected to `, as there is in texts that people read */
const prose = /[a-z] | [a-z(]|, /i;

function kindOfString(node: Extract<Expression, { kind: "String" }>): Kind | undefined {
  const constant = constantOf(node);
  if (typeof constant === "string") return kindOfText(constant);
  return node.parts.some((part) => part.kind === "StringText" && prose.test(part.value)) ? "text" : undefined;
}

/** What is put together: a text for people, a list, an object or a number. */
function kindOfSum(
  { first, rest }: Extract<Expression, { kind: "Arithmetic" }>,
  program: JqProgram,
): Kind | undefined {
  const operands = [first, ...rest.map(({ operand }) => operand)];
  const kinds = operands.map((operand) => kindOf(operand, program));
  const isNow = first.kind === "Call" && first.name.text === "now";
  if (isNow && rest.every(({ operator }) => operator === "*" || operator === "+")) return "time";
  if (rest.some(({ operator }) => operator === "/" || operator === "*"))
    return kinds.some((kind) => kind === "list" || kind === "text") ? undefined : "number";
  if (!rest.every(({ operator }) => operator === "+")) return undefined;
  const texts = operands.map((operand) => constantOf(operand));
  if (texts.some((text) => typeof text === "string" && prose.test(text))) return "text";
  if (kinds.includes("list")) return "list";
  return kinds.includes("object") ? "object" : undefined;
}

const keepsKind = /^(?:tostring|tonumber|floor|round|ceil)$/;

function kindOfPipeline(stages: readonly Expression[], program: JqProgram): Kind | undefined {
  const last = stages.at(-1);
  if (last?.kind !== "Call" || !keepsKind.test(last.name.text))
    return last === undefined ? undefined : kindOf(last, program);
  const before = stages.at(-2);
  return (before === undefined ? undefined : kindOf(before, program)) ?? byCall.get(last.name.text);
}

/** What all ways give that give something. */
function sameKind(nodes: readonly Expression[], program: JqProgram): Kind | undefined {
  const ways = nodes.filter((node) => {
    const constant = constantOf(node);
    return constant !== null && constant !== "";
  });
  const [first, ...others] = ways.map((node) => kindOf(node, program));
  return others.every((kind) => kind === first) ? first : undefined;
}

/** All that an expression reads, in conditions and keys too, as members. */
function readsIn(node: Node, program: JqProgram): readonly (readonly string[])[] {
  const reads: (readonly string[])[] = [];
  const heads = new Set<Node>();
  // What has a head comes before it.
  for (const each of nodesIn(node)) {
    if (each.kind === "Variable" && !heads.has(each)) reads.push([each.name]);
    if (each.kind === "Hole")
      reads.push(stepsOfPath(program.holes[each.hole]?.syntax.path.map(({ text }) => text) ?? []));
    if (each.kind !== "Postfix") continue;
    heads.add(each.head);
    const owner = each.head.kind === "Variable" ? [each.head.name] : [];
    reads.push([...owner, ...(stepsOf(each.suffixes) ?? [])].filter((step) => step !== "[]"));
  }
  return reads;
}
