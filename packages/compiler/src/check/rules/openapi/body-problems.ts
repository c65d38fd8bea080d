import { printType, type Type, types } from "@configc/jq";
import type { Command, Model } from "../../../bind/model.ts";
import { flowOf, type TypeFlow } from "../../../flow/flow.ts";
import { partOfKind, violates } from "../../../flow/violation.ts";
import type { Location } from "../../../parse/document.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import { slipOf } from "../../../samples/slip.ts";
import { excerpt } from "../../words.ts";

/** What is wrong with a part of a request body. */
export interface BodyProblem {
  readonly at: Location;
  readonly kind: "missing" | "unknown" | "type" | "value";
  /** `address.city`; empty for the whole. */
  readonly path: string;
  /** The missing or unknown member. */
  readonly name: string;
  readonly suggestion: string | undefined;
  readonly found: string;
  readonly wanted: string;
}

/** Compares a body, as far as it is written out, with the type that its operation takes. */
export function bodyProblems(
  command: Command,
  body: JsonNode,
  wanted: Type,
  model: Model,
  { form }: { readonly form: boolean },
): BodyProblem[] {
  return new Comparison(command, flowOf(model), model, form).compare(body, wanted, []);
}

class Comparison {
  private readonly command: Command;
  private readonly flow: TypeFlow;
  private readonly model: Model;
  /** All values of a form are texts. */
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
      const object = onlyObject(wanted);
      if (object !== undefined) return this.members(node, object, path);
    }
    if (node.kind === "array") {
      const list = partOfKind(wanted, "array");
      if (list?.kind === "array")
        return node.items.flatMap((item) => this.compare(item, list.items, [...path, "[]"]));
    }
    if (this.form && path.length > 0) return [];
    const found = this.typeOf(node);
    if (found === undefined) return [];
    const problem = {
      at: node,
      path: textOf(path),
      name: "",
      suggestion: undefined,
      ...shown(found, wanted),
    };
    if (violates(found, wanted)) return [{ ...problem, kind: "type" }];
    return isOtherValue(found, wanted) ? [{ ...problem, kind: "value" }] : [];
  }

  private members(
    node: ObjectNode,
    wanted: Extract<Type, { kind: "object" }>,
    path: readonly string[],
  ): BodyProblem[] {
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
      const suggestion = slipOf(
        name,
        [...wanted.members.keys()].filter((known) => !names.has(known)),
      );
      if (suggestion === undefined && (wanted.rest !== undefined || wanted.members.size === 0)) continue;
      if (suggestion !== undefined) slips.add(suggestion);
      problems.push({
        at: key,
        kind: "unknown",
        path: textOf(path),
        name,
        suggestion,
        ...shown(wanted, wanted),
      });
    }
    for (const [name, { optional }] of wanted.members) {
      if (optional || computed || names.has(name) || slips.has(name)) continue;
      const at = ownerOf(node);
      problems.push({
        at,
        kind: "missing",
        path: textOf(path),
        name,
        suggestion: undefined,
        ...shown(wanted, wanted),
      });
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

/** A form of several kinds of objects isn't compared: which is meant depends on its values. */
function onlyObject(wanted: Type): Extract<Type, { kind: "object" }> | undefined {
  const objects = types.partsOf(wanted).filter((part) => part.kind === "object");
  return objects.length === 1 && objects[0]?.kind === "object" ? objects[0] : undefined;
}

function orNull({ type, optional }: { readonly type: Type; readonly optional: boolean }): Type {
  return optional ? types.union(type, types.nullType) : type;
}

/** Whether a constant isn't among those that are listed. */
function isOtherValue(found: Type, wanted: Type): boolean {
  if (!types.isUnit(found) || found.kind === "null") return false;
  const same = types.partsOf(wanted).filter(({ kind }) => kind === found.kind);
  return same.length > 0 && same.every((part) => types.isUnit(part) && part !== found);
}

/** That an optional member may be `null` is said nowhere. */
function shown(found: Type, wanted: Type): Pick<BodyProblem, "found" | "wanted"> {
  const parts = types.partsOf(wanted).filter(({ kind }) => kind !== "null");
  return { found: typeText(found), wanted: typeText(parts.length === 0 ? wanted : types.union(...parts)) };
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
