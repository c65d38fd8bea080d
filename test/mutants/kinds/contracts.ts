import type { Span } from "@configc/compiler";
import type { CommandSite, Config } from "../config.ts";
import { get, itemsOf, textAt } from "../config.ts";
import { withoutItem } from "../edits.ts";
import type { Kind, TextEdit } from "../kind.ts";
import { lastPrograms } from "./jq.ts";

/** Another name for a member that the last object of a place's program must have. */
function renamedMember(name: string, what: string, place: string, member: string, newName: string): Kind {
  return {
    name: `contract/${name}`,
    what,
    expects: "error",
    *mutants(config) {
      for (const { node, site } of lastPrograms(config, place)) {
        if (!belongs(site, place)) continue;
        const source = config.text.slice(node.start, node.end);
        // Only programs that end with one object, so that no other branch gives the member.
        const matches = [...source.matchAll(new RegExp(`(?<=[{,] ?)${member}(?=[:,}])`, "g"))];
        const [match] = matches;
        if (match === undefined || matches.length > 1) continue;
        const start = node.start + match.index;
        const written =
          source.charAt(match.index + member.length) === ":" ? newName : `${newName}: .${member}`;
        yield {
          edits: [{ start, end: start + member.length, newText: written }],
          at: [node, site.member.key],
        };
      }
    },
  };
}

/** `options` of a form field and of a map step are different contracts; the place tells which. */
function belongs(site: CommandSite, place: string): boolean {
  return place !== "options" || site.place.includes("form_fields");
}

/** Another program at the end of a place. */
function otherProgram(
  name: string,
  what: string,
  places: readonly string[],
  programs: readonly string[],
  is: (site: CommandSite) => boolean = () => true,
): Kind {
  return {
    name: `contract/${name}`,
    what,
    expects: "error",
    *mutants(config) {
      for (const { node, site } of lastPrograms(config, ...places)) {
        if (!is(site)) continue;
        for (const program of programs) {
          const edit: TextEdit = { start: node.start, end: node.end, newText: JSON.stringify(program) };
          yield { edits: [edit], at: [node, site.member.key] };
        }
      }
    },
  };
}

const isMap = (site: CommandSite): boolean => site.place.includes("map");
const isField = (site: CommandSite): boolean => site.place.includes("form_fields");

export const contractKinds: readonly Kind[] = [
  renamedMember("results-dropped", "`request` gives no `results`.", "request", "results", "items"),
  renamedMember("iterate-dropped", "`request` gives no `iterate`.", "request", "iterate", "has_more"),
  renamedMember(
    "polling-state-dropped",
    "`request` gives no `polling_state`.",
    "request",
    "polling_state",
    "state",
  ),
  renamedMember(
    "account-id-dropped",
    "`describe_connection` gives no `account_id`.",
    "describe_connection",
    "account_id",
    "id",
  ),
  renamedMember(
    "description-dropped",
    "`describe_connection` gives no `description`.",
    "describe_connection",
    "description",
    "text",
  ),
  renamedMember("display-dropped", "Options without `display`.", "options", "display", "label"),
  renamedMember("value-dropped", "Options without `value`.", "options", "value", "id"),
  otherProgram(
    "connection-text",
    "`describe_connection` gives text or a list.",
    ["describe_connection"],
    ['"connected"', "[.id]"],
  ),
  otherProgram(
    "options-object",
    "Options of a field that are no list.",
    ["options"],
    ["{display: .name, value: .id}", '"none"', "5"],
    isField,
  ),
  otherProgram(
    "options-texts",
    "Options of a field that are no objects.",
    ["options"],
    ['["a", "b"]', "[1]"],
    isField,
  ),
  otherProgram(
    "map-options-object",
    "Options of a map step that are no list.",
    ["options"],
    ["{title: .name, id: .id}", '"none"'],
    isMap,
  ),
  otherProgram(
    "map-options-members",
    "Options of a map step with the members of a field's.",
    ["options"],
    ["[.items[] | {display: .name, value: .id}]"],
    isMap,
  ),
  otherProgram(
    "source-no-object",
    "`source` gives a list or a scalar.",
    ["source"],
    ["[.email]", '"a@example.com"', "1"],
  ),
  otherProgram("request-no-object", "`request` gives a list.", ["request"], ["[.items[]]", "true"]),
  otherProgram(
    "iterate-text",
    "`iterate` that is no boolean.",
    ["request"],
    ['{results: .items, iterate: "yes", polling_state: ${polling_state}}'],
  ),
  otherProgram(
    "results-object",
    "`results` that is no list.",
    ["request"],
    ["{results: {a: 1}, iterate: false, polling_state: ${polling_state}}"],
  ),
  otherProgram(
    "state-text",
    "`polling_state` that is no object.",
    ["request", "initial_setup"],
    ['{results: .items, iterate: false, polling_state: "page 1"}'],
  ),
  otherProgram(
    "selection-object",
    "`describe_selection` gives an object.",
    ["resource_id", "display"],
    ["{id: 1}", "[1]"],
    (site) => site.place.includes("describe_selection"),
  ),
  otherProgram(
    "count-text",
    "A parser of a number gives an object.",
    ["total_pages", "total_items"],
    ["{total: 1}", "[1]"],
  ),
  otherProgram(
    "token-object",
    "A parser of a token gives an object.",
    ["next_result_token", "previous_result_token"],
    ["{token: 1}", "[1]"],
  ),
  {
    name: "contract/save-no-object",
    what: "`!save` gets something other than an object (D24).",
    expects: "error",
    *mutants(config) {
      for (const site of config.commands) {
        const before = site.key === "!save" ? itemsOf(site.parent?.argument)[site.index - 1] : undefined;
        const program = get(before, "!jq");
        if (program === undefined) continue;
        for (const text of ['"[.id]"', '"\\"id\\""', '"1"']) {
          yield {
            edits: [{ start: program.start, end: program.end, newText: text }],
            at: [program, site.member.key],
          };
        }
      }
    },
  },
  {
    name: "contract/sha-input",
    what: "`!sha` gets an object without `value_to_encrypt` (D26).",
    expects: "error",
    *mutants(config) {
      for (const site of config.commands) {
        const before = site.key === "!sha" ? itemsOf(site.parent?.argument)[site.index - 1] : undefined;
        const program = get(before, "!jq");
        if (program?.kind !== "string") continue;
        const source = config.text.slice(program.start, program.end);
        const at = source.indexOf("value_to_encrypt:");
        if (at < 0) continue;
        const start = program.start + at;
        yield { edits: [{ start, end: start + 16, newText: "value" }], at: [program, site.member.key] };
      }
    },
  },
  {
    name: "contract/create-without-url",
    what: "`create` doesn't tell the third party the webhook's URL: nothing ever arrives.",
    expects: "warning",
    *mutants(config) {
      for (const intake of config.intakes) {
        const create = intake.member("create");
        const uses = [...config.expansions("webhook")].filter(({ site, span }) => {
          return (
            site.unit === intake && create !== undefined && create.start < span.start && span.end < create.end
          );
        });
        if (create === undefined || uses.length === 0) continue;
        const edits = uses.map(({ span }) => ({ ...span, newText: "https://example.com/hook" }));
        const requests = requestsIn(config, create.start, create.end);
        yield {
          edits,
          at: [create.key, ...requests.flatMap(keysOf), ...uses.map(({ span }) => span)],
        };
      }
    },
  },
  {
    name: "contract/create-without-save",
    what: "`create` doesn't save what `delete` reads.",
    expects: "error",
    *mutants(config) {
      for (const site of config.commands) {
        if (site.key !== "!save" || site.parent?.argument?.kind !== "array") continue;
        const scope = textAt(site.argument, "scope");
        const saves = config.commands.filter(
          ({ key, argument }) => key === "!save" && textAt(argument, "scope") === scope,
        );
        const reads = [...config.expansions("data")].filter(({ segments }) => segments[1] === scope);
        // Another `!save` of the scope may write the key.
        if (saves.length > 1 || reads.length === 0) continue;
        yield {
          edits: [withoutItem(config, site.parent.argument, site.index)],
          at: reads.map(({ span }) => span),
        };
      }
    },
  },
];

/** The command's key and that of its `body`, where the URL would stand. */
function keysOf({ member, argument }: CommandSite): Span[] {
  const body = argument?.kind === "object" ? argument.member("body") : undefined;
  return body === undefined ? [member.key] : [member.key, body.key];
}

function requestsIn(config: Config, start: number, end: number): CommandSite[] {
  return config.commands.filter(({ key, node }) => key === "!http" && start < node.start && node.end < end);
}
