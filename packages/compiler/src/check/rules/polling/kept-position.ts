import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { bare, partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { lastName, waysOf } from "../../../flow/protocol/forms.ts";
import { isKept, keepsKey, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { sentKeys } from "./cut-places.ts";

/** A page that counts on within a cycle, and stays where it came to for the next one, which asks for another list. */
export interface KeptPosition {
  readonly at: Location;
  /** The names under which they are sent. */
  readonly position: string;
  readonly bound: string;
}

/** The same as the course of cycles shows, by the form of the programs alone: for answers that say themselves which page they are. */
export function keptPosition(intake: IntakeSymbol, model: Model): KeptPosition | undefined {
  if (!isReadable(intake, model)) return undefined;
  const writes = writesIn(intake, "request", model) ?? [];
  const [ends, others] = [writes.filter((write) => !mayGoOn(write)), writes.filter(mayGoOn)];
  const around = ["pre_poll", "post_poll"].flatMap((command) => writesIn(intake, command, model) ?? []);
  const [end] = ends;
  if (others.length === 0) return undefined;
  const sent = sentKeys(intake, model);
  const position = sent.find(
    ({ key }) =>
      beginsWithNumber(key, intake, model) &&
      others.every((write) => countsOn(write.keys.get(key))) &&
      [...ends, ...around].every((write) => keepsKey(write, key)),
  );
  // What the last page doesn't move, something between two cycles may.
  const moving = end === undefined ? around : ends;
  const bound = sent.find(
    ({ key }) =>
      key !== position?.key &&
      others.every((write) => keepsKey(write, key)) &&
      moving.length > 0 &&
      moving.every((write) => moves(write, key)),
  );
  const [write] = moving;
  return position === undefined || bound === undefined || write === undefined
    ? undefined
    : { at: partAt(write.program, write.node), position: position.param, bound: bound.param };
}

/**
 * The page of a list that is made anew, such as an export, whose id stands in the path of the request: where nothing sets the page back, the next
 * list is read from the page on at which the last one ended.
 */
export function keptInNewList(intake: IntakeSymbol, model: Model): KeptPosition | undefined {
  if (!isReadable(intake, model)) return undefined;
  const around = ["pre_poll", "post_poll"].flatMap((command) => writesIn(intake, command, model) ?? []);
  const made = around.filter(({ keys }) => keys.size > 0);
  const writes = writesIn(intake, "request", model) ?? [];
  if (made.length === 0 || writes.length === 0) return undefined;
  const position = sentKeys(intake, model).find(
    ({ key }) =>
      beginsWithNumber(key, intake, model) &&
      around.every((write) => keepsKey(write, key)) &&
      writes.every((write) => goesOnAlways(write, key)) &&
      writes.some(({ keys }) => keys.has(key)),
  );
  if (position === undefined) return undefined;
  for (const { key, param, command } of askedBy(intake, model)?.reads ?? []) {
    const path = command.argument?.kind === "object" ? (textOf(command.argument, "path") ?? "") : "";
    const [own = ""] = path.split("?");
    const isOfList = param === undefined && own.includes(`polling_state.${key}`);
    if (!isOfList || !writes.every((write) => keepsKey(write, key) || isEnded(write, key))) continue;
    const write = made.find((each) => moves(each, key));
    const value = write?.keys.get(key);
    if (write !== undefined && value !== undefined)
      return { at: partAt(write.program, value), position: position.param, bound: key };
  }
  return undefined;
}

/** Whether a write counts a position on, or leaves it, on each of its ways. */
function goesOnAlways(write: StateWrite, key: string): boolean {
  const value = write.keys.get(key);
  if (value === undefined) return write.keepsOthers;
  return waysOf(value, write.program).every((way) => countsOn(way) || isKept(way, key, write.program));
}

/** Whether the last page takes a list out of the state. */
function isEnded({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  return (
    value !== undefined &&
    waysOf(value, program).every((way) => constantOf(bare(way)) !== undefined || isKept(way, key, program))
  );
}

/** Whether a write sets a key to something else than it was; a constant begins anew. */
function moves(write: StateWrite, key: string): boolean {
  const value = write.keys.get(key);
  return value !== undefined && !keepsKey(write, key) && constantOf(value) === undefined;
}

/**
 * The id behind which a list of what changed goes on, where nothing sets it back for the next window: what has a lower id may have changed since.
 * Of what was made in a window, the ids are higher.
 */
export function keptId(intake: IntakeSymbol, model: Model): KeptPosition | undefined {
  if (!isReadable(intake, model)) return undefined;
  const writes = writesIn(intake, "request", model) ?? [];
  const around = ["pre_poll", "post_poll"].map((command) => writesIn(intake, command, model) ?? []);
  const sent = sentKeys(intake, model);
  const place = sent.find(
    ({ key, param }) =>
      idPlace.test(param) &&
      beginsWithNumber(key, intake, model) &&
      writes.length > 0 &&
      writes.every((write) => isIdOfLast(write, key)) &&
      around.flat().every((write) => keepsKey(write, key)),
  );
  if (place === undefined) return undefined;
  for (const all of around)
    for (const write of all) {
      const bound = sent.find(({ key, param }) => {
        const { end, subject } = boundName(param) ?? {};
        return (
          end === "lower" &&
          changeWord.test(subject ?? "") &&
          moves(write, key) &&
          writes.every((each) => keepsKey(each, key))
        );
      });
      const value = bound === undefined ? undefined : write.keys.get(bound.key);
      if (bound !== undefined && value !== undefined)
        return { at: partAt(write.program, value), position: place.param, bound: bound.param };
    }
  return undefined;
}

/** `after_id`, `id_gt`, `since_id`: ids that are sorted. */
const idPlace = /^(?:after|since|from|last|min)_?id$|^id_?(?:after|gt|from)$|^id\[gt\]$/i;
const changeWord = /^(?:last )?(?:changed?|updated?|modified|edited)(?: at| on| time)?$/i;

/** `.jobs[-1].id`, or what it was where the page has none. */
function isIdOfLast({ keys, program }: StateWrite, key: string): boolean {
  const value = keys.get(key);
  const ways = value === undefined ? [] : waysOf(value, program).map(bare);
  const moved = ways.filter((way) => !isKept(way, key, program));
  return moved.length > 0 && moved.every((way) => way.kind === "Postfix" && lastName(way) === "id");
}

function beginsWithNumber(key: string, intake: IntakeSymbol, model: Model): boolean {
  const values = (writesIn(intake, "initial_setup", model) ?? []).map(({ keys }: StateWrite) =>
    keys.get(key),
  );
  return (
    values.length > 0 && values.every((value) => value !== undefined && typeof constantOf(value) === "number")
  );
}

/** `.page + 1`, `.page += 1` */
function countsOn(value: Expression | undefined): boolean {
  const node = value === undefined ? undefined : bare(value);
  if (node?.kind === "Assignment") {
    const by = node.operator === "+=" ? constantOf(node.value) : undefined;
    return typeof by === "number" && by > 0;
  }
  const [step, ...others] = node?.kind === "Arithmetic" ? node.rest : [];
  const by = step?.operator === "+" && others.length === 0 ? constantOf(step.operand) : undefined;
  return typeof by === "number" && by > 0;
}
