import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { bare, nodesIn, partAt } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { isKept, isKeptByDefault, keepsKey, mayBeKept, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { type Asked, askedBy, paramAt, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import { inputPath } from "../../../flow/value-path.ts";
import { changes } from "./key-dependence.ts";

/** What services give to ask with the next time: the token of a queue's batch, which is only acknowledged, has another name. */
const isAskedWith = /(?:^|_)(?:sync|delta|change|poll)s?_?(?:token|cursor|key|link)$|(?:^|_)since(?:_|$)/i;

/** Whether a key is a place by its name, and begins with one that was looked up or worked out: only a request can be meant to begin there. */
const beginsAtPlace = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  boundName(key)?.end === "lower" &&
  (writesIn(intake, "initial_setup", model) ?? []).some((write) => {
    const value = write.keys.get(key);
    return value !== undefined && constantOf(bare(value)) === undefined && changes(value, write);
  });

/** Whether a value is made of what a customer enters or chooses, by an expansion or as the input of `initial_setup` has it. */
export const isChosen = (value: Expression, program: JqProgram): boolean =>
  [...stateDependence(program, [value]).holes].some((hole) => program.holes[hole]?.root === "custom_data") ||
  nodesIn(value).some((node) => node.kind === "Postfix" && inputPath(node)?.[0] === "custom_data");

/** Whether a key begins with what a customer chose: only a request can be meant to begin there. */
const beginsAsChosen = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  (writesIn(intake, "initial_setup", model) ?? []).some(({ keys, program }) => {
    const value = keys.get(key);
    return value !== undefined && isChosen(value, program);
  });

/** A place or sync token that each answer renews, or else is kept, and that only `post_poll` reads. */
export function onlyAcknowledged(intake: IntakeSymbol, model: Model) {
  const asked = intake.commands.has("post_poll") ? askedBy(intake, model) : undefined;
  if (asked === undefined || asked.varies) return undefined;
  const writes = writesIn(intake, "request", model) ?? [];
  for (const write of writes)
    for (const [key, value] of write.keys) {
      const goesOn = write.iterate !== undefined && mayGoOn(write);
      const end = endTakenOver(value, write, asked);
      const isPlace =
        (goesOn || end !== undefined) &&
        (beginsAtPlace(key, intake, model) || beginsAsChosen(key, intake, model));
      if (!isAskedWith.test(key) && !isPlace) continue;
      const isRenewed =
        (changes(value, write) || end !== undefined) &&
        (mayBeKept(bare(value), key, write.program) ||
          writes.some((other) => other !== write && keepsKey(other, key)));
      if (!isRenewed || keysLeading(intake, asked, model).has(key)) continue;
      const at = partAt(write.program, value);
      const args = { key, command: "request" };
      return {
        at,
        args: isReadBehind(key, intake, model) ? ({ ...args, isAcknowledged: true } as const) : args,
      };
    }
  return undefined;
}

/**
 * The start of what is asked for, which `initial_setup` takes from a choice and `request` or `post_poll` moves on, where a request sends the choice
 * itself under its name.
 */
export function chosenInstead(intake: IntakeSymbol, model: Model) {
  const asked = askedBy(intake, model);
  for (const { keys, program } of writesIn(intake, "initial_setup", model) ?? [])
    for (const [key, value] of keys) {
      if (boundName(key)?.end !== "lower") continue;
      const choices = [...stateDependence(program, [value]).holes].flatMap((hole) => {
        const { root, syntax } = program.holes[hole]!;
        return root === "custom_data" ? [syntax.path[1]?.text ?? ""] : [];
      });
      if (choices.length === 0 || isSent(key, asked)) continue;
      const sent = partOfUnit(intake, model).expansions.find(
        ({ root, syntax, command, node }) =>
          root === "custom_data" &&
          command !== undefined &&
          asked?.requests.includes(command) === true &&
          choices.includes(syntax.path[1]?.text ?? "") &&
          paramAt(node, command) === key,
      );
      const mover = sent === undefined ? undefined : moverOf(key, intake, model);
      if (sent !== undefined && mover !== undefined)
        return { at: sent.node, args: { key, command: mover, isChosen: true } as const };
    }
  return undefined;
}

const isSent = (key: string, asked: Asked | undefined): boolean =>
  asked === undefined ||
  asked.reads.some((read) => read.key === key) ||
  asked.through.has(key) ||
  asked.deciding.has(key);

/** The command that sets a key to something else than it was or a constant, once something was read. */
const moverOf = (key: string, intake: IntakeSymbol, model: Model): string | undefined =>
  ["request", "post_poll"].find((command) =>
    (writesIn(intake, command, model) ?? []).some(({ keys, program }) => {
      const value = keys.get(key);
      return value !== undefined && constantOf(bare(value)) === undefined && !isKept(value, key, program);
    }),
  );

/** The end of a window that requests send, where a value takes it over: what was to be the start of the next one. */
function endTakenOver(value: Expression, { program }: StateWrite, { reads }: Asked): string | undefined {
  const from = keptKey(value, program);
  const isEnd = reads.some((read) => read.key === from && boundName(paramOf(read) ?? "")?.end === "upper");
  return isEnd ? from : undefined;
}

/** The keys that requests ask with, and those of which they are made. */
function keysLeading(intake: IntakeSymbol, asked: Asked, model: Model): ReadonlySet<string> {
  const written = stateCommands.flatMap((command) => writesIn(intake, command, model) ?? []);
  const used = new Set([...asked.reads.map(({ key }) => key), ...asked.through, ...asked.deciding]);
  for (let size = 0; size < used.size; ) {
    size = used.size;
    // Of a record that stands in where there is none, only the member under that name counts.
    for (const { keys, program } of written)
      for (const [key, value] of keys)
        if (used.has(key) && !isKeptByDefault(value, key, program))
          for (const other of stateDependence(program, [value]).keys) used.add(other);
  }
  return used;
}

/** Whether `post_poll` names a key. */
function isReadBehind(key: string, intake: IntakeSymbol, model: Model): boolean {
  const command = intake.commands.get("post_poll");
  return partOfUnit(intake, model).expansions.some(
    (each) =>
      each.root === "polling_state" &&
      each.syntax.path[1]?.text === key &&
      each.command !== undefined &&
      outermostCommand(each.command) === command,
  );
}
