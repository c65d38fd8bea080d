import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol } from "../../bind/bound-nodes.ts";
import { derived, derivedOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import type { JsonNode, ObjectNode } from "../../parse/syntax-tree.ts";
import { graphqlPageSizes, graphqlQuery, pageSizesIn } from "../../samples/graphql.ts";
import { finalObject, literalMembers } from "../literal-object.ts";
import { bare } from "../nodes.ts";
import { askedBy } from "./request-reads.ts";

/** Names that mean the size of a page and nothing else. */
const sizeParam =
  /^(?:page\[)?(?:limit|size|per_?page|page_?(?:size|length)|batch_?size|max_?(?:results|rows|items|records|entries)|\$top|top|count|rows|take|(?:results|rows|items|records)_?per_?page)\]?$/i;

/** The parameter that `api.pagination` says is the size of a page. */
const ownSizeParam = derived(({ api }: Model): string | null => {
  const pagination = api?.node.get("pagination");
  const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
  const names = ["limit", "page_size"].flatMap((name) => {
    const member = style?.kind === "object" ? style.get(name) : undefined;
    const param = member?.kind === "object" ? member.get("param") : undefined;
    return param?.kind === "string" ? [param.value] : [];
  });
  return names[0] ?? null;
});

/** Whether a parameter is the size of a page, by its name or by what `api.pagination` says. */
export const isSizeParam = (name: string, model: Model): boolean =>
  sizeParam.test(name) || name === ownSizeParam(model);

/** The size of a page, where the one request of an intake names one as a constant. */
export const requestedPageSize = derivedOf(readPageSize);

function readPageSize(intake: IntakeSymbol, model: Model): number | undefined {
  const { requests = [], reads = [] } = askedBy(intake, model) ?? {};
  // Beside the list, what its records name may be looked up: a place in the list is asked for with the state.
  const placed = requests.length > 1 ? [...new Set(reads.map(({ command }) => command))] : requests;
  const [request, ...others] = placed;
  return request === undefined || others.length > 0 ? undefined : pageSizeOf(request, model);
}

/** The size of a page that a request names as a constant. */
export function pageSizeOf(request: Command, model: Model): number | undefined {
  if (request.argument?.kind !== "object") return undefined;
  const { argument } = request;
  const sizes = ["params", "body"].flatMap((name) => sizesIn(argument.get(name), model));
  const path = argument.get("path") ?? argument.get("url");
  const inPath = path?.kind === "string" ? path.value.split("?")[1] : undefined;
  if (inPath !== undefined)
    for (const [name, value] of inPath.split("&").map((each) => each.split("=")))
      sizes.push(...sizeOf(name ?? "", Number(value), model));
  if (sizes.length === 0 && path?.kind === "string" && /^\s*\$[{<]/.test(path.value))
    sizes.push(...(request.unit?.kind === "intake" ? sizesInAddresses(request.unit, model) : []));
  const query = graphqlQuery(request);
  if (query !== undefined) sizes.push(...graphqlPageSizes(request, query));
  const body = argument.get("body");
  if (body?.kind === "string") sizes.push(...sizesMade(request, body.value, model));
  if (sizes.length === 0 && request.unit?.kind === "intake")
    sizes.push(...sizesCompared(argument, request.unit, model));
  return new Set(sizes).size === 1 ? sizes[0] : undefined;
}

/** Of a body that a step before makes as a whole: `{limit: 50}`, or a query of GraphQL with its variables. */
function sizesMade(request: Command, body: string, model: Model): readonly number[] {
  const [, index] = /^\s*\$[{<]\s*piped_content\.(\d+)\s*[}>]\s*$/.exec(body) ?? [];
  const step = index === undefined ? undefined : request.pipe?.children[Number(index) - 1];
  const program = step?.key === "!jq" && step.program?.diagnostics.length === 0 ? step.program : undefined;
  const made = program === undefined ? undefined : finalObject(program);
  const members = made === undefined ? undefined : literalMembers(made);
  if (members === undefined) return [];
  const given = (node: Expression | undefined): unknown =>
    node === undefined ? undefined : constantOf(bare(node));
  const query = given(members.get("query"));
  if (typeof query === "string" && query.includes("{")) {
    const sent = members.get("variables");
    const object = sent === undefined ? undefined : bare(sent);
    const variables = object?.kind === "Object" ? literalMembers(object) : undefined;
    return pageSizesIn(query, (name) => given(variables?.get(name)));
  }
  return [...members].flatMap(([name, value]) => {
    const size = given(value);
    return typeof size === "number" ? sizeOf(name, size, model) : [];
  });
}

/** `(.rows | length) == 250` */
const lengthCompared = /\blength\b[\s)]*(?:[=!]=|>=|<)\s*(\d+)/g;

/** A number that is sent under a name that may mean anything, `anzahl: 250`, and that a program compares the length of a list with. */
function sizesCompared(argument: ObjectNode, intake: IntakeSymbol, model: Model): readonly number[] {
  const sent = ["params", "body"].flatMap((name) => numbersIn(argument.get(name))).filter((each) => each > 1);
  if (sent.length === 0) return [];
  const compared = partOfUnit(intake, model).commands.flatMap(({ program, unit }) =>
    program === undefined || unit !== intake
      ? []
      : [...program.node.value.matchAll(lengthCompared)].map(([, size]) => Number(size)),
  );
  const found = [...new Set(compared)].filter((size) => sent.filter((each) => each === size).length === 1);
  return found.length === 1 ? found : [];
}

function numbersIn(node: JsonNode | undefined): readonly number[] {
  if (node?.kind === "object") return node.members.flatMap(({ value }) => numbersIn(value));
  if (node?.kind !== "number" && node?.kind !== "string") return [];
  return /^\d+$/.test(String(node.value)) ? [Number(node.value)] : [];
}

/** Of addresses that programs of the intake make, `"/items?per_page=100&list=\\(…)"`, where the request takes its own from there. */
function sizesInAddresses(intake: IntakeSymbol, model: Model): readonly number[] {
  return partOfUnit(intake, model).commands.flatMap(({ program, unit }) =>
    program === undefined || unit !== intake
      ? []
      : [...program.node.value.matchAll(/[?&]([\w[\]$]+)=(\d+)(?=["&\s]|$)/g)].flatMap(([, name, size]) =>
          sizeOf(name!, Number(size), model),
        ),
  );
}

function sizesIn(node: JsonNode | undefined, model: Model): readonly number[] {
  return node?.kind !== "object"
    ? []
    : node.members.flatMap(({ name, value }) => {
        if (value?.kind === "object") return sizesIn(value, model);
        return value?.kind === "number" || value?.kind === "string"
          ? sizeOf(name, Number(value.value), model)
          : [];
      });
}

function sizeOf(param: string, size: number, model: Model): readonly number[] {
  return isSizeParam(param, model) && Number.isInteger(size) && size > 0 ? [size] : [];
}

/** Whether a parameter is called as those that say how many records to leave out. */
export const isOffsetParam = (name: string): boolean =>
  /^(?:\$?skip|(?:page\[)?offset\]?|start_?(?:index|at)|first_?result)$/i.test(name);
