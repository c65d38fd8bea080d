import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { emptinessBy, type ReadPath, readPath } from "../../../flow/emptiness.ts";
import { bare, nodesIn, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { documentedEnd } from "../../../flow/protocol/documented-end.ts";
import { onlyOutcome, resolved } from "../../../flow/protocol/forms.ts";
import { keepsKey, mayBeKept } from "../../../flow/protocol/kept-state.ts";
import { type Asked, askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { parserPrograms } from "../api/parser-programs.ts";

/**
 * Where `iterate` asks whether a page has records, although the last page has some and no token: what is sent then is null, as it was for the
 * first page. Services that give a token with each page that has records say nothing of a last page without one.
 */
export function tokenRunsOut(
  intake: IntakeSymbol,
  model: Model,
): { readonly key: string; readonly at: StringPart } | undefined {
  const asked = askedBy(intake, model);
  const outcome = onlyOutcome(intake, model);
  if (asked === undefined || asked.varies || outcome === undefined) return undefined;
  const { program, members } = outcome;
  const iterate = resolved(members.get("iterate"), program);
  if (iterate === undefined || !asksForRecords(iterate, members.get("results"), program)) return undefined;
  const key = [...new Set(asked.reads.map((read) => read.key))].find(
    (each) => isToken(each, intake, model) && restStays(each, asked, intake, model),
  );
  const [request] = asked.requests;
  if (key === undefined || request === undefined) return undefined;
  const isSaid =
    documentedEnd(intake, request.node, model) !== undefined ||
    isODataLink(key, intake, model) ||
    endsLists(key, asked, intake, model);
  return isSaid ? { key, at: partAt(program, iterate) } : undefined;
}

/** `(.items | length) > 0`, `.items != []`, and nothing else. */
function asksForRecords(iterate: Expression, results: Expression | undefined, program: JqProgram): boolean {
  const list = listOf(resolved(results, program), program);
  const [holds, fails] = [true, false].map((isTrue) => emptinessBy(iterate, isTrue, program));
  const [asked] = holds!;
  if (list === undefined || asked === undefined || holds!.length !== 1 || fails!.length !== 1) return false;
  const path = unnamed(asked.path, program);
  return !asked.isEmpty && !asked.mayBeFalse && path.join("\n") === list.join("\n");
}

/** `.items` of `$items`, where `.items as $items` is the only thing called so. */
function unnamed([head, ...below]: ReadPath, program: JqProgram): ReadPath {
  if (head?.startsWith("$") !== true) return [head!, ...below];
  const [bound, ...others] = nodesOfKind(program, "Binding").filter(({ patterns }) =>
    patterns.some((pattern) => pattern.kind === "VariablePattern" && `$${pattern.name}` === head),
  );
  const source = bound === undefined || others.length > 0 ? undefined : readPath(bound.source, program);
  return source === undefined ? [head, ...below] : [...source, ...below];
}

/** The list of which results are made: `.items` of `[.items[] | {id}]` and of `.items | map({id})`. */
function listOf(node: Expression | undefined, program: JqProgram): readonly string[] | undefined {
  switch (node?.kind) {
    case "Array":
      return node.body === undefined ? undefined : listOf(node.body, program);
    case "Pipeline": {
      const [first] = node.stages;
      if (first === undefined || first.kind === "Definition" || first.kind === "Label") return undefined;
      return first.kind === "Binding" ? undefined : listOf(resolved(first, program), program);
    }
    default:
      return node === undefined ? undefined : readPath(node, program);
  }
}

/** A key that is null for the first page, and that each answer sets anew. */
function isToken(key: string, intake: IntakeSymbol, model: Model): boolean {
  const begun = writesIn(intake, "initial_setup", model) ?? [];
  const writes = writesIn(intake, "request", model) ?? [];
  return (
    begun.length > 0 &&
    writes.length > 0 &&
    begun.every(({ keys }) => keys.has(key) && constantOf(bare(keys.get(key)!)) === null) &&
    writes.every(({ keys, program }) => {
      const value = keys.get(key);
      if (value === undefined || constantOf(bare(value)) !== undefined) return false;
      const { input, all, keys: from } = stateDependence(program, [value]);
      return input && !all && from.size === 0 && !mayBeKept(value, key, program);
    })
  );
}

/** Whether nothing else that is sent moves: behind the last page another window may begin. */
function restStays(token: string, { reads, through, deciding }: Asked, intake: IntakeSymbol, model: Model) {
  const others = [...reads.map(({ key }) => key), ...through, ...deciding].filter((key) => key !== token);
  return (writesIn(intake, "request", model) ?? []).every((write) =>
    others.every((key) => keepsKey(write, key)),
  );
}

/**
 * Whether the lists of the document end where the same member of an answer is null, which they send under the same name: it is called the next
 * one, and is no place that a page has as long as it has records.
 */
function endsLists(key: string, { reads }: Asked, intake: IntakeSymbol, model: Model): boolean {
  const pagination = model.api?.node.get("pagination");
  if (pagination?.kind !== "object") return false;
  const own = [...parserPrograms(pagination, model)].find(({ name }) => name === "next_result_token");
  const path = own === undefined ? undefined : readPath(plainBody(own.program), own.program)?.join(".");
  if (path === undefined || !/(?:^|[._])next(?:$|[._A-Z])/.test(path)) return false;
  const style = pagination.get("style");
  const named = style?.kind === "object" ? textOf(style.get("cursor"), "param") : undefined;
  const isSentSo = reads.some((read) => read.key === key && paramOf(read) === (named ?? "cursor"));
  return (
    isSentSo &&
    (writesIn(intake, "request", model) ?? []).every(
      ({ keys, program }) => readPath(keys.get(key)!, program)?.join(".") === path,
    )
  );
}

/** Whether a token is taken out of the link that an OData service gives with each page but the last. */
function isODataLink(key: string, intake: IntakeSymbol, model: Model): boolean {
  return (writesIn(intake, "request", model) ?? []).every(({ keys, program }) => {
    const value = bare(keys.get(key)!);
    const made = (value.kind === "Variable" ? boundTo(program, value) : undefined) ?? value;
    return nodesIn(made).some(
      ({ kind, start, end }) =>
        kind === "Postfix" && /odata\.nextLink\W*$/i.test(program.node.value.slice(start, end)),
    );
  });
}
