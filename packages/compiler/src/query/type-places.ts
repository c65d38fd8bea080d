import { nodesAt } from "@configc/jq";
import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { flowOf } from "../flow/flow.ts";
import { expansionTrails, type Origin, type Trail } from "../flow/origin.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { learnedPayloads } from "../samples/payloads.ts";
import { learnedResponses } from "../samples/responses.ts";
import { cursorAt } from "./cursor.ts";
import { operationOf } from "./openapi/operations.ts";
import { programTrails } from "./program/program-trails.ts";

/** Where a type is known from: a part of the document, or a line of another file. */
export type TypePlace = Span | { readonly uri: string; readonly line: number };

/**
 * Where it is said what the value at an offset is like: the operation in an OpenAPI document, the samples, the form field, or else
 * the command that gives it.
 */
export function typePlacesAt(model: Model, offset: number): readonly TypePlace[] {
  const places = trailsAt(model, offset).flatMap(({ origin }) => placesOf(model, origin));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

function trailsAt(model: Model, offset: number): readonly Trail[] {
  const cursor = cursorAt(model, offset);
  if (cursor?.kind !== "text") return [];
  if (cursor.expansion !== undefined) {
    const { expansion } = cursor.expansion;
    const before = expansion.syntax.path.filter(({ start }) => start <= cursor.offset).length;
    return expansionTrails(flowOf(model), expansion, before);
  }
  const { program } = cursor;
  if (program === undefined || program.diagnostics.length > 0) return [];
  const isCall = nodesAt(program.tree, cursor.offset).at(-1)?.kind === "Call";
  return isCall ? [] : programTrails(model, program, cursor.offset);
}

function placesOf(model: Model, origin: Origin): readonly TypePlace[] {
  switch (origin.kind) {
    case "response": {
      const document = operationOf(model, origin.command);
      if (document?.document.uri !== undefined) {
        const { uri, lineOf } = document.document;
        return [{ uri, line: lineOf?.(document.path, document.method) ?? 0 }];
      }
      const samples = learnedResponses(model).get(origin.command)?.samples ?? [];
      return filesOr(samples, keyOf(origin.command));
    }
    case "payload": {
      const { node, nameNode } = origin.intake;
      const samples = learnedPayloads(model).get(origin.intake)?.samples ?? [];
      return filesOr(samples, spanOnly(nameNode ?? node));
    }
    case "field":
      return [spanOnly(origin.field.idNode ?? origin.field.node)];
    case "made":
      return [keyOf(origin.program.command)];
    case "resource":
    case "command":
    case "place":
      return [keyOf(origin.command)];
  }
}

function filesOr(samples: readonly { readonly uri?: string }[], otherwise: Span): readonly TypePlace[] {
  const files = samples.flatMap(({ uri }) => (uri === undefined ? [] : [{ uri, line: 0 }]));
  return files.length > 0 ? files : [otherwise];
}

function keyOf({ member }: Command): Span {
  return spanOnly(member.key);
}

function spanOnly({ start, end }: Span): Span {
  return { start, end };
}
