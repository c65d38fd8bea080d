import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { derivedOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import type { IntakeWorld, ParameterMeaning } from "../../options/world-file.ts";
import { boundName, wordsOf } from "./bound-names.ts";
import { type ListParameter, type ListRequest, listRequestOf } from "./list-request.ts";
import { isReadable } from "./readable.ts";
import { stateDependence } from "./state-dependence.ts";
import { kindsWritten } from "./state-kinds.ts";
import { outcomesOf, writesIn } from "./state-writes.ts";
import { isChangeTime, isTimeName } from "./time-names.ts";
import { type Watermark, watermarksOf } from "./watermarks.ts";

/** How a polling intake reads its list, as far as that is certain. */
export interface ListReading {
  readonly request: ListRequest;
  /** What the world file says of the service. */
  readonly known: IntakeWorld;
  /** The number of a page, or of records to pass over, that is counted up from request to request. */
  readonly counter: ListParameter | undefined;
  /** The lower bound of a time that moves on from cycle to cycle. */
  readonly since: Since | undefined;
  /** The upper bound of a time. */
  readonly until: ListParameter | undefined;
  readonly order: ListOrder;
}

/** A lower bound, and how it moves. */
export interface Since extends ListParameter {
  readonly key: string;
  readonly watermarks: readonly Watermark[];
  /** The time changes with each change of a record: what is changed gets to another place in the list. */
  readonly isOfChanges: boolean;
}

/** In which order the list comes. */
export interface ListOrder {
  /** `unknown` where something asks for an order that is only known when it runs; undefined where nothing asks. */
  readonly direction: "ascending" | "descending" | "unknown" | undefined;
  /** By what, as the request asks for it: `updated_at`, `-created`, `id asc`; empty where only a direction is asked for. */
  readonly by: string;
  /** Where it is asked for. */
  readonly parameter: ListParameter | undefined;
}

/** How a polling intake reads its list; undefined where that can't be read off it. Several rules ask for the same intake. */
export const listReadingOf = derivedOf(read);

function read(intake: IntakeSymbol, model: Model): ListReading | undefined {
  if (intake.type !== "polling" || !isReadable(intake, model)) return undefined;
  const request = listRequestOf(intake, model);
  if (request === undefined) return undefined;
  const said = model.samples.world?.intakes[intake.name ?? ""] ?? {};
  const isFrozen = Object.values(said.parameters ?? {}).includes("as-of");
  const known: IntakeWorld = isFrozen ? { pages: "frozen", ...said } : said;
  const meaning = ({ name }: ListParameter): ParameterMeaning | undefined => known.parameters?.[name];
  const counter = readsOnePage(intake, model)
    ? undefined
    : request.parameters.find((parameter) => {
        const told = meaning(parameter);
        return told === undefined ? counts(parameter, intake, model) : told === "page" || told === "offset";
      });
  const others = request.parameters.filter((parameter) => parameter !== counter);
  const bound = (end: "lower" | "upper"): readonly ListParameter[] =>
    others.filter((parameter) => {
      const told = meaning(parameter);
      if (told !== undefined) return told === (end === "lower" ? "from" : "to");
      const { name, key } = parameter;
      return key !== undefined && (boundName(name) ?? boundName(key))?.end === end;
    });
  const order = orderOf(request, known);
  const since = bound("lower").flatMap((parameter) => sinceOf(parameter, order, intake, model) ?? []);
  return { request, known, counter, since: since[0], until: bound("upper")[0], order };
}

const counterNames: ReadonlySet<string> = new Set([
  "page",
  "pageno",
  "pagenumber",
  "p",
  "offset",
  "skip",
  "start",
  "startat",
  "startindex",
]);

/** `page: (${polling_state.page} + 1)`, on one of the ways in which `request` sets it. */
function counts({ name, key }: ListParameter, intake: IntakeSymbol, model: Model): boolean {
  if (key === undefined || ![...wordsOf(name), ...wordsOf(key)].some((word) => counterNames.has(word)))
    return false;
  const writes = writesIn(intake, "request", model) ?? [];
  return writes.some(({ keys, program }) => {
    const value = keys.get(key);
    return value !== undefined && addsTo(value, key, program);
  });
}

function addsTo(node: Expression, key: string, program: JqProgram): boolean {
  switch (node.kind) {
    case "Group":
      return addsTo(node.body, key, program);
    case "If":
      return [
        ...node.branches.map(({ body }) => body),
        ...(node.otherwise === undefined ? [] : [node.otherwise]),
      ].some((body) => addsTo(body, key, program));
    case "Arithmetic": {
      const { keys, clock } = stateDependence(program, [node]);
      return keys.has(key) && !clock && node.rest.every(({ operator }) => operator === "+");
    }
    default:
      return false;
  }
}

function readsOnePage(intake: IntakeSymbol, model: Model): boolean {
  const request = intake.commands.get("request");
  const outcomes = (request === undefined ? undefined : outcomesOf(request, model)) ?? [];
  return (
    outcomes.length > 0 &&
    outcomes.every(({ members }) => {
      const iterate = members.get("iterate");
      return iterate !== undefined && constantOf(iterate) === false;
    })
  );
}

function sinceOf(
  parameter: ListParameter,
  order: ListOrder,
  intake: IntakeSymbol,
  model: Model,
): Since | undefined {
  const { name, key } = parameter;
  if (key === undefined) return undefined;
  const watermarks = watermarksOf(intake, key, model);
  if (watermarks === undefined || watermarks.length === 0) return undefined;
  const members = watermarks.flatMap(({ member }) => member ?? []);
  const isTime =
    [name, ...members].some(isTimeName) ||
    watermarks.some(({ from }) => from === "clock") ||
    kindsWritten(intake, model).some(
      (written) => written.key === key && ["seconds", "milliseconds", "date"].includes(written.kind),
    );
  if (!isTime) return undefined;
  return { ...parameter, key, watermarks, isOfChanges: [name, ...members, order.by].some(isChangeTime) };
}

const orderNames: ReadonlySet<string> = new Set([
  "sort",
  "order",
  "orderby",
  "sortby",
  "ordering",
  "sorting",
  "direction",
]);

function orderOf({ parameters }: ListRequest, { order }: IntakeWorld): ListOrder {
  const asked = parameters.filter(({ name }) => wordsOf(name).some((word) => orderNames.has(word)));
  const texts = asked.flatMap(({ constant }) => constant ?? []);
  const by = texts.filter((text) => !/^(?:asc|desc)(?:ending)?$/i.test(text)).join(" ");
  const [parameter] = asked;
  if (order !== undefined)
    return { direction: order === "oldest-first" ? "ascending" : "descending", by, parameter };
  if (parameter === undefined) return { direction: undefined, by, parameter };
  if (texts.length < asked.length) return { direction: "unknown", by, parameter };
  const isDescending = texts.some((text) => /(?:^|[^a-z])desc|^-|:-/i.test(text));
  return { direction: isDescending ? "descending" : "ascending", by, parameter };
}
