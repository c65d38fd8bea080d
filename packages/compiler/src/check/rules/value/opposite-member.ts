import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { readMember } from "../../../flow/member-read.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { objectsSent } from "../../../flow/objects-sent.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { areOpposite, type Pole, type PoleKind, poleOf } from "../../../flow/poles.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isChangeTime, isCreationTime, isTimeName } from "../../../flow/protocol/time-names.ts";
import { stepsOf } from "../../../flow/value-path.ts";
import type { Location } from "../../../parse/document.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { crossedIn, isDirection, membersOf, type Named, namedIn } from "../jq/crossed-members.ts";
import { doubledIn, isOfOneDay } from "./doubled-member.ts";

const oppositeMember = defineRule<{ member: string; given: string }>({
  id: "value/opposite-member",
  severity: "warning",
  summary: "A member gets the opposite of what its name says",
  why: "Customers read what a field is called. A first name under “Last name”, or the start of a stay under its end, is wrong for every record, and nothing fails.",
  guards: ["D17", "command.!jq", "command.!http"],
  message: ({ member, given }) => `\`${member}\` gets \`${given}\`, which says the opposite by its name.`,
  because: ({ member, given }) => [`the name of the member: \`${member}\``, `what it gets: \`${given}\``],
  help: ({ member }) => `Read the member that is meant by \`${member}\`.`,
  examples: [
    {
      title: "The first name as the last",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, last_name: «.first_name»}"}',
      good: '{"!jq": "{email: .email, last_name: .last_name}"}',
    },
    {
      title: "One end for both",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, starts_on: .begins_at[0:10], ends_on: «.begins_at[0:10]»}"}',
      good: '{"!jq": "{email: .email, starts_on: .begins_at[0:10], ends_on: .finishes_at[0:10]}"}',
    },
  ],
});

const otherTime = defineRule<{ member: string; given: string; owner: string }>({
  id: "value/other-event-time",
  // Some services have one time for two things: an order is closed when it is paid.
  severity: "hint",
  summary: "Two members for different times get the same one",
  why: "The name of one member says that the time belongs there. If the other one means another time, it is wrong for every record, as a renewal on the day of the start.",
  guards: ["D17", "command.!jq", "command.!http"],
  message: ({ member, given, owner }) =>
    `\`${member}\` gets the same time as \`${owner}\`, which is called like it: \`${given}\`.`,
  because: ({ member, given, owner }) => [
    `\`${owner}\` gets \`${given}\`, as its name says`,
    `\`${member}\` gets it too, and its name says another time`,
  ],
  help: ({ member }) => `Read the time that \`${member}\` means.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, supply_start: .supply_start, renewal_date: «.supply_start»}"}',
      good: '{"!jq": "{email: .email, supply_start: .supply_start, renewal_date: .ends_on}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [oppositeMember, otherTime],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, command } = program;
      if (!isData(command)) return;
      const titles =
        command.unit?.kind === "workflow" && command.place.name === "data_pipeline.source"
          ? offeredTitles(command.unit, model)
          : undefined;
      for (const object of nodesOfKind(program, "Object")) {
        const named = namedIn(object, program);
        if (named.every(isOfSameName)) continue;
        // A copy that wasn't changed is told as that.
        const copies = new Set(doubledIn(object, program).map(({ member }) => member));
        tell(
          named.filter(([name]) => !copies.has(name)),
          report,
          (member) => {
            const { start, end } = entryOf(object, member)?.value ?? object;
            return { node, from: start, to: end };
          },
          titles,
          (member) => isOfOneDay(member, program, model),
        );
      }
      for (const { target, value } of nodesOfKind(program, "Assignment")) {
        const member = target.kind === "Postfix" ? stepsOf(target.suffixes)?.at(-1) : undefined;
        const read = member === undefined ? undefined : readMember(value, program);
        if (member !== undefined && read !== undefined)
          tell([[member, read]], report, () => ({ node, from: value.start, to: value.end }));
      }
    },
    command: {
      "!http"(command, report) {
        const { argument } = command;
        if (!isData(command) || argument?.kind !== "object") return;
        for (const values of objectsSent(argument))
          tell(membersOf(values), report, (member) => values.get(member) ?? values);
      },
    },
  },
};
export default module;

/** States of polls begin where the window before them ended. */
const isData = ({ place, unit }: Command): boolean =>
  unit?.kind === "workflow" && place.name.startsWith("data_pipeline.");

/** Most members are read from those of the same name: these say nothing else. */
const isOfSameName = ([name, read]: Named): boolean => name === read.name;

function tell(
  all: readonly Named[],
  report: Report,
  at: (member: string) => Location,
  titles?: ReadonlyMap<string, string>,
  isSame?: (member: string) => boolean,
): void {
  if (all.every(isOfSameName) || crossedIn(all) !== undefined) return;
  const named = all.filter(([name]) => !isDirection(name));
  for (const [member, read] of named) {
    if (member === read.name) continue;
    const [wanted, given] = [poleOf(member) ?? poleOf(titles?.get(member) ?? ""), poleOf(read.name)];
    if (
      isOpposite(`${member} ${titles?.get(member)}`, read.name, wanted, given) ||
      isOtherEnd(member, read.name, wanted, given) ||
      (areOpposite(wanted, given) && hasOther(wanted!, read.path, member, named))
    ) {
      if (wanted?.kind !== "window" || isSame?.(member) !== true)
        report(oppositeMember, at(member), { member, given: read.name });
    } else {
      const owner = isEvent(read.name) ? ownerOf(member, read.path, read.name, named) : undefined;
      if (owner !== undefined) report(otherTime, at(member), { member, given: read.name, owner });
    }
  }
}

/** Opposites that nobody gives for one another, whatever stands beside them. */
const alone: ReadonlySet<PoleKind> = new Set(["person", "place"]);

/** `job_ends_on` of `.starts_on`: both name a day or a time by the same words, and only the end differs. */
function isOtherEnd(
  member: string,
  name: string,
  wanted: Pole | undefined,
  given: Pole | undefined,
): boolean {
  if (!areOpposite(wanted, given) || wanted!.kind !== "window") return false;
  if (wanted!.subject !== given!.subject && given!.subject !== "") return false;
  const [own, read] = [member, name].map((each) => wordsOf(each).at(-1));
  return own === read && /^(?:on|at|date|time|day)$/.test(own ?? "");
}

function isOpposite(
  member: string,
  name: string,
  wanted: Pole | undefined,
  given: Pole | undefined,
): boolean {
  if (!areOpposite(wanted, given) || !alone.has(wanted!.kind)) return false;
  // The first and the last of something are also seen one for the other.
  const isPerson = wanted!.kind !== "person" || /name/i.test(member) || /name/i.test(name);
  return isPerson && (wanted!.subject === given!.subject || wanted!.subject === "" || given!.subject === "");
}

/** Opposites of which one is given for the other on purpose: both are members beside one another, so both are known. */
const paired: ReadonlySet<PoleKind> = new Set(["window", "journey", "range", "tax", "size"]);

/** Whether another member is the opposite one by its name, and gets the same. */
function hasOther(wanted: Pole, path: string, member: string, named: readonly Named[]): boolean {
  return (
    paired.has(wanted.kind) &&
    named.some(([name, read]) => {
      const pole = poleOf(name);
      return (
        name !== member && areOpposite(wanted, pole) && pole!.subject === wanted.subject && read.path === path
      );
    })
  );
}

const isTime = (name: string): boolean =>
  isTimeName(name) || /^(?:window|journey)$/.test(poleOf(name)?.kind ?? "");

/** A time of something that happens once: what is created is also ordered, and what is changed is also seen. */
const isEvent = (name: string): boolean => isTime(name) && !isCreationTime(name) && !isChangeTime(name);

const fillers: ReadonlySet<string> = new Set([
  "at",
  "on",
  "date",
  "time",
  "day",
  "timestamp",
  "the",
  "of",
  "ms",
]);

const specific = (name: string): readonly string[] => wordsOf(name).filter((word) => !fillers.has(word));

/** The member beside this one that gets the same time and is called as that is, where this one is called otherwise. */
function ownerOf(member: string, path: string, given: string, named: readonly Named[]): string | undefined {
  const [own, time] = [specific(member), specific(given)];
  if (!isTime(member) || own.length === 0 || own.some((word) => time.some((each) => isAlike(word, each))))
    return undefined;
  if (poleOf(member)?.kind === "change") return undefined;
  return named.find(
    ([name, read]) =>
      name !== member &&
      read.path === path &&
      time.length > 0 &&
      time.every((word) => specific(name).some((each) => isAlike(word, each))),
  )?.[0];
}

/** `start` and `started`, `book` and `booking`. */
const isAlike = (a: string, b: string): boolean => a.slice(0, 4) === b.slice(0, 4);
