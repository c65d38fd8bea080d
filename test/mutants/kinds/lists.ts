import type { MemberNode, StringNode } from "@configc/compiler";
import { type CommandSite, type Config, get } from "../config.ts";
import type { Kind, TextEdit } from "../kind.ts";
import { each, inPrograms, inRequest } from "./in-programs.ts";

/** Mistakes of reading a list that moves while it is read: every request succeeds, and a record is passed over. */

const change = /updated|changed|modified|update_time/;

interface Reading {
  readonly http: CommandSite;
  readonly params: readonly MemberNode[];
  /** The program that makes the results. */
  readonly program: StringNode;
}

/** Polls by one request with parameters and one program behind it. */
function readingsIn(config: Config): readonly Reading[] {
  return config.commands.flatMap((http) => {
    const params = get(http.argument, "params");
    if (http.key !== "!http" || !inRequest(http) || params?.kind !== "object") return [];
    const own = [...config.programs()].filter(
      ({ node, site }) => site.unit === http.unit && inRequest(site) && node.value.includes("results:"),
    );
    const [program, ...others] = own;
    return program === undefined || others.length > 0
      ? []
      : [{ http, params: params.members, program: program.node }];
  });
}

/** Replaces what a pattern finds in a string that has no escapes; nothing where it finds nothing. */
function within(config: Config, node: StringNode, pattern: RegExp, newText: string): readonly TextEdit[] {
  const source = config.text.slice(node.start, node.end);
  const found = pattern.exec(source);
  if (found === null) return [];
  const start = node.start + found.index;
  return [{ start, end: start + found[0].length, newText }];
}

/** Where `since` becomes the end of the reading, the latest time that was read instead: no room is left then. */
const untilRead = /(?<=since: \(if [^{}]*? then )\$\{polling_state\.next_since\}/;

/** The list that results are made of. */
function listIn({ program }: Reading): string | undefined {
  return /results: (\.\w+),/.exec(program.value)?.[1];
}

const memberOfTime = (param: string): string =>
  param.startsWith("updated_since") ? "update_time" : "updated_at";

const lowerBound = ({ params }: Reading): MemberNode | undefined =>
  params.find(
    ({ name, value }) => /after|since|from/.test(name) && change.test(name) && value?.kind === "string",
  );

export const listKinds: readonly Kind[] = [
  {
    name: "meaning/pages-of-a-moving-list",
    what: "Pages are counted, not followed by a cursor, in the order of changes.",
    expects: "warning",
    *mutants(config) {
      for (const reading of readingsIn(config)) {
        const { params, program } = reading;
        const cursor = params.find(({ name }) => name === "cursor");
        if (cursor?.value?.kind !== "string" || lowerBound(reading) === undefined) continue;
        const counted = within(
          config,
          program,
          /\bcursor: \.[\w.]+/,
          "cursor: ((${polling_state.cursor} // 1) + 1)",
        );
        const more = within(config, program, /iterate: \(\.[\w.]+ != null\)/, "iterate: .has_more");
        if (counted.length === 0 || more.length === 0) continue;
        const { start, end } = cursor.key;
        const { value } = cursor;
        yield { edits: [{ start, end, newText: '"page"' }, ...more, ...counted], at: [value] };
      }
    },
  },
  inPrograms(
    "no-room-for-lag",
    "A reading begins exactly where the one before stood.",
    ({ place, unit }, { text }) =>
      place[0] === "data_intake" &&
      place[2] === "pre_poll" &&
      // Where a record's time is kept, the clock only ends the window.
      !text.slice(unit?.start, unit?.end).includes("$last.updated"),
    each(/\bnow - \d+(?= \| (?:floor|todate))/g, "now"),
    "hint",
  ),
  {
    name: "meaning/later-than-the-latest",
    what: "The next reading asks for what is later than the latest time that was read.",
    expects: "warning",
    *mutants(config) {
      for (const reading of readingsIn(config)) {
        const [bound, list] = [lowerBound(reading), listIn(reading)];
        if (bound === undefined || list === undefined) continue;
        const member = memberOfTime(bound.name);
        const latest = within(config, reading.program, untilRead, `([${list}[].${member}] | max)`);
        if (latest.length === 0) continue;
        const { start, end } = bound.key;
        yield { edits: [{ start, end, newText: '"updated[gt]"' }, ...latest], at: [bound.key] };
      }
    },
  },
  {
    name: "meaning/last-for-latest",
    what: "The last record's time is kept as the latest, and the newest come first.",
    expects: "warning",
    *mutants(config) {
      for (const reading of readingsIn(config)) {
        const [bound, list] = [lowerBound(reading), listIn(reading)];
        const order = reading.params.find(
          ({ name, value }) => /^sort(?:_direction)?$/.test(name) && value?.kind === "string",
        )?.value;
        if (bound === undefined || list === undefined || order?.kind !== "string") continue;
        const last = within(config, reading.program, untilRead, `${list}[-1].${memberOfTime(bound.name)}`);
        if (last.length === 0) continue;
        const { start, end } = order;
        const newText = JSON.stringify(order.value === "asc" ? "desc" : `-${order.value}`);
        yield { edits: [{ start, end, newText }, ...last], at: [reading.program] };
      }
    },
  },
  {
    name: "meaning/list-that-shrinks",
    what: "The pipeline deletes each record, and the offset counts on.",
    expects: "warning",
    *mutants(config) {
      for (const { http, params, program } of readingsIn(config)) {
        const counter = params.find(({ name }) => /^(?:page|offset|skip)$/.test(name));
        const path = get(http.argument, "path");
        const intake = get(http.unit, "name");
        if (counter === undefined || path?.kind !== "string" || intake?.kind !== "string") continue;
        // A list for which the service was asked to keep it as it is doesn't shrink.
        if (!/\b(?:page|offset|skip): \(/.test(program.value) || path.value.includes("snapshots")) continue;
        if (config.samples.world?.intakes?.[intake.value]?.pages === "frozen") continue;
        const users = config.workflows.filter((workflow) =>
          ["data_intake", "historical_data_intake"].some((name) => {
            const used = get(workflow, name);
            return used?.kind === "string" && used.value === intake.value;
          }),
        );
        for (const workflow of users) {
          const source = get(get(workflow, "data_pipeline"), "source");
          if (source?.kind !== "object") continue;
          const address = JSON.stringify(`${path.value}/\${piped_content.0.id}`);
          const { start, end } = source;
          const before = `{"!pipe": [{"!http": {"method": "DELETE", "path": ${address}}}, {"!jq": "\${piped_content.0}"}, `;
          yield {
            edits: [
              { start, end: start, newText: before },
              { start: end, end, newText: "]}" },
            ],
            at: [{ start, end: start }],
          };
        }
      }
    },
  },
];
