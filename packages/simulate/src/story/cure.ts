import { pointerToken } from "@configc/jq/internal";
import type { Breach } from "../laws/law.ts";
import type { WorldLog } from "../polling/run.ts";
import type { Protocol, Role } from "../protocol/protocol.ts";
import type { Way } from "../report.ts";
import { happenedBetweenPages } from "../world/conditions.ts";

/** Which part of the config is guilty, and what would cure it. */
export interface Cure {
  readonly pointer: string;
  readonly text: string;
  readonly way: Way;
}

/** Tells the cure from what a world needs to show the breach. */
export function cureOf(
  law: string,
  { world: { hypotheses }, cycles }: WorldLog,
  breach: Breach,
  protocol: Protocol,
): Cure {
  const at = (...kinds: Role["kind"][]): string => pointerOf(protocol, kinds);
  if (breach.pointer !== undefined && breach.pointer !== "")
    return {
      way: "other",
      pointer: breach.pointer,
      text: cycles.every(({ exchanges }) => exchanges.length === 0)
        ? "Give what is read here a default (`| default`), or set it before: `polling_state` is empty until `initial_setup` or an earlier cycle gives it."
        : "Let the programs take what the service may send: `// empty`, `?` or a default.",
    };
  switch (law) {
    case "everything-arrives":
      if (hypotheses.lag > 0)
        return {
          way: "lag",
          pointer: at("from", "filter", "after", "cursor", "page", "offset"),
          text: "Begin each cycle a few minutes before the latest change that was read (what comes twice is told apart by its key), or read only up to a few minutes ago.",
        };
      if (hypotheses.paging === "live" && happenedBetweenPages(cycles).size > 0)
        return {
          way: "pages",
          pointer: at("page", "offset", "cursor", "after"),
          text: "Pages by number shift when the list does. Read on from a cursor of the service, or from the last record that was read, instead of counting pages.",
        };
      if (hypotheses.boundary === "exclusive" || hypotheses.rounding > 1 || hypotheses.ties !== "creation")
        return {
          way: "bounds",
          pointer: at("from", "filter", "after", "page", "offset", "cursor"),
          text: "Ask again for the latest time that was read, not for what came after it: use a bound that includes it, or begin a little earlier.",
        };
      return {
        way: "other",
        pointer: at("cursor", "page", "offset", "after", "from", "filter"),
        text: "Follow how `polling_state` moves on from request to request: something is passed over.",
      };
    case "faults-only-delay":
      return {
        way: "faults",
        pointer: at("cursor", "page", "offset", "after", "from", "filter"),
        text: "Let the programs fail (`error(…)`) where the answer isn't what was asked for: a failed request is sent again with the state of before, what looks like an empty list isn't.",
      };
    case "quiet-cycles-end":
      return {
        way: "other",
        pointer: at("page", "offset", "cursor", "after", "from", "filter"),
        text: "Let `iterate` be false at the end of the list, and keep in `polling_state` how far was read.",
      };
    case "state-stays-small":
      return {
        way: "other",
        pointer: protocol.intake.pointer,
        text: "Keep in `polling_state` only where to go on, not what was read.",
      };
    case "secrets-stay":
      return {
        way: "other",
        pointer: protocol.intake.pointer,
        text: "Leave the secret out of what is sent to another server.",
      };
    case "requests-stay-linear":
      return {
        way: "other",
        pointer: mostSent(cycles, breach) ?? protocol.exchange.command.pointer,
        text: "Ask for what a page or an item is about, not for all that there has ever been.",
      };
    default:
      return {
        way: "other",
        pointer: protocol.exchange.command.pointer,
        text: "Compare the programs with what the service sends: `configc type` shows what they take.",
      };
  }
}

/** The command that sends the most requests in the cycles that show a breach. */
function mostSent(cycles: WorldLog["cycles"], breach: Breach): string | undefined {
  const counts = new Map<string, number>();
  for (const { number, exchanged } of cycles)
    if (breach.cycles.includes(number))
      for (const { exchange } of exchanged) {
        const pointer = exchange?.command.pointer;
        if (pointer !== undefined) counts.set(pointer, (counts.get(pointer) ?? 0) + 1);
      }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Of the first parameter with one of these roles; else of the request. */
function pointerOf({ roles, exchange, field }: Protocol, kinds: readonly Role["kind"][]): string {
  for (const kind of kinds) {
    const all = roles.filter(({ role }) => role.kind === kind);
    const found = all.find(({ role }) => "field" in role && role.field.name === field?.name) ?? all[0];
    if (found === undefined) continue;
    const { place, path } = found.parameter;
    const names = place === "query" ? [path.join(".")] : path;
    return `${exchange.command.pointer}/!http/${place === "query" ? "params" : "body"}/${names.map(pointerToken).join("/")}`;
  }
  return exchange.command.pointer;
}
