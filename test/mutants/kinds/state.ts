import type { ObjectNode } from "@configc/compiler";
import type { Config } from "../config.ts";
import { get, itemsOf, textAt } from "../config.ts";
import type { Kind } from "../kind.ts";
import { savedKeys } from "./references.ts";

/** Keys that an intake reads as `${polling_state.KEY}` without a default: a lost one fails for certain. */
function readKeys(config: Config, intake: unknown): Set<string> {
  const keys = new Set<string>();
  for (const { site, segments, filters } of config.expansions("polling_state")) {
    if (site.unit === intake && segments[1] !== undefined && filters.length === 0) keys.add(segments[1]);
  }
  return keys;
}

/** Programs that give `polling_state: {…}` with the keys in it. */
function* stateKeys(config: Config, place: string) {
  for (const { node, site } of config.programs()) {
    if (site.place[0] !== "data_intake" || site.place[2] !== place) continue;
    const source = config.text.slice(node.start, node.end);
    const object = /polling_state: \{/.exec(source);
    if (object === null) continue;
    const start = object.index + object[0].length;
    for (const match of source.slice(start).matchAll(/(?<=^|, )([a-z_]+)(?=:)/g)) {
      yield { node, site, key: match[1]!, from: node.start + start + match.index };
    }
  }
}

/** The commands that run next after one of an intake's. */
function following(intake: ObjectNode | undefined, place: string): string[] {
  const first = get(intake, "pre_poll") === undefined ? "request" : "pre_poll";
  if (place === "initial_setup" || place === "post_poll") return [first];
  if (place === "pre_poll") return ["request"];
  return ["request", get(intake, "post_poll") === undefined ? first : "post_poll"];
}

/** Whether a key that a command leaves out is read, by an expansion without a default, before it is set again. */
function isMissed(config: Config, intake: ObjectNode | undefined, place: string, key: string): boolean {
  const pending = following(intake, place);
  for (const next of pending) {
    const member = get(intake, next);
    if (member === undefined) continue;
    const source = config.text.slice(member.start, member.end);
    if (new RegExp(`\\$\\{polling_state\\.${key}\\b[^|}]*\\}`).test(source)) return true;
    const sets = /polling_state: (?!\$\{polling_state\}\})/.test(source);
    for (const later of sets ? [] : following(intake, next)) {
      if (!pending.includes(later)) pending.push(later);
    }
  }
  return false;
}

function droppedKey(place: string): Kind {
  return {
    name: `state/key-dropped-in-${place.replaceAll("_", "-")}`,
    what: `\`${place}\` doesn't give a polling key that is read. Keys that are read only by jq, where absent is null, aside, and those that are set again before they are read.`,
    expects: "error",
    *mutants(config) {
      for (const { node, site, key, from } of stateKeys(config, place)) {
        if (!readKeys(config, site.unit).has(key) || !isMissed(config, site.unit, place, key)) continue;
        const reads = [...config.expansions("polling_state")].filter(
          ({ site: read, segments }) => read.unit === site.unit && segments[1] === key,
        );
        const edits = [{ start: from, end: from + key.length, newText: "zzz_qqq" }];
        // "The object that drops it, the readers related" — but a key that nothing else writes is a name that isn't declared.
        const writers = [...["initial_setup", "pre_poll", "request", "post_poll"]].flatMap((each) =>
          [...stateKeys(config, each)].filter((other) => other.site.unit === site.unit && other.key === key),
        );
        yield { edits, at: writers.length > 1 ? [node] : [node, ...reads.map(({ span }) => span)] };
      }
    },
  };
}

export const stateKinds: readonly Kind[] = [
  droppedKey("initial_setup"),
  droppedKey("pre_poll"),
  droppedKey("request"),
  droppedKey("post_poll"),
  {
    name: "state/lifecycle-without-state",
    what: "`initial_setup` gives its keys without `polling_state` around them, where they are ignored.",
    expects: "error",
    *mutants(config) {
      for (const { node, site } of config.programs()) {
        if (site.place[2] !== "initial_setup" || readKeys(config, site.unit).size === 0) continue;
        const source = config.text.slice(node.start, node.end);
        const at = source.indexOf("{polling_state: ");
        if (at < 0) continue;
        const reads = [...config.expansions("polling_state")].filter(
          ({ site: read }) => read.unit === site.unit,
        );
        yield {
          edits: [{ start: node.start + at + 1, end: node.start + at + 14, newText: "state" }],
          at: [node, ...reads.map(({ span }) => span)],
        };
      }
    },
  },
  {
    name: "state/saved-key-renamed",
    what: "What is saved is called otherwise; its readers aren't changed.",
    expects: "error",
    *mutants(config) {
      for (const site of config.commands) {
        const before = site.key === "!save" ? itemsOf(site.parent?.argument)[site.index - 1] : undefined;
        const program = get(before, "!jq");
        const scope = textAt(site.argument, "scope") ?? "";
        const known = savedKeys(config, scope);
        if (program?.kind !== "string" || known === undefined) continue;
        const saves = config.commands.filter(
          ({ key, argument }) => key === "!save" && textAt(argument, "scope") === scope,
        );
        // With more than one `!save` another one still writes the key.
        if (saves.length > 1) continue;
        for (const key of known) {
          const reads = [...config.expansions("data")].filter(
            ({ segments }) => segments[1] === scope && segments[2] === key,
          );
          const at = program.start + 1 + program.value.search(new RegExp(`\\b${key}\\b`));
          if (reads.length === 0) continue;
          const colon = config.text.charAt(at + key.length) === ":";
          yield {
            edits: [{ start: at, end: at + key.length, newText: colon ? "zzz_qqq" : `zzz_qqq: .${key}` }],
            at: reads.map(({ span }) => span),
          };
        }
      }
    },
  },
];
