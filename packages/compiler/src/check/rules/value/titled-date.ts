import type { Expression, Pipeline, Stage } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { dateOfTitle } from "../../../flow/documented-dates.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { evaluateAlone } from "../../../flow/machine/evaluate.ts";
import { mappedTitle } from "../../../flow/mapped-title.ts";
import { nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { formatSlips } from "../jq/dates.ts";
import { writersOf } from "./date-writers.ts";
import { mayRead } from "./time-forms.ts";

const titledDate = defineRule<{ text: string; title: string; sample: string; made: string | undefined }>({
  id: "value/titled-date",
  severity: "warning",
  summary: "A day is read or written in another form than the title of its field shows",
  why: "Customers map a field by its title, so their days come in the form that it shows. Read in another form, a day fails or becomes another one, and up to the twelfth of a month nobody sees it.",
  guards: ["option.title", "command.!jq", "D23"],
  message: ({ text, title, sample, made }) =>
    made === undefined
      ? `\`${text}\` takes another form than “${title}” shows: ${sample}.`
      : `“${title}” shows days as ${sample}, and \`${text}\` makes ${made} of it.`,
  because: ({ title, sample, made, text }) => [
    `“${title}”: ${sample}`,
    made === undefined ? `\`${text}\` has another form` : `what comes of it: ${made}`,
  ],
  help: () => "Read and write it in the form that the title shows, or correct the title.",
  examples: [
    {
      title: "Read with the month first",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email"}, {"title": "Born on (DD/MM/YYYY)", "id": "born", "required": true}]',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, born: (.born | «strptime(\\"%m/%d/%Y\\")» | strftime(\\"%Y-%m-%d\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, born: (.born | strptime(\\"%d/%m/%Y\\") | strftime(\\"%Y-%m-%d\\"))}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
    },
    {
      title: "Put together in another order",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email"}, {"title": "Moves in on (DD.MM.YYYY)", "id": "moves_in", "required": true}]',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, from: («.moves_in | split(\\".\\") | \\"\\\\(.[2])-\\\\(.[0])-\\\\(.[1])\\"»)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, from: (.moves_in | split(\\".\\") | \\"\\\\(.[2])-\\\\(.[1])-\\\\(.[0])\\")}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [titledDate],
  checks: {
    reach: "linked",
    program(program, report, model) {
      for (const { at, ...args } of datesOtherThanTitles(program, model)) report(titledDate, at, args);
    },
  },
};
export default module;

interface OtherDate {
  readonly text: string;
  readonly title: string;
  readonly sample: string;
  readonly made: string | undefined;
  readonly at: StringPart;
}

/** Days that a program reads or writes in another form than the title of their field shows. */
export const datesOtherThanTitles = derivedOf((program: JqProgram, model): readonly OtherDate[] => {
  const { unit, place } = program.command;
  if (unit?.kind !== "workflow" || program.diagnostics.length > 0) return [];
  if (place.name === "data_pipeline.source") return written(program, model);
  return /strptime|split|\[\d*:\d+\]/.test(program.node.value) ? read(program, model) : [];
});

/** Days that the pipeline's source gives customers to map. */
function written(program: JqProgram, model: Model): readonly OtherDate[] {
  const { unit } = program.command;
  if (unit?.kind !== "workflow" || !/strftime/.test(program.node.value)) return [];
  const titles = offeredTitles(unit, model);
  return nodesOfKind(program, "Object").flatMap(({ entries }) =>
    entries.flatMap(({ key, value }) => {
      const title = titles.get(nameOf(key) ?? "");
      const date = title === undefined ? undefined : dateOfTitle(title);
      if (title === undefined || date === undefined || value === undefined) return [];
      return writersOf(value).flatMap((call): readonly OtherDate[] => {
        const format = constantOf(call.arguments[0]!);
        if (typeof format !== "string" || !isDay.test(format) || mayRead(date.sample, format)) return [];
        // What is wrong by itself is told as that.
        if (formatSlips(format).length > 0) return [];
        const at = partAt(program, call);
        return [{ text: textAt(call, program), title, sample: date.sample, made: undefined, at }];
      });
    }),
  );
}

/** A day and nothing of a clock. */
const isDay = /^(?:%[YmdFye]|[./ -])+$/;

/** Days that customers map, as a program takes them apart. */
function read(program: JqProgram, model: Model): readonly OtherDate[] {
  return nodesOfKind(program, "Pipeline").flatMap((pipeline): readonly OtherDate[] => {
    const [first, ...rest] = stagesOf(pipeline);
    if (first === undefined || rest.length === 0 || rest.length < pipeline.stages.length - 1) return [];
    const title = rest.some(takesApart) ? mappedTitle(first, program, flowOf(model)) : undefined;
    const date = title === undefined ? undefined : dateOfTitle(title);
    if (title === undefined || date === undefined) return [];
    const { sample } = date;
    const [parser] = rest;
    const isParsed = parser?.kind === "Call" && parser.name.text === "strptime";
    const format = isParsed ? constantOf(parser.arguments[0]!) : undefined;
    if (parser !== undefined && typeof format === "string") {
      const at = partAt(program, parser);
      return mayRead(sample, format)
        ? []
        : [{ text: textAt(parser, program), title, sample, made: undefined, at }];
    }
    const made = evaluateAlone(program, withoutFirst(pipeline, rest), sample);
    if (typeof made !== "string" || !isNoDay(made)) return [];
    return [
      { text: excerpt(textAt(pipeline, program), 60), title, sample, made, at: partAt(program, pipeline) },
    ];
  });
}

/** What is in the parts of a text, and not the whole. */
const takesApart = (stage: Stage): boolean =>
  (stage.kind === "Call" && /^(?:strptime|split|sub|capture)$/.test(stage.name.text)) ||
  stage.kind === "String";

function withoutFirst(pipeline: Pipeline, rest: readonly Expression[]): Expression {
  const [only] = rest;
  return rest.length === 1 ? only! : { ...pipeline, stages: rest, start: rest[0]!.start };
}

/** `2026-31-12` */
const isNoDay = (text: string): boolean => {
  const [, month, day] = /^\d{4}-(\d\d)-(\d\d)(?!\d)/.exec(text) ?? [];
  return Number(month) > 12 || Number(day) > 31;
};
