import { get, textAt } from "../config.ts";
import { type Kind, replacing } from "../kind.ts";
import { each, everywhere, inPrograms, inRequest } from "./in-programs.ts";

/** Mistakes about what a value is: a text, a number, a list, a date in some form, one of a field's options. */

const inPrePoll = ({ place }: { readonly place: readonly (string | number)[] }): boolean =>
  place[0] === "data_intake" && place[2] === "pre_poll";

export const valueFormKinds: readonly Kind[] = [
  inPrograms(
    "length-as-condition",
    "A length is the condition, which counts as true when it is 0, too.",
    everywhere,
    each(/(?<=(?:if|elif|and) \(\.[\w.]+ \| length\)) (?:> 0|!= 0|== 0)(?= then)/g, ""),
  ),
  inPrograms(
    "index-of-nothing",
    "`index` is compared with -1 instead of null.",
    everywhere,
    each(/(?<=\| index\([^()]*\)\) [=!]= )null\b/g, "-1"),
  ),
  inPrograms(
    "twelve-hours",
    "`%I` without the half of the day.",
    everywhere,
    each(/(?<=strftime\(\\"[^"]*)%H(?=:%M)/g, "%I"),
  ),
  inPrograms(
    "least-record",
    "The least of the old bound and the records is the next bound.",
    inRequest,
    each(
      /(?<=\b(?:row|seq|after|since|newest|position): \(\[\$\{polling_state\.\w+\}, \.[\w.]+\[\]\.\w+\] \| )max(?=\))/g,
      "min",
    ),
  ),
  inPrograms(
    "gap-after-watermark",
    "The next cycle begins later than the latest record that was read.",
    inPrePoll,
    each(/(?<=newest\b[^-+]{0,12}\| fromdate )-(?= \d{2,} \|)/g, "+"),
  ),
  replacing(
    "meaning/default-not-option",
    "hint",
    "A default that is sent is none of the field's options.",
    function* (config) {
      for (const site of config.expansions("custom_data")) {
        const option = /^default:([a-z]\w*)$/.exec(site.filters[0]?.trim() ?? "")?.[1];
        if (option === undefined || site.filters.length !== 1) continue;
        const fields = config.workflows.flatMap((workflow) => config.fields(workflow));
        const own = fields.filter((field) => textAt(field, "id") === site.segments[1]);
        const options = own.length === 1 ? get(own[0], "options") : undefined;
        if (options?.kind !== "array" || options.items.length < 2) continue;
        // What is compared may be another word on purpose.
        const text = config.text.slice(site.node.start, site.node.end);
        const written = config.text.slice(site.span.start, site.span.end);
        const isMember = new RegExp(`\\w: ${escaped(written)}[,}]`).test(text);
        if (!isMember && text !== `"${written}"`) continue;
        const start = site.span.start + written.lastIndexOf(option);
        yield [{ start, end: start + option.length }, "somethingelse"];
      }
    },
  ),
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
