import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

type Order = "day" | "month";

const dateOrder = defineRule<{ written: string; first: Order; isSaid: boolean }>({
  id: "jq/other-date-order",
  severity: "warning",
  summary: "A date is written day first in one place, and month first in another",
  why: "Up to the twelfth of a month both orders can be read, as two days that are months apart, and nothing fails. From the thirteenth on the service refuses the date.",
  guards: ["D3", "D23"],
  message: ({ written, first, isSaid }) =>
    isSaid
      ? `\`${written}\` has the ${other(first)} first, but a comment says that dates have the ${first} first.`
      : `\`${written}\` has the ${other(first)} first, but other dates here have the ${first} first.`,
  because: ({ written, first }) => {
    const text = written.startsWith("%d") || written.includes("[3:5])-\\(.[0:2]") ? "03/04" : "04/03";
    return ["3 April", `this has \`${text}\`, which is 4 March where the ${first} comes first`];
  },
  help: ({ first }) => `Write the ${first} first.`,
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
  ],
});

const other = (first: Order): Order => (first === "day" ? "month" : "day");

const module: RuleModule = {
  rules: [dateOrder],
  checks: {
    document(model, report) {
      const dates = datesWritten(model);
      if (dates.length === 0) return;
      const said = saidOrder(model);
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
        report(dateOrder, at, { written, first: wanted, isSaid: said !== undefined }, [related]);
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
const pattern = /%([dm])[/.-]%([dm])[/.-]%[Yy]/g;

/** Where programs write or read dates with the year last. */
const datesWritten: (model: Model) => readonly DateWritten[] = derivedByPart(({ programs }) =>
  programs.flatMap(datesIn),
);

function datesIn({ node, diagnostics }: JqProgram): readonly DateWritten[] {
  if (diagnostics.length > 0) return [];
  const cut = [...node.value.matchAll(pieces)].map((match) => {
    const at = { node, from: match.index, to: match.index + match[0].length };
    // The year is last, so the month is first where it comes first behind the year.
    return { written: match[0], order: match[2] === "0:2" ? ("month" as const) : ("day" as const), at };
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

const dayFirst = /\b(?:day[/.-]month[/.-]year|DD[/.-]MM[/.-]YYYY|dd[/.-]mm[/.-]yyyy)\b/;
const monthFirst = /\b(?:month[/.-]day[/.-]year|MM[/.-]DD[/.-]YYYY|mm[/.-]dd[/.-]yyyy)\b/;

/** The order in which comments say that dates are written; undefined where they say none, or both. */
const saidOrder = derived((model): { readonly order: Order; readonly comment: StringNode } | undefined => {
  if (!hasComments(model) || model.document.root === undefined) return undefined;
  const said = [...commentsBelow(model.document.root)].flatMap((comment) => [
    ...(dayFirst.test(comment.value) ? [{ order: "day" as const, comment }] : []),
    ...(monthFirst.test(comment.value) ? [{ order: "month" as const, comment }] : []),
  ]);
  return said.every(({ order }) => order === said[0]!.order) ? said[0] : undefined;
});
