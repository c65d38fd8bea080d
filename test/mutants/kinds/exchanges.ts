import type { JsonNode } from "@configc/compiler";
import { type CommandSite, type Config, get, textAt } from "../config.ts";
import { replacement } from "../edits.ts";
import type { Kind, Mutant } from "../kind.ts";
import { type Change, each, everywhere } from "./in-programs.ts";

/** Two things that changed places, and conditions and lists that lost a part: what a slip of the hand makes, and no check of names sees. */
const family = "exchanges";

function inPrograms(
  name: string,
  what: string,
  isMeant: (site: CommandSite) => boolean,
  change: Change,
): Kind {
  return {
    name: `${family}/${name}`,
    what,
    expects: "warning",
    *mutants(config) {
      for (const { node, site } of config.programs()) {
        if (!isMeant(site)) continue;
        const first = node.start + 1;
        for (const [from, to, newText] of change(config.text.slice(first, node.end - 1)))
          yield { edits: [{ start: first + from, end: first + to, newText }], at: [node] };
      }
    },
  };
}

/** A kind that exchanges the values of two that stand next to each other in a list. */
function ofNeighbours(
  name: string,
  what: string,
  lists: (config: Config) => readonly JsonNode[],
  partOf: (item: JsonNode) => JsonNode | undefined,
  isMeant: (a: JsonNode, b: JsonNode) => boolean,
): Kind {
  return {
    name: `${family}/${name}`,
    what,
    expects: "warning",
    *mutants(config): Generator<Mutant> {
      for (const list of lists(config)) {
        const items = list.kind === "array" ? list.items : [];
        for (const [at, item] of items.slice(1).entries()) {
          const before = items[at]!;
          const [a, b] = [partOf(before), partOf(item)];
          if (a === undefined || b === undefined || !isMeant(before, item)) continue;
          const [one, other] = [a, b].map(({ start, end }) => config.text.slice(start, end));
          yield {
            edits: [replacement(a, other!), replacement(b, one!)],
            at: [before, item].flatMap(valuesOf),
          };
        }
      }
    },
  };
}

/** Either side of the exchange may be told, and with the title as well as with the id. */
const valuesOf = (item: JsonNode): readonly JsonNode[] =>
  item.kind === "object" ? item.members.flatMap(({ value }) => value ?? []) : [item];

const inOptions = ({ place }: CommandSite): boolean => place.includes("form_fields");

/** Whether the title of a mapped field has its id's words in it: `first_name`, “Owner’s first name”. */
const isTitled = (option: JsonNode): boolean => {
  const words = (textAt(option, "id") ?? "").toLowerCase().split(/[_-]/);
  const title = (textAt(option, "title") ?? "").toLowerCase();
  return words.length > 1 && words.every((word) => title.includes(word));
};

const shownNumber = (option: JsonNode): string | undefined =>
  /^\d+(?= (?:days|months|hours|minutes)$)/.exec(textAt(option, "display") ?? "")?.[0];
const isShown = (option: JsonNode): boolean =>
  shownNumber(option) !== undefined && shownNumber(option) === textAt(option, "value");

export const exchangeKinds: readonly Kind[] = [
  inPrograms("month-twice", "`%m` for `%d` in a date.", everywhere, each(/(?<=%Y-%m-)%d/g, "%m")),
  inPrograms(
    "short-year",
    "`%y` for `%Y` in a date.",
    everywhere,
    each(/(?<=strftime\(\\")%Y(?=-%m-%d\\"\))/g, "%y"),
  ),
  inPrograms(
    "first-option",
    "Options are made of the first record of a list.",
    inOptions,
    each(/(?<=^\[\.\w+)\[\](?= \| \{display)/g, "[0]"),
  ),
  inPrograms(
    "default-as-condition",
    "A condition lost what it compares a text with.",
    everywhere,
    each(/(?<=\bif \((?:\.\w+)+ \/\/ \\"\\"\)) == \\"\\"(?= then (?:null|error))/g, ""),
  ),
  inPrograms(
    "refused-where-there",
    "Whoever has an email address is refused, and whoever has none isn't.",
    ({ place }) => place.includes("target"),
    each(/(?<=^if \(\.email \/\/ \\"\\"\) )==(?= \\"\\" then (?:error|0 else 1 end$))/g, "!="),
  ),
  ofNeighbours(
    "titles",
    "Two mapped fields have each other's id, where titles say what they are.",
    (config) =>
      ["describe_source", "describe_target"].flatMap((side) =>
        config.select(`workflows.*.setup.map.${side}.options`),
      ),
    (option) => get(option, "id"),
    (a, b) => isTitled(a) && isTitled(b),
  ),
  ofNeighbours(
    "shown-numbers",
    "Two options have each other's number.",
    (config) => config.select("workflows.*.setup.select.form_fields.*.options"),
    (option) => get(option, "value"),
    (a, b) => isShown(a) && isShown(b),
  ),
  {
    name: `${family}/parameters`,
    what: "A page and a choice are sent for each other.",
    expects: "warning",
    *mutants(config): Generator<Mutant> {
      for (const { key, argument } of config.commands) {
        const params = key === "!http" ? get(argument, "params") : undefined;
        const members = params?.kind === "object" ? params.members : [];
        const [page, chosen] = [/\.page\b|\.offset\b/, /custom_data\.\w+\.value/].map(
          (pattern) =>
            members.find(({ value }) => value?.kind === "string" && pattern.test(value.value))?.value,
        );
        if (page === undefined || chosen === undefined) continue;
        const text = (node: JsonNode): string => config.text.slice(node.start, node.end);
        yield {
          edits: [replacement(page, text(chosen)), replacement(chosen, text(page))],
          at: [params!],
        };
      }
    },
  },
];
