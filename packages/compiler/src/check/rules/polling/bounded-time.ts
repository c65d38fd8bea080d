import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { unitsAround } from "../../../flow/counted.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { boundedBy } from "../../../flow/protocol/bounded-subjects.ts";
import { listRequestOf } from "../../../flow/protocol/list-request.ts";
import { isPastTime, isTimeName } from "../../../flow/protocol/time-names.ts";
import { areOtherTimes, areSameTimes } from "../../../flow/protocol/time-subjects.ts";
import { watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { Location } from "../../../parse/document.ts";
import { graphqlQuery } from "../../../samples/graphql.ts";

/** A bound that becomes a time of records, where another one is called like it. */
export interface BoundedByOther {
  readonly at: Location;
  readonly name: string;
  readonly member: string;
  readonly by: string;
  /** Whether `request` sets it. */
  readonly pages: boolean;
}

/** `opened`, `modified`: when something happened, in a service whose times are called by that alone. */
const isHappening = (name: string): boolean => /^[a-z]+$/.test(name) && isPastTime(name);

/**
 * A parameter whose name says which time it bounds, `settled_after`, and that goes on with another member of the records, where comments or
 * programs show that they have the one it is called after: `settled_at`.
 */
export function boundedByOther(intake: IntakeSymbol, model: Model): BoundedByOther | undefined {
  let names: readonly string[] | undefined;
  const request = listRequestOf(intake, model);
  const query = request === undefined ? undefined : graphqlQuery(request.command)?.value;
  for (const { name, key } of request?.parameters ?? []) {
    const said = key === undefined ? undefined : boundedBy({ names: name.split("."), key, query });
    if (key === undefined || said === undefined || boundName(said) === undefined) continue;
    const watermarks = watermarksOf(intake, key, model) ?? [];
    // One that takes another time only where a record hasn't its own: `.changed_at // .created_at`.
    if (watermarks.some(({ member }) => member !== undefined && areSameTimes(said, member))) continue;
    for (const { from, member, node, program, command } of watermarks) {
      if (member === undefined || from === "clock" || from === "other") continue;
      const isNamedTime = isTime(member, program, model);
      const isAnother = isNamedTime
        ? areOtherTimes(said, member)
        : isHappening(member) && !areSameTimes(said, member);
      if (!isAnother) continue;
      names ??= [...namesIn(intake, model), ...(query?.match(/[A-Za-z]\w+/g) ?? [])];
      const by = names.find((each) => areSameTimes(said, each) && boundName(each) === undefined);
      // Of words alone, such as `opened`, both must be words alone.
      if (by === undefined || (!isNamedTime && !isHappening(by))) continue;
      return { at: partAt(program, node), name, member, by, pages: command === "request" };
    }
  }
  return undefined;
}

/** A bound may take the number of a change as well, whatever it is called. */
function isTime(member: string, { command }: JqProgram, model: Model): boolean {
  const unit = unitsAround(command, model)?.(member)?.unit;
  return isTimeName(member) || unit === "seconds" || unit === "milliseconds";
}

/** The members that comments and programs of an intake name, but for ends of windows. */
function namesIn(intake: IntakeSymbol, model: Model): readonly string[] {
  const said = [...commentsBelow(intake.node)].flatMap(({ value }) => value.match(/[A-Za-z]\w+/g) ?? []);
  const read = partOfUnit(intake, model).programs.flatMap((program) =>
    nodesOfKind(program, "Field").flatMap(({ key }) => (key.kind === "Name" ? [key.text] : [])),
  );
  // A word alone says nothing: “changed” is no member.
  return [...new Set([...said.filter((name) => /_|[a-z][A-Z]/.test(name)), ...read])].filter(
    (name) => boundName(name) === undefined,
  );
}
