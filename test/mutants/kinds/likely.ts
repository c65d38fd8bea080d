import type { Span } from "@configc/compiler";
import { type CommandSite, type Config, get, textAt } from "../config.ts";
import { without } from "../edits.ts";
import { type Kind, replacing } from "../kind.ts";
import { each, inPrograms, inRequest, inVerification } from "./in-programs.ts";

/** Mistakes of meaning that follow from what names and neighbours say, and those of pages, checks and routes. */

const inOptions = ({ place }: CommandSite): boolean => place.includes("form_fields");

/** Programs of options that get a response and go through a list of it by name. */
const namedList = /(?<=^\[)\.[a-z_]+\[\](?= \| )/g;

/** Whether the value of the field that a program makes options of goes to a path, or is sent under the name of an id. */
function isIdWanted({ place, unit }: CommandSite, config: Config): boolean {
  const at = place.indexOf("form_fields");
  const id = textAt(config.select(place.slice(0, at + 2).join("."))[0], "id") ?? "";
  const units = [
    unit,
    ...["data_intake", "historical_data_intake"].map((name) => config.intake(textAt(unit, name))),
  ];
  const text = units
    .map((each) => (each === undefined ? "" : config.text.slice(each.start, each.end)))
    .join("\n");
  const value = `\\$[{<]custom_data\\.${id.replaceAll("-", "\\-")}\\.value[^}>]*[}>]`;
  const name = "\\b\\w*(?:_id|_ids|Id|Ids)\\b";
  return [`/${value}[/?"]`, `"${name}": "${value}"`, `${name}: ${value}`, `${name}: \\[${value}`].some(
    (pattern) => new RegExp(pattern).test(text),
  );
}

/** The request whose response a program gets. */
function requestBefore({ parent, index }: CommandSite) {
  const steps = parent?.argument;
  return steps?.kind === "array" ? get(steps.items[index - 1], "!http") : undefined;
}

const isOfResponse = (site: CommandSite): boolean => requestBefore(site) !== undefined;

/** Whether `api.pagination` reads a member of the very page that a program gets. */
export function isReadByParser(site: CommandSite, config: Config): boolean {
  const parsers = config.strings("api.pagination.parser.*.!jq").map(({ value }) => value);
  const request = requestBefore(site);
  const paginated = get(request, "pagination");
  return (
    parsers.some((parser) => /^\(?\.(?!body\b)\w+/.test(parser)) &&
    paginated?.kind === "boolean" &&
    paginated.value
  );
}

export const likelyKinds: readonly Kind[] = [
  inPrograms(
    "iterate-reversed",
    "`iterate` is true where the token is null.",
    inRequest,
    each(/(?<=iterate: \(\.[\w.]+ )!=(?= null\))/g, "=="),
  ),
  inPrograms(
    "reversed-check",
    "The cases of the signature's check are exchanged.",
    (site) => inVerification(site) && site.key === "!switch",
    each(
      /(?<=^if (?:(?!elif).)*(?:hash|genuine|signature)(?:(?!elif).)* then )(\d)( else )(\d)(?= end$)/g,
      ([, first, between, second]) => `${second}${between}${first}`,
    ),
  ),
  inPrograms(
    "length-of-at-least-0",
    "A length is compared with `>= 0`.",
    (site) => !inRequest(site),
    each(/(?<=length\)? )>(?= 0\b)/g, ">="),
  ),
  inPrograms(
    "exchanged-option",
    "`display` and `value` of an option are exchanged, and its value is sent where nothing asks for an id.",
    (site, config) => inOptions(site) && !isIdWanted(site, config),
    each(
      /display: (\.(?:name|title)), value: (\.id|\(\.id \| tostring\))(?=\})/g,
      ([, shown, kept]) => `display: ${kept}, value: ${shown}`,
    ),
  ),
  inPrograms(
    "exchanged-id",
    "`display` and `value` of an option are exchanged, and its value stands in a path or is sent as an id.",
    (site, config) => inOptions(site) && isIdWanted(site, config),
    each(
      /display: (\.(?:name|title)), value: (\.id|\(\.id \| tostring\))(?=\})/g,
      ([, shown, kept]) => `display: ${kept}, value: ${shown}`,
    ),
  ),
  inPrograms(
    "whole-response",
    "The whole response is taken for a list, and no pagination reads its other members.",
    (site, config) => inOptions(site) && isOfResponse(site) && !isReadByParser(site, config),
    each(namedList, ".[]"),
    "hint",
  ),
  replacing(
    "meaning/glued-segment",
    "warning",
    "The slash before an expansion is missing.",
    function* (config) {
      for (const { site, span, node } of config.expansions()) {
        if (site.key !== "!http" || get(site.argument, "path") !== node) continue;
        const behind = config.text.charAt(span.end);
        if (
          !/[a-z]s\/$/.test(config.text.slice(node.start, span.start)) ||
          (behind !== "/" && behind !== '"')
        )
          continue;
        yield [{ start: span.start - 1, end: span.end }, config.text.slice(span.start, span.end)];
      }
    },
  ),
  replacing(
    "meaning/display-in-path",
    "warning",
    "What the option shows stands in a path, and no other path has its value there.",
    (config) => shownInPaths(config, false),
  ),
  replacing(
    "meaning/display-beside-value",
    "warning",
    "What the option shows stands in a path, where another path has its value.",
    (config) => shownInPaths(config, true),
  ),
  replacing("meaning/token-flag", "warning", "Whether there is a token, not the token.", function* (config) {
    for (const member of ["next_result_token", "previous_result_token"])
      for (const node of config.select(`api.pagination.parser.${member}.!jq`))
        if (node.kind === "string" && /^\.[\w.]+$/.test(node.value))
          yield [{ start: node.end - 1, end: node.end - 1 }, " != null"];
  }),
  replacing("meaning/last-page-left-out", "warning", "One page less than there are.", function* (config) {
    for (const node of config.select("api.pagination.parser.total_pages.!jq"))
      if (
        node.kind === "string" &&
        /(?:total|pages|count)\w*$/i.test(node.value) &&
        /^\.[\w.]+$/.test(node.value)
      )
        yield [{ start: node.end - 1, end: node.end - 1 }, " - 1"];
  }),
  replacing("meaning/pages-for-items", "warning", "Items are divided by a page's size.", function* (config) {
    for (const node of config.select("api.pagination.parser.total_items.!jq"))
      if (node.kind === "string" && /^\.[\w.]+$/.test(node.value))
        yield [{ start: node.end - 1, end: node.end - 1 }, " / 100 | ceil"];
  }),
  {
    name: "meaning/update-without-url",
    what: "`update` leaves the webhook's address out.",
    expects: "warning",
    *mutants(config) {
      for (const { site, node } of config.expansions("webhook")) {
        const { place, argument, member, unit } = site;
        const isOther = (other: CommandSite) =>
          other !== site && other.key === "!http" && other.unit === unit && other.place[2] === "update";
        // Among several requests another one may tell it.
        if (config.commands.some(isOther)) continue;
        const method = textAt(argument, "method")?.toUpperCase();
        const body = get(argument, "body");
        if (place[2] !== "update" || (method !== "PUT" && method !== "POST") || body?.kind !== "object")
          continue;
        const sent = body.members.find(({ value }) => value === node);
        if (sent !== undefined && body.members.length > 1)
          yield { edits: [without(config, sent)], at: [member.key] };
      }
    },
  },
];

/** `.value` of a choice as a whole segment of a path, to be taken for `.display`. */
function* shownInPaths(config: Config, elsewhere: boolean): Generator<readonly [Span, string]> {
  for (const { site, span, node } of config.expansions("custom_data")) {
    if (site.key !== "!http" || get(site.argument, "path") !== node) continue;
    const text = config.text.slice(span.start, span.end);
    const behind = config.text.charAt(span.end);
    if (config.text.charAt(span.start - 1) !== "/" || (behind !== "/" && behind !== '"')) continue;
    const isElsewhere = config.text.split(config.text.slice(node.start, span.end)).length > 2;
    if (text.endsWith(".value}") && isElsewhere === elsewhere)
      yield [span, text.replace(".value}", ".display}")];
  }
}
