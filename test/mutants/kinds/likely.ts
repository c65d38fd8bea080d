import type { Span } from "@configc/compiler";
import { type CommandSite, type Config, get, textAt } from "../config.ts";
import { without } from "../edits.ts";
import { type Kind, replacing } from "../kind.ts";
import { each, inPrograms, inRequest, inVerification } from "./in-programs.ts";

/** Mistakes of meaning that follow from what names and neighbours say, and those of pages, checks and routes. */

const inOptions = ({ place }: CommandSite): boolean => place.includes("form_fields");

/** Programs of options that get a response and go through a list of it by name. */
const namedList = /(?<=^\[)\.[a-z_]+\[\](?= \| )/g;

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
    "`display` and `value` of an option are exchanged.",
    inOptions,
    each(
      /display: (\.(?:name|title)), value: (\.id|\(\.id \| tostring\))(?=\})/g,
      ([, shown, kept]) => `display: ${kept}, value: ${shown}`,
    ),
    "hint",
  ),
  inPrograms(
    "whole-response",
    "The whole response is taken for a list.",
    inOptions,
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
    "hint",
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
