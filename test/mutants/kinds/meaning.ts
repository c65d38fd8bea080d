import type { Span, StringNode } from "@configc/compiler";
import { type CommandSite, type Config, get, textAt } from "../config.ts";
import { without } from "../edits.ts";
import type { Kind } from "../kind.ts";
import { each, everywhere, inPrograms, inRequest, inVerification } from "./in-programs.ts";

/** Mistakes of meaning: every request succeeds, and data quietly doesn't arrive. */

/** The text of the member `iterate` of the object that a program gives; with brackets around what has commas. */
const iterate = /(?<=\biterate: )(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[.\w]+)(?=[,}])/g;

function answers(config: Config, isMeant: (site: CommandSite) => boolean): readonly CommandSite[] {
  return config.commands.filter((site) => site.key === "!respond" && isMeant(site));
}

/** The one answer of a verification that hands deliveries on; nothing where there are several. */
function accepting(config: Config): readonly CommandSite[] {
  const all = answers(config, inVerification).filter(({ argument }) => {
    const given = get(argument, "process_payload");
    return given?.kind === "boolean" && given.value;
  });
  return all.filter(({ unit }) => all.filter((other) => other.unit === unit).length === 1);
}

export const meaningKinds: readonly Kind[] = [
  inPrograms(
    "state-given-back",
    "`request` gives the state back as it was, and may iterate.",
    (site, config) => inRequest(site) && asksByState(config, site),
    each(/polling_state: \{(?:[^{}]|\$\{[^}]*\})*\}(?=\})/g, "polling_state: ${polling_state}"),
  ),
  inPrograms("iterate-always", "`iterate` is always true.", inRequest, each(iterate, "true")),
  {
    name: "meaning/nothing-accepted",
    what: "The only answer that hands deliveries on forgets `process_payload`.",
    expects: "warning",
    *mutants(config) {
      for (const { argument, unit } of accepting(config)) {
        const member = argument?.kind === "object" ? argument.member("process_payload") : undefined;
        const all = answers(config, inVerification).filter((other) => other.unit === unit);
        if (member !== undefined)
          yield { edits: [without(config, member)], at: all.map(({ member: answer }) => answer.key) };
      }
    },
  },
  inPrograms(
    "parsed-body",
    "The parsed body is hashed, not the bytes.",
    inVerification,
    each(/(?<=value_to_encrypt: )\.raw_body(?=\})/g, "(.body | tojson)"),
  ),
  inPrograms(
    "header-capitals",
    "A header is looked up with capitals.",
    inVerification,
    each(/(?<=\.headers\[\\")[a-z-]+(?=\\"\])/g, ([name]) =>
      name.replace(/(?:^|-)[a-z]/g, (c) => c.toUpperCase()),
    ),
  ),
  inPrograms("minutes-for-months", "`%M` in a date.", everywhere, each(/(?<=%Y-)%m(?=-%d)/g, "%M")),
  inPrograms("months-for-minutes", "`%m` in a time.", everywhere, each(/(?<=%H:)%M/g, "%m")),
  inPrograms(
    "milliseconds-as-seconds",
    "Milliseconds where jq counts in seconds.",
    everywhere,
    each(/\bnow\b(?= - \d+ \| (?:floor \| )?(?:todate|strftime))/g, "now * 1000"),
  ),
  inPrograms(
    "constant-operand",
    '`== "a" or "b"`: the second comparison isn\'t written out.',
    everywhere,
    each(/(?<= (?:== \\"(?:(?!\\").)*\\"|[!=]= null))(?= (?:then|\)))/g, ' or \\"other\\"'),
  ),
  inPrograms(
    "unknown-option",
    "A static option is compared with a value that it hasn't got.",
    everywhere,
    function* (source) {
      for (const match of source.matchAll(/(?<=\$\{custom_data\.[\w-]+\.value\} == \\")(?:(?!\\").)+/g))
        yield [match.index, match.index + match[0].length, `${match[0]}-x`];
    },
  ),
  {
    name: "meaning/double-slash",
    what: "Two slashes in a row in a path.",
    expects: "warning",
    *mutants(config) {
      for (const { node, at } of paths(config)) {
        const start = node.start + 1 + at;
        yield { edits: [{ start, end: start, newText: "/" }], at: [node] };
      }
    },
  },
  {
    name: "meaning/single-braces",
    what: "`{id}` for an expansion in a path.",
    expects: "warning",
    *mutants(config) {
      for (const { site, span, node } of config.expansions()) {
        if (site.key !== "!http" || get(site.argument, "path") !== node) continue;
        if (config.text.charAt(span.start - 1) !== "/") continue;
        yield { edits: [{ start: span.start, end: span.end, newText: "{id}" }], at: [node] };
      }
    },
  },
  {
    name: "meaning/period-in-milliseconds",
    what: "The period of a quota in milliseconds.",
    expects: "warning",
    *mutants(config) {
      for (const node of config.select("api.rate_limit.*.*.period"))
        if (node.kind === "number" && [1, 10, 60, 3600].includes(node.value))
          yield { edits: [{ start: node.end, end: node.end, newText: "000" }], at: [node] };
    },
  },
  {
    name: "meaning/save-first",
    what: "`!save` stands before the `!jq` that makes what is saved.",
    expects: "warning",
    *mutants(config) {
      for (const site of config.commands) {
        const { parent, index, unit } = site;
        if (site.key !== "!save" || parent?.key !== "!pipe" || textAt(unit, "type") !== "webhook") continue;
        const steps = parent.argument?.kind === "array" ? parent.argument.items : [];
        const [request, program, save] = [steps[index - 2], steps[index - 1], steps[index]];
        if (get(request, "!http") === undefined || get(program, "!jq") === undefined || save === undefined)
          continue;
        if (index !== steps.length - 1 || program === undefined) continue;
        const [first, second] = [
          config.text.slice(program.start, program.end),
          config.text.slice(save.start, save.end),
        ];
        yield {
          edits: [
            { start: program.start, end: program.end, newText: second },
            { start: save.start, end: save.end, newText: first },
          ],
          at: [],
          landed: [keyAt(program.start, second)],
        };
      }
    },
  },
];

/** Where the key of a `!save` stands in the mutant, once its text is moved. */
function keyAt(start: number, text: string): Span {
  const at = start + text.indexOf('"!save"');
  return { start: at, end: at + '"!save"'.length };
}

/** Whether the requests of a polling intake read its state by name. */
function asksByState(config: Config, { unit }: CommandSite): boolean {
  return [...config.expansions("polling_state")].some(
    ({ site, segments }) =>
      site.unit === unit && site.key === "!http" && site.place[2] === "request" && segments.length > 1,
  );
}

/** A slash in the middle of each literal path. */
function* paths(config: Config): Generator<{ readonly node: StringNode; readonly at: number }> {
  for (const { key, argument } of config.commands) {
    const node = key === "!http" ? get(argument, "path") : undefined;
    if (node?.kind !== "string") continue;
    const at = node.value.indexOf("/", 1);
    if (at > 0 && !/[?$<]/.test(node.value.slice(0, at))) yield { node, at };
  }
}
