import { printType, type Type, types } from "@configc/jq";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import { orNull, partOfKind, violates } from "../../../flow/violation.ts";
import type { Location } from "../../../parse/document.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import { misspellingOf } from "../../../samples/misspelling.ts";
import type { RequestBody } from "../../../samples/openapi/described.ts";
import { sentFormat } from "../../../samples/request-format.ts";
import { excerpt } from "../../message-text.ts";

/** What is wrong with a part of a request body. */
export interface BodyProblem {
  readonly at: Location;
  /** `format`: it is JSON, and should be a form. */
  readonly kind: "missing" | "unknown" | "type" | "value" | "format";
  /** `address.city`; empty for the whole. */
  readonly path: string;
  /** The missing or unknown member. */
  readonly name: string;
  readonly suggestion: string | undefined;
  readonly found: string;
  readonly wanted: string;
}

/** Compares a body, as far as it is written out, with what its operation takes. */
export function bodyProblems(
  command: Command,
  body: JsonNode,
  { type, format }: RequestBody,
  model: Model,
): BodyProblem[] {
  const sent = sentFormat(command);
  const asForm = format === "form" || sent !== "json";
  const problems = new Comparison(command, flowOf(model), model, asForm).compare(body, type, []);
  if (format !== "form" || sent !== "json" || body.parent?.kind !== "member") return problems;
  const problem = problemOf("format", types.unknown, types.unknown, []);
  return [{ ...problem, at: body.parent.key }, ...problems];
}

type ObjectType = Extract<Type, { kind: "object" }>;

class Comparison {
  private readonly command: Command;
  private readonly flow: TypeFlow;
  private readonly model: Model;
  /** All values of a form are texts, and members of members are written into names. */
  private readonly form: boolean;

  constructor(command: Command, flow: TypeFlow, model: Model, form: boolean) {
    this.command = command;
    this.flow = flow;
    this.model = model;
    this.form = form;
  }

  compare(node: JsonNode, wanted: Type, path: readonly string[]): BodyProblem[] {
    if (wanted.kind === "unknown") return [];
    if (node.kind === "object") {
      const kinds = types.partsOf(wanted).filter((part) => part.kind === "object");
      if (kinds.length > 0) return this.nearestKind(node, kinds, path);
    }
    if (node.kind === "array") {
      const list = partOfKind(wanted, "array");
      if (list?.kind === "array")
        return node.items.flatMap((item) => this.compare(item, list.items, [...path, "[]"]));
    }
    if (this.form && path.length > 0) return [];
    const found = this.typeOf(node);
    if (found === undefined) return [];
    const kind = violates(found, wanted) ? "type" : isOtherValue(found, wanted) ? "value" : undefined;
    return kind === undefined ? [] : [{ ...problemOf(kind, found, wanted, path), at: node }];
  }

  /**
   * An object that may be one of several kinds: those whose constants it has, if any (`{"type": "card"}`), and of these the one
   * to which it is nearest. It is right if it is right as one of them.
   */
  private nearestKind(
    node: ObjectNode,
    kinds: readonly ObjectType[],
    path: readonly string[],
  ): BodyProblem[] {
    const told = kinds.filter((kind) => this.hasConstants(node, kind));
    const none = told.length > 0 || kinds.length === 1 ? undefined : this.ofNoKind(node, kinds, path);
    if (none !== undefined) return [none];
    let nearest: BodyProblem[] | undefined;
    for (const kind of told.length > 0 ? told : kinds) {
      const problems = this.members(node, kind, path);
      if (nearest === undefined || problems.length < nearest.length) nearest = problems;
    }
    return nearest ?? [];
  }

  /** Whether a constant of an object is one that a kind lists for it, and none is one that it doesn't. */
  private hasConstants(node: ObjectNode, { members }: ObjectType): boolean {
    const listed = node.members.flatMap(({ name, value }) => {
      const found = this.constant(value);
      const wanted = members.get(name)?.type;
      return found !== undefined && wanted !== undefined && isListed(wanted)
        ? [[found, wanted] as const]
        : [];
    });
    return listed.length > 0 && listed.every(([found, wanted]) => types.partsOf(wanted).includes(found));
  }

  /** That a member by which all kinds are told apart has the value of none. */
  private ofNoKind(
    node: ObjectNode,
    kinds: readonly ObjectType[],
    path: readonly string[],
  ): BodyProblem | undefined {
    for (const { name, value } of node.members) {
      const found = this.constant(value);
      const values = kinds.flatMap(({ members }) => members.get(name)?.type ?? []);
      if (found === undefined || value === undefined || values.length < kinds.length) continue;
      const wanted = types.union(...values);
      if (isListed(wanted) && !types.partsOf(wanted).includes(found))
        return { ...problemOf("value", found, wanted, [...path, name]), at: value };
    }
    return undefined;
  }

  private constant(node: JsonNode | undefined): Type | undefined {
    const type = node?.kind === "string" ? this.typeOf(node) : undefined;
    return type !== undefined && types.isUnit(type) ? type : undefined;
  }

  private members(node: ObjectNode, wanted: ObjectType, path: readonly string[]): BodyProblem[] {
    // Forms write what is in a member into its name: `address[city]`.
    const nameOf = (name: string): string => (this.form ? name.replace(/(?!^)[[.].*$/s, "") : name);
    const names = new Set(node.members.flatMap(({ name }) => [name, nameOf(name)]));
    const computed = [...names].some((name) => parseTemplate(name) !== undefined);
    const problems: BodyProblem[] = [];
    const slips = new Set<string>();
    for (const { name, key, value } of node.members) {
      const member = wanted.members.get(name);
      if (member !== undefined) {
        if (value !== undefined) problems.push(...this.compare(value, orNull(member), [...path, name]));
        continue;
      }
      if (computed || wanted.members.has(nameOf(name))) continue;
      // A dictionary: any name, and a value of one type.
      if (wanted.rest !== undefined && wanted.members.size === 0) {
        if (value !== undefined)
          problems.push(...this.compare(value, types.union(wanted.rest, types.nullType), [...path, name]));
        continue;
      }
      const suggestion = misspellingOf(
        name,
        [...wanted.members.keys()].filter((known) => !names.has(known)),
      );
      if (suggestion === undefined && (wanted.rest !== undefined || wanted.members.size === 0)) continue;
      if (suggestion !== undefined) slips.add(suggestion);
      problems.push({ ...problemOf("unknown", wanted, wanted, path), at: key, name, suggestion });
    }
    for (const [name, { optional }] of wanted.members) {
      if (optional || computed || names.has(name) || slips.has(name)) continue;
      problems.push({ ...problemOf("missing", wanted, wanted, path), at: ownerOf(node), name });
    }
    return problems;
  }

  private typeOf(node: JsonNode): Type | undefined {
    switch (node.kind) {
      case "string": {
        const template = parseTemplate(node.value);
        if (template === undefined) return types.literal(node.value);
        if (!isWhole(template)) return types.string;
        const expansion = this.model.expansions.find((each) => each.node === node);
        return expansion === undefined || expansion.command !== this.command
          ? undefined
          : this.flow.expansion(expansion);
      }
      case "number":
      case "boolean":
        return types.literal(node.value);
      case "object":
        return types.anyObject;
      case "array":
        return types.anyArray;
      default:
        // That a `null` isn't announced says little: many documents forget it.
        return undefined;
    }
  }
}

/** Whether its values are texts that are all listed. */
function isListed(type: Type): boolean {
  return types.partsOf(type).every((part) => part.kind === "string" && types.isUnit(part));
}

/** Whether a constant isn't among those that are listed. */
function isOtherValue(found: Type, wanted: Type): boolean {
  if (!types.isUnit(found) || found.kind === "null") return false;
  const same = types.partsOf(wanted).filter(({ kind }) => kind === found.kind);
  return same.length > 0 && same.every((part) => types.isUnit(part) && part !== found);
}

/** All of it but the place; that an optional member may be `null` is said nowhere. */
function problemOf(
  kind: BodyProblem["kind"],
  found: Type,
  wanted: Type,
  path: readonly string[],
): Omit<BodyProblem, "at"> {
  const parts = types.partsOf(wanted).filter((part) => part.kind !== "null");
  return {
    kind,
    path: textOf(path),
    name: "",
    suggestion: undefined,
    found: typeText(found),
    wanted: typeText(parts.length === 0 ? wanted : types.union(...parts)),
  };
}

function typeText(type: Type): string {
  return excerpt(printType(type, { depth: 2, members: 8 }), 160);
}

/** The key of the member that an object is the value of, else its opening brace. */
function ownerOf(node: ObjectNode): Location {
  return node.parent?.kind === "member" ? node.parent.key : node;
}

function textOf(path: readonly string[]): string {
  return path.join(".").replaceAll(".[]", "[]");
}
