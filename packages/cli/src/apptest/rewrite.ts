import { type App, applyEdits, type Edit, type JsonNode, type MemberNode } from "@configc/compiler";
import { parseDocument } from "@configc/compiler/internal";
import type { RecordedExchange } from "@configc/host";
import { type Json, parseExact } from "@configc/jq";
import { laidOut } from "../run/layout.ts";
import type { CaseResult } from "./case-result.ts";
import type { CaseCycle, TestCase } from "./test-file.ts";

/** What a case's members become; undefined takes a member away. */
type Changes = Readonly<Record<string, Json | undefined>>;

/** What `--update` writes: what a case gave is what it is expected to give. Nobody expects that an answer isn't recorded. */
export function updated({ output, failure, passed, cycles }: CaseResult): Changes {
  if (passed || (output === undefined && failure === undefined) || failure?.kind === "NotFound") return {};
  if (cycles !== undefined) return { cycles };
  if (output !== undefined) return { expect: output, expectError: undefined };
  const { kind = "", message = "", status } = failure ?? {};
  return { expect: undefined, expectError: { kind, message, ...(status === undefined ? {} : { status }) } };
}

/**
 * What `--record` writes: the traffic, and what the case gave if nothing is expected yet. Without a network or credentials the service
 * said nothing that is worth keeping, and what was recorded before stays.
 */
export function recorded(test: TestCase, result: CaseResult, toConfig: (url: string) => string): Changes {
  if (!result.passed && isKeptOut(result)) return {};
  if (test.cycles !== undefined) return recordedCycles(test.cycles, result, toConfig);
  const http = (result.recorded ?? []).map((exchange) => essential(exchange, toConfig)) as unknown as Json;
  const expects = test.expect !== undefined || test.expectError !== undefined;
  return { http, ...(expects ? {} : updated({ ...result, passed: false })) };
}

/** Cycles with their traffic; none, where not all of them ended. */
function recordedCycles(
  cycles: readonly CaseCycle[],
  { cycles: given }: CaseResult,
  toConfig: (url: string) => string,
): Changes {
  if (given === undefined) return {};
  const recorded = (given as unknown as readonly CaseCycle[]).map(({ http = [], ...rest }, index) => ({
    ...rest,
    http: http.map((exchange) => essential(exchange, toConfig)),
    ...(cycles[index]?.expect === undefined ? {} : { expect: cycles[index].expect }),
  }));
  return { cycles: recorded as unknown as Json };
}

function isKeptOut({ failure }: CaseResult): boolean {
  return failure?.status === 401 || /^(?:NetworkError|AuthError|Cancelled)$/.test(failure?.kind ?? "");
}

/** The URL as the config would send it, although it was sent to the origin that `--base-url` names. */
export function urlMapper(
  { api }: App,
  baseUrl: string | undefined,
  subdomain: string | undefined,
): (url: string) => string {
  // The only expansion that there may be is that of the subdomain (D11).
  const parts = (api.baseUrl ?? []).map((part) => (typeof part === "string" ? part : subdomain));
  if (baseUrl === undefined || parts.length === 0 || parts.includes(undefined)) return (url) => url;
  const [from, to] = [baseUrl, parts.join("")].map((url) => url.replace(/\/$/, "")) as [string, string];
  return (url) => (url.startsWith(from) ? to + url.slice(from.length) : url);
}

/** Headers that change what a run does. */
const meaningful = new Set(["location", "retry-after", "www-authenticate"]);

/** The parts of an exchange that a reader cares for, and that stay the same from one recording to the next. */
export function essential(
  { request, response, failure }: RecordedExchange,
  toConfig: (url: string) => string,
): RecordedExchange {
  const { method = "GET", url, headers = {}, body, text } = request;
  const sent = {
    method,
    url: toConfig(url),
    ...typed(headers, new Set()),
    ...(body === undefined ? {} : { body }),
    ...(text === undefined ? {} : asValue(text)),
  };
  if (failure !== undefined || response === undefined)
    return { request: sent, ...(failure === undefined ? {} : { failure }) };
  const { status = 200, body: answer, text: said, base64 } = response;
  return {
    request: sent,
    response: {
      status,
      ...typed(response.headers ?? {}, meaningful),
      ...(answer === undefined ? {} : { body: answer }),
      ...(said === undefined ? {} : asValue(said)),
      ...(base64 === undefined ? {} : { base64 }),
    },
  };
}

function typed(headers: Readonly<Record<string, string>>, also: ReadonlySet<string>) {
  const kept = Object.entries(headers).filter(
    ([name, value]) => also.has(name) || (name === "content-type" && !/^application\/json\b/.test(value)),
  );
  return kept.length === 0 ? {} : { headers: Object.fromEntries(kept) };
}

/** JSON that was written with blanks says the same without them. */
function asValue(text: string): { readonly body: unknown } | { readonly text: string } {
  try {
    return { body: parseExact(text) };
  } catch {
    return { text };
  }
}

/** A test file with changed cases; everything else stays as it is written. */
export function rewrite(text: string, changes: readonly Changes[]): string {
  const { root } = parseDocument(text, "");
  const cases = root?.kind === "object" ? root.get("cases") : undefined;
  if (cases?.kind !== "array") return text;
  return applyEdits(
    text,
    changes.flatMap((change, index) => caseEdits(text, cases.items[index], change)),
  );
}

function caseEdits(text: string, node: JsonNode | undefined, changes: Changes): Edit[] {
  if (node?.kind !== "object") return [];
  const { members } = node;
  const indentation = indentationOf(text, members[0]?.start ?? node.start);
  const edits: Edit[] = [];
  // A member goes with the comma before it; `name` and `run`, which always stay, may stand behind it.
  const isRemoved = ({ name }: MemberNode): boolean =>
    Object.hasOwn(changes, name) && changes[name] === undefined;
  for (const [index, member] of members.entries()) {
    const value = changes[member.name];
    if (value !== undefined && member.value !== undefined) {
      const { start, end } = member.value;
      edits.push({ start, end, newText: laidOut(value, indentation) });
    }
    if (!isRemoved(member)) continue;
    const [before, after] = [members[index - 1], members[index + 1]];
    if (before !== undefined) edits.push({ start: before.end, end: member.end, newText: "" });
    else if (after !== undefined) edits.push({ start: member.start, end: after.start, newText: "" });
  }
  const added = Object.entries(changes).filter(
    ([name, value]) => value !== undefined && node.get(name) === undefined,
  );
  const last = members.filter((member) => !isRemoved(member)).at(-1);
  if (added.length > 0 && last !== undefined) {
    const lines = added.map(
      ([name, value]) => `,\n${indentation}${JSON.stringify(name)}: ${laidOut(value ?? null, indentation)}`,
    );
    // Before what is taken away at the same place.
    edits.unshift({ start: last.end, end: last.end, newText: lines.join("") });
  }
  return edits.sort((a, b) => a.start - b.start);
}

function indentationOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))![0];
}
