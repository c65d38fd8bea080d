import type { AppNode, AppPagination, AppParameter, AppProgram } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { asNumber, isObject } from "../json.ts";
import { compileProgram, type ProgramStep } from "../program.ts";
import type { Frame } from "../step.ts";
import { traced } from "../traced.ts";

/** What the request of a page changes: query parameters, or all of the URL. */
export type PageChange = { readonly parameters: readonly Parameter[] } | { readonly url: string };
type Parameter = readonly [name: string, value: string];

/** A page that was read. */
interface Page {
  /** D20's value: what the parser's programs see. */
  readonly value: Json;
  /** URL that it came from. */
  readonly url: string;
}

/** Goes through the pages of one request. */
export interface Pager {
  readonly first: PageChange;
  /** Whether the API has said that there is more: then equal pages are what they are, and else they are one page again and again. */
  readonly isTold: boolean;
  /** After a page: what to ask for next, or why there is nothing more. */
  next(page: Page, frame: Frame): Promise<PageChange | PageEnd>;
}

export type PageEnd = "total" | "no-token" | "repeat";

type Programs = ReadonlyMap<string, ProgramStep>;

/** Makes pagers for the styles of `api.pagination` (D22). */
export function compilePagination(pagination: AppPagination): () => Pager {
  const programs: Programs = new Map(
    Object.entries(pagination.parser).map(([name, program]) => [name, tracedProgram(program)]),
  );
  const fixed = [...Object.entries(pagination.parameters)]
    .filter(([name]) => name === "page_size" || name === "limit" || name === "ordering")
    .map(([, parameter]) => parameter)
    .concat(pagination.extra)
    .flatMap(parameterOf);
  switch (pagination.type) {
    case "page":
      return () => new NumberedPages(pagination, programs, fixed);
    case "limitoffset":
      return () => new OffsetPages(pagination, programs, fixed);
    case "cursor":
      return () => new CursorPages(pagination, programs, fixed);
  }
}

/** A trace tells what the pages were followed by. */
function tracedProgram(program: AppProgram & AppNode): ProgramStep {
  return traced({ ...program, key: "!jq" }, compileProgram(program, program));
}

function parameterOf({ param, value }: AppParameter): Parameter[] {
  return param === undefined || value === undefined || value === null ? [] : [[param, String(value)]];
}

/** `page`: until as many pages are read as `total_pages` says, or along `next_page_url`. */
class NumberedPages implements Pager {
  readonly first: PageChange;
  isTold = false;
  #number: number;
  #read = 0;
  readonly #links = new Set<string>();
  readonly #pagination: AppPagination;
  readonly #programs: Programs;
  readonly #fixed: readonly Parameter[];

  constructor(pagination: AppPagination, programs: Programs, fixed: readonly Parameter[]) {
    this.#pagination = pagination;
    this.#programs = programs;
    this.#fixed = fixed;
    this.#number = startOf(pagination, "page_number", 1);
    this.first = this.#change();
  }

  #change(): PageChange {
    const param = this.#pagination.parameters["page_number"]?.param;
    const number: Parameter[] = param === undefined ? [] : [[param, String(this.#number)]];
    return { parameters: [...number, ...this.#fixed] };
  }

  async next(page: Page, frame: Frame): Promise<PageChange | PageEnd> {
    this.#read++;
    const link = this.#programs.get("next_page_url");
    if (link !== undefined) {
      const next = await link(page.value, frame);
      this.isTold = true;
      if (isNone(next)) return "no-token";
      const url = followed(next, page.url, this.#pagination);
      if (this.#links.has(url)) return "repeat";
      this.#links.add(url);
      return { url };
    }
    const total = await count(this.#programs, "total_pages", page.value, frame, this.#pagination);
    this.isTold = total !== undefined;
    if (total !== undefined && this.#read >= total) return "total";
    this.#number++;
    return this.#change();
  }
}

/** `limitoffset`: until (offset − start) + limit ≥ `total_items`. */
class OffsetPages implements Pager {
  readonly first: PageChange;
  isTold = false;
  #offset: number;
  readonly #start: number;
  readonly #limit: number;
  readonly #pagination: AppPagination;
  readonly #programs: Programs;
  readonly #fixed: readonly Parameter[];

  constructor(pagination: AppPagination, programs: Programs, fixed: readonly Parameter[]) {
    this.#pagination = pagination;
    this.#programs = programs;
    this.#fixed = fixed;
    this.#start = startOf(pagination, "offset", 0);
    this.#offset = this.#start;
    this.#limit = startOf(pagination, "limit", 0);
    if (this.#limit < 1)
      throw new RunError("NotSupported", "`limit` of the pagination must be a number from 1.", pagination);
    this.first = this.#change();
  }

  #change(): PageChange {
    const param = this.#pagination.parameters["offset"]?.param;
    const offset: Parameter[] = param === undefined ? [] : [[param, String(this.#offset)]];
    return { parameters: [...offset, ...this.#fixed] };
  }

  async next(page: Page, frame: Frame): Promise<PageChange | PageEnd> {
    const total = await count(this.#programs, "total_items", page.value, frame, this.#pagination);
    this.isTold = total !== undefined;
    if (total !== undefined && this.#offset - this.#start + this.#limit >= total) return "total";
    this.#offset += this.#limit;
    return this.#change();
  }
}

/** `cursor`: until the token is null, false, empty or one that was there before. */
class CursorPages implements Pager {
  readonly first: PageChange;
  readonly isTold = true;
  readonly #seen = new Set<string>();
  readonly #pagination: AppPagination;
  readonly #programs: Programs;
  readonly #fixed: readonly Parameter[];

  constructor(pagination: AppPagination, programs: Programs, fixed: readonly Parameter[]) {
    this.#pagination = pagination;
    this.#programs = programs;
    this.#fixed = fixed;
    this.first = { parameters: fixed };
  }

  async next(page: Page, frame: Frame): Promise<PageChange | PageEnd> {
    const program = this.#programs.get("next_result_token") ?? this.#programs.get("previous_result_token");
    const token = (await program?.(page.value, frame)) ?? null;
    if (isNone(token)) return "no-token";
    if (Array.isArray(token) || isObject(token))
      throw new RunError("DataError", "The token of the next page is an object or array.", this.#pagination);
    const text = String(token);
    if (this.#seen.has(text)) return "repeat";
    this.#seen.add(text);
    if (/^https?:\/\//i.test(text)) return { url: followed(text, page.url, this.#pagination) };
    const param = this.#pagination.parameters["cursor"]?.param ?? "cursor";
    return { parameters: [[param, text], ...this.#fixed] };
  }
}

function isNone(token: Json): boolean {
  return token === null || token === false || token === "";
}

/** A link to the next page; credentials go with it, so it can't lead to another origin. */
function followed(link: Json, from: string, pagination: AppPagination): string {
  const text = typeof link === "string" ? link : "";
  let url: URL | undefined;
  try {
    url = new URL(text, from);
  } catch {
    // Said below.
  }
  if (text === "" || url === undefined || url.origin !== new URL(from).origin)
    throw new RunError(
      "DataError",
      `The link to the next page isn't a URL of ${new URL(from).origin}: pages are read from one origin only.`,
      pagination,
    );
  url.hash = "";
  return url.href;
}

/** A number of the style; digit strings are read as numbers (D22). */
function startOf({ parameters }: AppPagination, name: string, fallback: number): number {
  const value = parameters[name]?.value;
  const number = value === undefined || value === null || value === "" ? fallback : Number(value);
  return Number.isFinite(number) ? number : fallback;
}

/** What a program counts; undefined where it gives `null`: then the pages themselves tell the end. */
async function count(
  programs: Programs,
  name: string,
  value: Json,
  frame: Frame,
  pagination: AppPagination,
): Promise<number | undefined> {
  const given = (await programs.get(name)?.(value, frame)) ?? null;
  if (given === null) return undefined;
  const number = typeof given === "string" && given.trim() !== "" ? Number(given) : asNumber(given);
  if (number !== undefined && Number.isFinite(number)) return number;
  throw new RunError(
    "DataError",
    `\`${name}\` must give a number; it gave ${typeof given === "object" ? "an object or array" : `\`${String(given).slice(0, 100)}\``}.`,
    pagination.parser[name] ?? pagination,
  );
}
