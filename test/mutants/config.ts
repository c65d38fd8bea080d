import {
  type ArrayNode,
  type JsonNode,
  type MemberNode,
  noSamples,
  type ObjectNode,
  type Samples,
  type Span,
  type StringNode,
} from "@configc/compiler";
import { parseDocument } from "@configc/compiler/internal";

/**
 * A valid document as mutants see it: its syntax tree and the places where mistakes can be made.
 *
 * Places are found by paths and regular expressions, not by the binder, so that a place that the binder misses isn't missed
 * here too.
 */
export class Config {
  readonly path: string;
  readonly text: string;
  readonly jsonc: boolean;
  readonly samples: Samples;
  readonly root: ObjectNode;
  /** Every member of the config's own structure: names that the author chose and data are left out. */
  readonly members: readonly MemberNode[];
  /** In document order. */
  readonly commands: readonly CommandSite[];

  constructor({ path, text, samples = noSamples }: { path: string; text: string; samples?: Samples }) {
    this.path = path;
    this.samples = samples;
    this.text = text;
    this.jsonc = path.endsWith(".jsonc");
    const { root, problems } = parseDocument(text, path);
    if (root?.kind !== "object" || problems.length > 0) throw new Error(`${path} is no valid document.`);
    this.root = root;
    const walk = new StructureWalk();
    walk.object(root, [], undefined);
    this.members = walk.members;
    this.commands = walk.commands;
  }

  /** Values at a path such as `workflows.*.setup.select.label`; `*` is any item or member. */
  select(pattern: string): JsonNode[] {
    let found: JsonNode[] = [this.root];
    for (const segment of pattern.split(".")) found = found.flatMap((node) => children(node, segment));
    return found;
  }

  objects(pattern: string): ObjectNode[] {
    return this.select(pattern).filter((node) => node.kind === "object");
  }

  strings(pattern: string): StringNode[] {
    return this.select(pattern).filter((node) => node.kind === "string");
  }

  /** Strings in commands of a key, or of all: jq programs, and every string below `!http`, `!print_c` … */
  *commandStrings(key?: string): Generator<{ node: StringNode; site: CommandSite }> {
    for (const site of this.commands) {
      if (site.key === "!pipe" || site.key === "!resource" || (key !== undefined && site.key !== key))
        continue;
      if (site.key === "!switch") {
        const jq = get(site.argument, "jq");
        if (jq?.kind === "string") yield { node: jq, site };
      } else for (const node of stringsBelow(site.argument)) yield { node, site };
    }
  }

  /** The jq programs of the document. */
  *programs(): Generator<{ node: StringNode; site: CommandSite }> {
    for (const { node, site } of this.commandStrings()) {
      if (site.key === "!jq" || site.key === "!switch") yield { node, site };
    }
  }

  /** Every `${…}` and `$<…>` in commands. */
  *expansions(root?: string): Generator<ExpansionSite> {
    for (const { node, site } of this.commandStrings()) {
      const source = this.text.slice(node.start, node.end);
      for (const match of source.matchAll(/\$(?:\{([^}]*)\}|<([^>]*)>)/g)) {
        const inner = match[1] ?? match[2]!;
        const [path = "", ...filters] = inner.split("|");
        const segments = path.trim().split(".");
        if (root !== undefined && segments[0] !== root) continue;
        const start = node.start + match.index;
        yield { node, site, span: { start, end: start + match[0].length }, inner, segments, filters };
      }
    }
  }

  /** Span of the n-th segment of an expansion. */
  segment({ span, segments }: ExpansionSite, index: number): Span {
    const path = segments.join(".");
    let start = this.text.indexOf(path, span.start);
    for (const segment of segments.slice(0, index)) start += segment.length + 1;
    return { start, end: start + segments[index]!.length };
  }

  get workflows(): ObjectNode[] {
    return this.objects("workflows.*");
  }

  get intakes(): ObjectNode[] {
    return this.objects("data_intake.*");
  }

  intake(name: string | undefined): ObjectNode | undefined {
    return this.intakes.find((intake) => textAt(intake, "name") === name);
  }

  /** Form fields of a workflow. */
  fields(workflow: ObjectNode): ObjectNode[] {
    const fields = get(get(get(workflow, "setup"), "select"), "form_fields");
    return fields?.kind === "array" ? fields.items.filter((item) => item.kind === "object") : [];
  }
}

export interface CommandSite {
  /** With its `!`. */
  readonly key: string;
  readonly node: ObjectNode;
  readonly member: MemberNode;
  readonly argument: JsonNode | undefined;
  /** Path of the outermost command around it, such as `["data_intake", 0, "create"]`. */
  readonly place: readonly (string | number)[];
  /** The intake or workflow around it. */
  readonly unit: ObjectNode | undefined;
  readonly parent: CommandSite | undefined;
  /** Index in the parent's steps or cases. */
  readonly index: number;
}

export interface ExpansionSite {
  readonly node: StringNode;
  readonly site: CommandSite;
  readonly span: Span;
  readonly inner: string;
  readonly segments: readonly string[];
  /** As written after each `|`. */
  readonly filters: readonly string[];
}

/** Members whose insides are data, or the platform's own business. */
const data = new Set(["body", "params", "headers", "request_body", "token_request_body", "objects"]);

class StructureWalk {
  readonly members: MemberNode[] = [];
  readonly commands: CommandSite[] = [];

  object(node: ObjectNode, path: readonly (string | number)[], unit: ObjectNode | undefined): void {
    const command = node.members.find((member) => member.name.startsWith("!"));
    if (command !== undefined)
      return this.command(node, command, { place: path, unit, parent: undefined, index: 0 });
    for (const member of node.members) {
      // The keys of `auth` are names; those of `defined_fields` aren't.
      if (!(path.length === 1 && path[0] === "auth")) this.members.push(member);
      if (!data.has(member.name)) this.value(member.value, [...path, member.name], unit);
    }
  }

  private value(
    value: JsonNode | undefined,
    path: readonly (string | number)[],
    unit: ObjectNode | undefined,
  ): void {
    if (value?.kind === "object") {
      this.object(value, path, path.length === 2 && path[0] !== "auth" ? value : unit);
    } else if (value?.kind === "array") {
      for (const [index, item] of value.items.entries()) this.value(item, [...path, index], unit);
    }
  }

  private command(
    node: ObjectNode,
    member: MemberNode,
    around: Pick<CommandSite, "place" | "unit" | "parent" | "index">,
  ): void {
    const argument = member.value;
    const site: CommandSite = { ...around, key: member.name, node, member, argument };
    this.commands.push(site);
    if (argument?.kind === "object") this.members.push(...argument.members);
    const steps =
      site.key === "!pipe" ? argument : site.key === "!switch" ? get(argument, "cases") : undefined;
    if (steps?.kind !== "array") return;
    for (const [index, step] of steps.items.entries()) {
      const inner = step.kind === "object" && step.members.find(({ name }) => name.startsWith("!"));
      if (inner) this.command(step as ObjectNode, inner, { ...around, parent: site, index });
    }
  }
}

function children(node: JsonNode, segment: string): JsonNode[] {
  if (node.kind === "array") {
    if (segment === "*") return node.items;
    const item = node.items[Number(segment)];
    return item === undefined ? [] : [item];
  }
  if (node.kind !== "object") return [];
  if (segment === "*") return node.members.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const value = node.get(segment);
  return value === undefined ? [] : [value];
}

export function get(node: JsonNode | undefined, member: string): JsonNode | undefined {
  return node?.kind === "object" ? node.get(member) : undefined;
}

export function textAt(node: JsonNode | undefined, member: string): string | undefined {
  const value = get(node, member);
  return value?.kind === "string" ? value.value : undefined;
}

function* stringsBelow(node: JsonNode | undefined): Generator<StringNode> {
  if (node?.kind === "string") yield node;
  else if (node?.kind === "array") for (const item of node.items) yield* stringsBelow(item);
  else if (node?.kind === "object") {
    for (const { key, value } of node.members) {
      yield key;
      yield* stringsBelow(value);
    }
  }
}

/** The innermost-first chain of `!pipe`s around a command. */
export function pipeOf(site: CommandSite): { pipe: CommandSite; stepsRun: number } | undefined {
  let inner = site;
  for (let around = site.parent; around !== undefined; around = around.parent) {
    if (around.key === "!pipe") return { pipe: around, stepsRun: inner.index };
    inner = around;
  }
  return undefined;
}

export function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === "array" ? (node as ArrayNode).items : [];
}
