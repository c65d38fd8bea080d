import type { Command, Expansion, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import { derivedOf, passingOf } from "../../bind/derived.ts";
import type { Model } from "../../bind/model.ts";
import { outermostCommand } from "../../bind/outermost-command.ts";
import { partOfUnit } from "../../bind/unit-part.ts";
import type { SaveScope } from "../../language/commands/save.ts";
import type { StringPart } from "../../parse/document.ts";
import { flowOf, savedKeys } from "../flow.ts";
import { producersOf } from "../producers.ts";
import { stateDependence } from "./state-dependence.ts";

/** A key of the polling state that a request to the API reads, in its URL, parameters, headers or body. */
export interface RequestRead {
  readonly key: string;
  readonly at: StringPart;
  /** The command that sends it. */
  readonly command: Command;
  /** The name of the member of `params` or `body` that is nothing else. */
  readonly param: string | undefined;
}

/** The name under which a key of the state is sent by itself. */
export const paramOf = ({ param }: RequestRead): string | undefined => param;

/** The name of the member of `params` or `body` of a command that is just a text. */
export function paramAt(node: StringPart["node"], { argument }: Command): string | undefined {
  if (argument?.kind !== "object") return undefined;
  const pending = ["params", "body"].flatMap((name) => argument.member(name) ?? []);
  for (let member = pending.pop(); member !== undefined; member = pending.pop()) {
    if (member.value === node) return member.name;
    if (member.value?.kind === "object") pending.push(...member.value.members);
    if (member.value?.kind === "array")
      for (const item of member.value.items) if (item.kind === "object") pending.push(...item.members);
  }
  return undefined;
}

/** What the `request` of a polling intake asks of its API, as far as it changes from one time to the next. */
export interface Asked {
  /** The keys that its `!http` commands read themselves. */
  readonly reads: readonly RequestRead[];
  /** Keys that may reach them by other steps. */
  readonly through: ReadonlySet<string>;
  /** Keys by which a `!switch` around them chooses. */
  readonly deciding: ReadonlySet<string>;
  /** Programs between the last answer and those that give the results. */
  readonly behind: readonly JqProgram[];
  /** Something else may differ from one request to the next: the time, saved values, the whole state. */
  readonly varies: boolean;
  /** Of that, nothing but the state may. */
  readonly variesByState: boolean;
  /** They name what was made before the first cycle, and which may itself know how far it was read. */
  readonly readsMade: boolean;
  readonly requests: readonly Command[];
}

/** What the `request` of an intake asks; undefined where it has none. Several rules ask for the same intake. */
export const askedBy = derivedOf(readAsked);

function readAsked(intake: IntakeSymbol, model: Model): Asked | undefined {
  const request = intake.commands.get("request");
  if (request === undefined) return undefined;
  const makers = new Set(producersOf(request, flowOf(model)).map(({ program }) => program));
  const setup = intake.commands.get("initial_setup");
  const reads: RequestRead[] = [];
  const through = new Set<string>();
  const deciding = new Set<string>();
  const behind: JqProgram[] = [];
  let varies = false;
  let readsState = false;
  let readsMade = false;
  const part = partOfUnit(intake, model);
  const inside = part.commands.filter((command) => outermostCommand(command) === request);
  const requests = inside.filter(({ key }) => key === "!http");
  const lastRequest = Math.max(...requests.map(({ node }) => node.end));
  /** What a program gives leads to no request if none comes behind it. */
  const isBehind = ({ key, node }: Command): boolean =>
    (key === "!jq" || key === "!switch") && node.start > lastRequest;
  for (const { command, root, rootExact, syntax, node, position } of part.expansions) {
    if (command === undefined || outermostCommand(command) !== request) continue;
    const isMaker = position === "jq" && makers.has(command.program);
    if (isBehind(command) && !isMaker) continue;
    if (root === "webhook" || root === undefined) varies = true;
    if (root === "data") {
      const saved = whenSaved(syntax.path, setup, model);
      if (saved === "once") readsMade = true;
      else if (saved === "meanwhile") varies = true;
    }
    if (root !== "polling_state" || isMaker) continue;
    const [, segment] = syntax.path;
    if (segment === undefined || !rootExact || syntax.problem !== undefined) readsState = true;
    else if (command.parent === undefined && keysDeciding(command) !== undefined) deciding.add(segment.text);
    else if (command.key === "!http")
      reads.push({
        key: segment.text,
        at: { node, from: segment.start, to: segment.end },
        command,
        param: paramAt(node, command),
      });
    else through.add(segment.text);
  }
  for (const command of inside) {
    const { program, parent } = command;
    if (program === undefined || makers.has(program)) continue;
    if (isBehind(command)) {
      if (command.key === "!jq") behind.push(program);
      continue;
    }
    const asked = parent === undefined ? keysDeciding(command) : undefined;
    // A program may read the state, or the time, and hand it on to a request.
    if (asked !== undefined) for (const key of asked) deciding.add(key);
    else if (readsClock(program) || parent === undefined) varies = true;
    else if (namesState(program)) readsState = true;
  }
  if (inside.some(({ key }) => key === "!save")) varies = true;
  return {
    reads,
    through,
    deciding,
    behind,
    varies: varies || readsState,
    variesByState: readsState && !varies,
    readsMade,
    requests,
  };
}

/**
 * When a value is saved: once before the first cycle, such as the id of what was made there; elsewhere, such as the id of the account that was
 * connected; or maybe between two requests, by one of them or by what a workflow does with a result.
 */
function whenSaved(
  [, scope, key]: Expansion["syntax"]["path"],
  setup: Command | undefined,
  model: Model,
): "once" | "elsewhere" | "meanwhile" {
  const known = savedKeys(model).get(scope?.text as SaveScope);
  const saves = known?.complete === true ? (known.keys.get(key?.text ?? "") ?? []) : [];
  if (saves.length === 0) return "meanwhile";
  const savers = saves.map(outermostCommand);
  if (setup !== undefined && savers.every((saver) => saver === setup)) return "once";
  return savers.every(({ place: { name } }) => name === "connect.describe_connection")
    ? "elsewhere"
    : "meanwhile";
}

/** The keys by which a `!switch` that isn't in a pipe chooses what is asked; undefined where something else may decide it too. */
function keysDeciding({ key, program }: Command): ReadonlySet<string> | undefined {
  if (key !== "!switch" || program === undefined || program.diagnostics.length > 0) return undefined;
  const { keys, all, clock, input } = stateDependence(program, [program.tree.body]);
  return all || clock || input ? undefined : keys;
}

/**
 * The keys that `request` sends by name, and those that `pre_poll` sends before it: where an export is made, the bounds of what is asked for stand
 * there.
 */
export const sentByName = derivedOf(readSent);

function readSent(intake: IntakeSymbol, model: Model): readonly RequestRead[] {
  const asked = askedBy(intake, model)?.reads ?? [];
  const before = intake.commands.get("pre_poll");
  if (before === undefined) return asked;
  const prepared = partOfUnit(intake, model).expansions.flatMap(
    ({ command, root, rootExact, syntax, node }): readonly RequestRead[] => {
      const segment = syntax.path[1];
      const isSent = root === "polling_state" && rootExact && syntax.problem === undefined;
      if (!isSent || segment === undefined || command?.key !== "!http") return [];
      if (outermostCommand(command) !== before) return [];
      const at = { node, from: segment.start, to: segment.end };
      return [{ key: segment.text, at, command, param: paramAt(node, command) }];
    },
  );
  return [...asked, ...prepared];
}

/** A word in a program that isn't looked into further. */
const readsClock = ({ node }: JqProgram): boolean => /\b(?:now|localtime)\b/.test(withoutExpansions(node));
const namesState = ({ node }: JqProgram): boolean => withoutExpansions(node).includes("polling_state");

const withoutExpansions = ({ value }: JqProgram["node"]): string => value.replace(/\$[{<][^}>]*[}>]/g, "");

/**
 * Keys of the state that an intake sends to its API: in a request of any of its commands, or through a program that hands them on
 * to one.
 */
export const keysSent = passingOf(findKeysSent);

function findKeysSent(intake: IntakeSymbol, model: Model): ReadonlySet<string> {
  const sent = new Set<string>();
  const makers = new Set(
    [...intake.commands.values()].flatMap((command) =>
      producersOf(command, flowOf(model)).map(({ program }) => program),
    ),
  );
  for (const { command, unit, root, rootExact, syntax } of partOfUnit(intake, model).expansions) {
    const [, segment] = syntax.path;
    if (unit !== intake || root !== "polling_state" || !rootExact || segment === undefined) continue;
    const handsOn = command?.key === "!jq" && command.pipe !== undefined && !makers.has(command.program);
    if (command?.key === "!http" || handsOn) sent.add(segment.text);
  }
  return sent;
}
