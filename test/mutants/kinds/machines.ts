import { type CommandSite, type Config, get } from "../config.ts";
import { type Kind, replacing } from "../kind.ts";
import { each, inPrograms, inRequest } from "./in-programs.ts";

/** Mistakes in what intakes keep and send, and in how steps go together. */

const inPipeline = ({ place }: CommandSite): boolean => place[2] === "data_pipeline";
const inIntake = ({ place }: CommandSite): boolean => place[0] === "data_intake";

/** Where a request's text stands, with its quotes taken off. */
function* inside(config: Config, pattern: RegExp, path: string) {
  for (const { argument } of config.commands.filter(({ key }) => key === "!http")) {
    const node = get(get(argument, "body"), path);
    if (node?.kind !== "string") continue;
    const from = node.start + 1;
    for (const match of config.text.slice(from, node.end - 1).matchAll(pattern))
      yield [{ start: from + match.index, end: from + match.index + match[0].length }, node] as const;
  }
}

/** Members of an `!http`, by the name of the one that has them. */
function* members(config: Config, part: "params" | "headers") {
  for (const { argument } of config.commands.filter(({ key }) => key === "!http")) {
    const node = get(argument, part);
    if (node?.kind === "object") yield* node.members;
  }
}

export const machineKinds: readonly Kind[] = [
  inPrograms(
    "comparison-reversed",
    "`iterate` asks whether the page is behind the last one.",
    inRequest,
    each(
      /(?<=iterate: \((?:\.[\w.]*page|\$\{polling_state\.(?:page|offset|skip)\}(?: \+ \d+)?) )<=?(?= \.[\w.]*(?:pages|total)\))/g,
      ">",
    ),
  ),
  inPrograms(
    "flag-as-cursor",
    "Whether there is more is kept as the place to go on from.",
    inRequest,
    each(/(?<=\b(?:after|cursor|token|page_token): )\.(?:next\w*|[\w.]*[cC]ursor)(?=[,}])/g, ".has_more"),
  ),
  inPrograms(
    "previous-cursor",
    "The cursor of the page's start, where `iterate` goes on to the next one.",
    (site, config) =>
      inRequest(site) && /iterate: \.[\w.]*(?:hasNext|has_more|has_next)/.test(textOf(site, config)),
    each(/\bendCursor\b(?=[,} ])/g, "startCursor"),
  ),
  inPrograms(
    "offset-by-one",
    "An offset is counted up like a page.",
    inRequest,
    each(/(?<=\b(?:offset|skip): \(\$\{polling_state\.(?:offset|skip)\} \+ )\d{2,}(?=\))/g, "1"),
  ),
  inPrograms(
    "text-for-null",
    "A token is compared with an empty text alone, and null at first.",
    (site, config) => inRequest(site) && /\b(?:cursor|token|link): null/.test(config.text),
    each(/(?<=iterate: \(\.[\w.]+ != )null(?=\))/g, '\\"\\"'),
    "hint",
  ),
  inPrograms(
    "date-reckoned",
    "A date is reckoned with as text.",
    (site) => inIntake(site) && !site.place.includes("initial_setup"),
    each(/(?<=\$state\.\w+) \| fromdate(?= - \d)/g, ""),
  ),
  inPrograms(
    "lookup-reversed",
    "What was found is made, and what wasn't is changed.",
    (site) => inPipeline(site) && site.key === "!switch",
    each(
      /(?<=^if \.(?:id == null|known|found) then )([01])( else )([01])(?= end$)/g,
      ([, first, between, second]) => `${second}${between}${first}`,
    ),
  ),
  replacing(
    "meaning/changed-url",
    "warning",
    "A path stands behind the webhook's address.",
    function* (config) {
      for (const { site, node } of config.expansions("webhook"))
        if (site.key === "!http" && inIntake(site) && node.value === "${webhook.url}" && !isPath(site, node))
          yield [{ start: node.end - 1, end: node.end - 1 }, "/events"];
    },
  ),
  replacing("meaning/constant-key", "warning", "One idempotency key for all requests.", function* (config) {
    for (const { name, value } of members(config, "headers"))
      if (/^idempotency-key$/i.test(name) && value?.kind === "string" && value.value.includes("${"))
        yield [value, '"once"'];
  }),
  replacing(
    "meaning/display-as-parameter",
    "warning",
    "A field's parameter gets what is shown.",
    function* (config) {
      for (const { name, value } of members(config, "params")) {
        const id =
          value?.kind === "string"
            ? /^\$\{custom_data\.([\w-]+)\.value\}$/.exec(value.value)?.[1]
            : undefined;
        if (value !== undefined && id !== undefined && (id === name || name === `${id}_id`))
          yield [value, config.text.slice(value.start, value.end).replace(".value}", ".display}")];
      }
    },
  ),
  {
    name: "meaning/variable-unused",
    what: "A GraphQL variable is declared and sent, and not used.",
    expects: "warning",
    *mutants(config) {
      for (const [span, node] of inside(config, /(?<=\w\()\w+: \$\w+, |, \w+: \$\w+(?=[,)])/g, "query"))
        if (/^(?:query|mutation)/.test(node.value)) yield { edits: [{ ...span, newText: "" }], at: [node] };
    },
  },
];

function textOf({ argument }: CommandSite, config: Config): string {
  return argument === undefined ? "" : config.text.slice(argument.start, argument.end);
}

/** Whether a text is a path or a URL that a request goes to. */
function isPath({ argument }: CommandSite, node: unknown): boolean {
  return get(argument, "path") === node || get(argument, "url") === node;
}
