import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { datesOtherThanTitles } from "../value/titled-date.ts";

type Order = "day" | "month";

/** What says that the other order is meant: a comment, other dates, or that the year comes first. */
type Reason = "comment" | "dates" | "year";

const dateOrder = defineRule<{ written: string; first: Order; reason: Reason }>({
  id: "jq/other-date-order",
  severity: "warning",
  summary: "A date is written day first in one place, and month first in another",
  why: "Up to the twelfth of a month both orders can be read, as two days that are months apart, and nothing fails. From the thirteenth on the service refuses the date.",
  guards: ["D3", "D23"],
  message: ({ written, first, reason }) =>
    reason === "year"
      ? `\`${written}\` puts the day between the year and the month, as no date has it.`
      : reason === "comment"
        ? `\`${written}\` has the ${other(first)} first, but a comment says that dates have the ${first} first.`
        : `\`${written}\` has the ${other(first)} first, but other dates here have the ${first} first.`,
  because: ({ first, reason }) => {
    if (reason === "year") return ["1 March 2026", "this has 2026-01-03, which is 3 January"];
    const text = first === "month" ? "03/04" : "04/03";
    return ["3 April", `this has \`${text}\`, which is 4 March where the ${first} comes first`];
  },
  help: ({ first, reason }) =>
    reason === "year" ? "Write the month before the day." : `Write the ${first} first.`,
  examples: [
    {
      title: "Beside another date",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "{email: .email, born: (.born | strptime(\\"%d/%m/%Y\\") | mktime)}"}, {"!jq": ". + {day: (now | strftime(\\"«%m/%d/%Y»\\"))}"}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, born: (.born | strptime(\\"%d/%m/%Y\\") | mktime)}"}, {"!jq": ". + {day: (now | strftime(\\"%d/%m/%Y\\"))}"}]}',
    },
    {
      title: "Beside a comment",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"Dates are written day/month/year."' },
      bad: '{"!jq": "{email: .email, day: (now | strftime(\\"«%m/%d/%Y»\\"))}"}',
      good: '{"!jq": "{email: .email, day: (now | strftime(\\"%d/%m/%Y\\"))}"}',
    },
    {
      title: "A day that a comment shows",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"The service writes days as 31.12.2026."' },
      bad: '{"!jq": "{email: .email, born: (.born | split(\\".\\") | «\\"\\\\(.[2])-\\\\(.[0])-\\\\(.[1])\\"»)}"}',
      good: '{"!jq": "{email: .email, born: (.born | split(\\".\\") | \\"\\\\(.[2])-\\\\(.[1])-\\\\(.[0])\\")}"}',
    },
    {
      title: "Behind the year",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, day: (.day | \\"«\\\\(.[0:4])-\\\\(.[6:8])-\\\\(.[4:6])»\\")}"}',
      good: '{"!jq": "{email: .email, day: (.day | \\"\\\\(.[0:4])-\\\\(.[4:6])-\\\\(.[6:8])\\")}"}',
    },
  ],
});

const other = (first: Order): Order => (first === "day" ? "month" : "day");

const module: RuleModule = {
  rules: [dateOrder],
  checks: {
    program({ node, diagnostics }, report) {
      if (diagnostics.length > 0) return;
      for (const { 0: written, index: from } of node.value.matchAll(yearDayMonth))
        report(
          dateOrder,
          { node, from, to: from + written.length },
          { written, first: "month", reason: "year" },
        );
      if (!/\[0?:4\]/.test(node.value)) return;
      for (const { names, ...at } of cutDates(node.value))
        if (names === "year,day,month")
          report(
            dateOrder,
            { node, ...at },
            { written: excerpt(node.value.slice(at.from, at.to)), first: "month", reason: "year" },
          );
    },
    document(model, report) {
      const dates = datesWritten(model);
      const said = dates.length === 0 ? undefined : saidOrder(model);
      // Some records have the one, and others the other.
      if (dates.length === 0 || said === "both") return;
      const [first, ...others] = dates;
      // Of two that differ the later one is told: the first is what the other was likely copied from.
      const wanted = said?.order ?? (others.length > 0 ? majority(dates) : first!.order);
      const rightly = dates.find(({ order }) => order === wanted);
      for (const { at, written, order } of dates) {
        if (order === wanted) continue;
        const related =
          said !== undefined
            ? { message: "the comment", at: said.comment }
            : { message: "written here in the other order", at: rightly!.at };
        report(dateOrder, at, { written, first: wanted, reason: said === undefined ? "dates" : "comment" }, [
          related,
        ]);
      }
    },
  },
};
export default module;

interface DateWritten {
  readonly written: string;
  readonly order: Order;
  readonly at: StringPart;
}

/** `\\(.[6:10])-\\(.[3:5])-\\(.[0:2])`: a date with the year last, put the other way round. */
const pieces = /\\\(\.\[6:(10)?\]\)-\\\(\.\[(0:2|3:5)\]\)-\\\(\.\[(?!\2)(?:0:2|3:5)\]\)/g;
/** `split(".") | "\\(.[2])-\\(.[1])-\\(.[0])"`: the same of a date that is taken apart. */
const split = /\bsplit\("[./-]"\)\s*\|\s*"\\\(\.\[2\]\)-\\\(\.\[([01])\]\)-\\\(\.\[(?!\1)[01]\]\)"/g;
/** The parts of a date with the year first: of 20260301, and of 2026-03-01. */
const partOf: Readonly<Record<string, string>> = {
  "0:4": "year",
  ":4": "year",
  "4:6": "month",
  "6:8": "day",
  "5:7": "month",
  "8:10": "day",
};

/** Where three parts of one date follow each other: `"\\(.[0:4])-\\(.[4:6])-\\(.[6:8])"`, `.[:4] + "-" + .[4:6] + …`, `[.[:4], …] | join("-")`. */
function cutDates(text: string) {
  const parts = [...text.matchAll(/([\w.$]{0,60})\[(0?:4|4:6|6:8|5:7|8:10)\]/g)];
  return parts.flatMap((part, at) => {
    const three = parts.slice(at, at + 3);
    const names = three.map((each) => partOf[each[2]!]);
    const isOneDate = three.every((each, index) => {
      const before = three[index - 1];
      const between = before === undefined ? "" : text.slice(before.index + before[0].length, each.index);
      // Of one value, and nothing but what stands between the parts of a date.
      return each[1] === part[1] && between.length <= 12 && !/[{}|;:]|\w{2}/.test(between);
    });
    if (three.length < 3 || !isOneDate || new Set(names).size < 3) return [];
    const last = three[2]!;
    const opens = text.startsWith("\\(", part.index - 2) ? 2 : 0;
    const closes = opens > 0 && text[last.index + last[0].length] === ")" ? 1 : 0;
    const [from, to] = [part.index - opens, last.index + last[0].length + closes];
    return [{ names: names.join(), from, to }];
  });
}

/** Nobody writes a date so. With a `-` between them it is told as a wrong directive. */
const yearDayMonth = /%Y%d%m/g;

const pattern = /%([dm])[/.-]%([dm])[/.-]%[Yy]/g;

/** Where programs write or read dates with the year last. */
const datesWritten: (model: Model) => readonly DateWritten[] = derivedByPart(
  ({ programs }, model) =>
    programs.flatMap((program) => withoutTold(withoutChosen(datesIn(program), program), program, model)),
  "linked",
);

/** Which of two orders a date has may be asked before it is read: `if .country == "US" then "%m/%d/%Y" else "%d/%m/%Y" end`. */
function withoutChosen(dates: readonly DateWritten[], program: JqProgram): readonly DateWritten[] {
  if (new Set(dates.map(({ order }) => order)).size < 2) return dates;
  const choices = [
    ...nodesOfKind(program, "If"),
    ...nodesOfKind(program, "Alternative"),
    ...nodesOfKind(program, "Try"),
  ];
  const chosen = choices.flatMap(({ start, end }) => {
    const inside = dates.filter(({ at }) => start <= at.from && at.to <= end);
    return new Set(inside.map(({ order }) => order)).size < 2 ? [] : inside;
  });
  return dates.filter((date) => !chosen.includes(date));
}

/** What differs from the title of its field is told by that. */
function withoutTold(
  dates: readonly DateWritten[],
  program: JqProgram,
  model: Model,
): readonly DateWritten[] {
  if (dates.length === 0) return dates;
  const told = datesOtherThanTitles(program, model);
  return dates.filter(({ at }) => !told.some((each) => each.at.from <= at.from && at.to <= each.at.to));
}

function datesIn({ node, diagnostics }: JqProgram): readonly DateWritten[] {
  if (diagnostics.length > 0) return [];
  const cut = [...node.value.matchAll(pieces)].map((match): DateWritten => {
    const at = { node, from: match.index, to: match.index + match[0].length };
    // The year is last, so the month is first where it comes first behind the year.
    return { written: match[0], order: match[2] === "0:2" ? ("month" as const) : ("day" as const), at };
  });
  for (const match of node.value.matchAll(split)) {
    const from = match.index + match[0].indexOf('"\\');
    cut.push({
      written: node.value.slice(from, match.index + match[0].length),
      order: match[1] === "0" ? "month" : "day",
      at: { node, from, to: match.index + match[0].length },
    });
  }
  const turned = /\[0?:4\]/.test(node.value) ? cutDates(node.value) : [];
  for (const { names, from, to } of turned)
    if (names === "day,month,year" || names === "month,day,year")
      cut.push({
        written: node.value.slice(from, to),
        order: names === "day,month,year" ? "day" : "month",
        at: { node, from, to },
      });
  if (!node.value.includes("%d")) return cut;
  const formatted = [...node.value.matchAll(pattern)].flatMap((match) => {
    if (match[1] === match[2]) return [];
    const at = { node, from: match.index, to: match.index + match[0].length };
    return [{ written: match[0], order: match[1] === "d" ? ("day" as const) : ("month" as const), at }];
  });
  return [...cut, ...formatted];
}

/** The order that most dates have; of as many, that of the first. */
function majority(dates: readonly DateWritten[]): Order {
  const days = dates.filter(({ order }) => order === "day").length;
  return days * 2 === dates.length ? dates[0]!.order : days * 2 > dates.length ? "day" : "month";
}

interface SaidOrder {
  readonly order: Order;
  readonly comment: StringNode;
}

const dayFirst = /\b(?:day[/.-]month[/.-]year|DD[/.-]MM[/.-]YYYY|dd[/.-]mm[/.-]yyyy)\b/;
const monthFirst = /\b(?:month[/.-]day[/.-]year|MM[/.-]DD[/.-]YYYY|mm[/.-]dd[/.-]yyyy)\b/;
/** `Days are written 31.12.2026`: a day of one member alone is that member's (`value/documented-time`). */
const shownDay =
  /\b(?:days|dates) (?:\w+[ ,]+){0,4}(?:as|like|in|written|:)? ?["`(]?(\d\d)([/.-])(\d\d)\2(?:19|20)\d\d\b/gi;

/** The orders of days that show which of their numbers is the month. */
const ordersShown = (text: string): readonly Order[] =>
  [...text.matchAll(shownDay)].flatMap(([, first, , second]) => {
    const [isDay, isMonth] = [Number(first) > 12, Number(second) > 12];
    return isDay === isMonth ? [] : [isDay ? ("day" as const) : ("month" as const)];
  });

/** The order in which comments say that dates are written; undefined where they say none. */
const saidOrder = derived((model): SaidOrder | "both" | undefined => {
  if (!hasComments(model) || model.document.root === undefined) return undefined;
  const said = [...commentsBelow(model.document.root)].flatMap((comment) => [
    ...(dayFirst.test(comment.value) ? [{ order: "day" as const, comment }] : []),
    ...(monthFirst.test(comment.value) ? [{ order: "month" as const, comment }] : []),
    ...ordersShown(comment.value).map((order) => ({ order, comment })),
  ]);
  return said.every(({ order }) => order === said[0]!.order) ? said[0] : "both";
});
