import type { App, AppOptions, AppPagination, AppWorkflow } from "@configc/compiler";
import { amongOf } from "../protocol/links.ts";
import { cleaned, countedIn, listsOf } from "../protocol/places.ts";
import type { Indicator, Untried } from "../protocol/protocol.ts";
import { sizeNames, wordsOf } from "../service/names.ts";
import { type Answered, textsOf } from "../service/routes.ts";
import { joined } from "../service/shape.ts";
import type { Installed } from "../stage/stage.ts";
import { formOf, mappingOf } from "../subject.ts";
import { CommandWalk, type RequestTemplate } from "../symbolic/command.ts";
import { walkProgram } from "../symbolic/program.ts";
import { atomsOf, isPlaceOf, literal, type Path, type Value } from "../symbolic/value.ts";

/** A list of the service of which options are made. */
export interface OptionList {
  /** What a story calls it: “the options of `list`”. */
  readonly told: string;
  readonly exchange: RequestTemplate;
  /** Where it stands in the answer. */
  readonly path: Path;
  /** Options are made of lists in its records. */
  readonly isNested: boolean;
  /** A customer can search in it. */
  readonly isSearched: boolean;
  /** How many records the app asks for, where it asks for no further page. */
  readonly most: number | undefined;
}

/** The guided setup of a workflow, with what its service has to know of it. */
export interface SetupSubject extends Installed {
  readonly answered: readonly Answered[];
  readonly lists: readonly OptionList[];
  /** Where answers say how far their pages go, by members of `api.pagination`'s parser. */
  readonly paging: Paging | undefined;
  /** Places of answers by which the app sees that there is more, where it isn't known what they say: null, or a list of nothing. */
  readonly unknown: readonly { readonly at: Path; readonly isList: boolean }[];
  readonly notTried: readonly string[];
}

/** How the pages of lists are told, by `api.pagination`. */
export interface Paging {
  readonly type: AppPagination["type"];
  readonly pointer: string;
  /** Names of parameters: which page, and how many records are on it. */
  readonly place: string;
  readonly size: string | undefined;
  /** Number of the first page, or of the first record. */
  readonly first: number;
  readonly says: ReadonlyMap<string, Place>;
}

/** Where an answer says something of its pages. */
type Place = Pick<Indicator, "path" | "among">;

/** The guided setup of a workflow; why it can't be tried where no command of it sends anything. */
export function setupSubjectOf(app: App, workflow: AppWorkflow): SetupSubject | Untried {
  const walk = new CommandWalk(app);
  const lists: (Pick<OptionList, "told" | "path" | "isNested" | "isSearched"> & {
    readonly index: number;
  })[] = [];
  const notTried: string[] = [];
  const { connect, select, map } = workflow.setup;
  const optionsOf = (told: string, options: AppOptions | undefined, isSearched = false): void => {
    if (options === undefined || !("command" in options)) return;
    const before = walk.exchanges.length;
    const output = walk.walk(options.command, roots);
    const found = listsOf(output, countedIn(output), undefined, true);
    if (found !== undefined && found.exchange >= before) {
      const inner = found.path.indexOf("[]");
      const path = inner < 0 ? found.path : found.path.slice(0, inner);
      lists.push({ told, path, isNested: inner >= 0, isSearched, index: found.exchange });
    } else if (walk.exchanges.length > before)
      notTried.push(`none and many of ${told}, for no list of an answer is found in them`);
  };
  walk.walk(connect?.describeConnection, roots);
  for (const { id, options, searchTerm } of select?.fields ?? [])
    optionsOf(optionsTold(id), options, searchTerm !== undefined);
  walk.walk(select?.resourceId, roots);
  walk.walk(select?.display, roots);
  optionsOf("the fields of `describe_source`", map?.source.options);
  optionsOf("the fields of `describe_target`", map?.target.options);
  if (walk.exchanges.length === 0) return { reason: NOTHING };
  const said = saidIn(app, walk);
  const paging = pagingOf(app, said);
  const form = formOf(app, workflow);
  const all = lists.map(({ index, ...rest }): OptionList => {
    const exchange = walk.exchanges[index]!;
    // What isn't on the first page is found by a search.
    const isWhole = exchange.isPaginated || rest.isSearched;
    return { ...rest, exchange, most: isWhole ? undefined : mostOf(exchange) };
  });
  const inPages = (lists: readonly OptionList[], why: string): readonly string[] =>
    lists.length === 0 ? [] : [`pages of ${lists.map(({ told }) => told).join(", of ")}, for ${why}`];
  notTried.push(
    ...inPages(
      all.filter(({ exchange }) => exchange.isPaginated && paging === undefined),
      "where an answer says that there are more isn't known",
    ),
    ...inPages(
      all.filter(
        ({ exchange, most, isSearched }) => !exchange.isPaginated && most === undefined && !isSearched,
      ),
      "their requests ask for no further page",
    ),
  );
  return {
    app,
    workflow,
    form,
    mapping: mappingOf(app, workflow, form),
    answered: answeredAlike(walk),
    lists: all,
    paging,
    unknown: paging === undefined ? said.flatMap(({ reads }) => reads) : [],
    notTried,
  };
}

/** Requests to one address are answered alike, with all that any of them wants. */
function answeredAlike(walk: CommandWalk): readonly Answered[] {
  const all = walk.exchanges.map((exchange, index) => ({ exchange, answer: walk.answerOf(index) }));
  const addressOf = ({ method, isAbsolute, ...rest }: RequestTemplate): string =>
    JSON.stringify([method, isAbsolute, textsOf({ method, isAbsolute, ...rest })]);
  return all.map(({ exchange, answer }) => ({
    exchange,
    answer: all
      .filter((other) => other.exchange !== exchange && addressOf(other.exchange) === addressOf(exchange))
      .reduce((shape, other) => joined(shape, other.answer), answer),
  }));
}

/** What a field's options are called. */
export function optionsTold(field: string): string {
  return `the options of \`${field}\``;
}

/** Of a setup that only shows what stands in the config. */
export const NOTHING = "no command of the setup sends a request";

const roots: Value = {
  kind: "object",
  members: new Map<string, Value>([
    ["data", { kind: "place", root: { kind: "data" }, path: [] }],
    ["custom_data", { kind: "place", root: { kind: "form" }, path: [] }],
  ]),
};

/** What a program of `api.pagination`'s parser reads. */
interface Said {
  readonly name: string;
  /** The place that it gives as it is; undefined where it makes something of it. */
  readonly at: Place | undefined;
  readonly reads: SetupSubject["unknown"];
}

/** Walks the parser over each answer that has pages: what it reads belongs to the shape of the answer. */
function saidIn({ api }: App, walk: CommandWalk): readonly Said[] {
  const programs = Object.entries(api.pagination?.parser ?? {});
  return walk.exchanges.flatMap(({ isPaginated }, exchange) =>
    isPaginated
      ? programs.map(([name, program]): Said => {
          const answer: Value = { kind: "place", root: { kind: "response", exchange }, path: [] };
          const value = walkProgram(
            program,
            answer,
            program.holes.map(() => literal(null)),
            walk.navigator,
          );
          const reads = atomsOf(value).flatMap((atom) => {
            if (!isPlaceOf(atom, "response")) return [];
            const path = cleaned(atom.path);
            const item = path.indexOf("[]");
            const at = item < 0 ? path : path.slice(0, item);
            return at.length === 0 ? [] : [{ at, isList: item >= 0 }];
          });
          if (isPlaceOf(value, "response")) {
            const path = cleaned(value.path);
            const among = amongOf(walk.demands.of({ kind: "response", exchange }), path);
            if (among !== undefined) return { name, at: { path, among }, reads };
            if (!path.includes("[]")) return { name, at: { path }, reads };
          }
          // A number of pages that is reckoned from another number is reckoned from that of the records.
          const [count] = reads.filter(({ at }) =>
            walk.demands.at({ kind: "response", exchange }, at).uses.has("number"),
          );
          return {
            name: "total_items",
            at: name.startsWith("total_") && count ? { path: count.at } : undefined,
            reads,
          };
        })
      : [],
  );
}

function pagingOf({ api: { pagination } }: App, said: readonly Said[]): Paging | undefined {
  if (pagination === undefined) return undefined;
  const { type, parameters, pointer } = pagination;
  const says = new Map(said.flatMap(({ name, at }) => (at === undefined ? [] : [[name, at] as const])));
  const { telling, member, usual, first } = styles[type];
  if (!telling.some((name) => says.has(name))) return undefined;
  return {
    type,
    pointer,
    place: parameters[member]?.param ?? usual,
    size: parameters[type === "page" ? "page_size" : "limit"]?.param,
    first: Number(parameters[member]?.value ?? first) || 0,
    says,
  };
}

/** By style: what tells the end of the list, and the parameter that chooses a page. */
const styles = {
  page: {
    telling: ["total_pages", "total_items", "next_page_url"],
    member: "page_number",
    usual: "page",
    first: 1,
  },
  limitoffset: { telling: ["total_items"], member: "offset", usual: "offset", first: 0 },
  cursor: { telling: ["next_result_token"], member: "cursor", usual: "cursor", first: 0 },
} as const;

/** How many records a request asks for by a parameter such as `limit`. */
function mostOf({ parameters }: RequestTemplate): number | undefined {
  for (const { place, path, value } of parameters) {
    const isSize = wordsOf(path.at(-1) ?? "").some((word) => sizeNames.has(word));
    if (place === "query" && isSize && value.kind === "literal" && Number(value.value) > 0)
      return Number(value.value);
  }
  return undefined;
}
