import type { Expression } from "@configc/jq";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { bare } from "../../../flow/nodes.ts";
import { nounOf, nounOfId } from "../../../flow/nouns.ts";
import { nameOfPath } from "../../../flow/record-kind.ts";
import { underlying } from "../../../flow/underlying.ts";
import { inputPath } from "../../../flow/value-path.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { idPlaceOf } from "../value/id-places.ts";
import { type Offered, offeredIn } from "./other-option-value.ts";

const session = (value: string): string =>
  `{"label": "Session", "id": "session", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/sessions"}}, {"!jq": "[.rows[] | {display: .exam.title, value: ${value}}]"}]}}`;

const isPath = (place: string): boolean => place.startsWith("`/");

const optionOfOtherRecord = defineRule<{ value: string; noun: string; list: string; place: string }>({
  id: "setup/option-of-other-record",
  severity: "warning",
  summary: "The value of an option belongs to a record inside the one that is offered",
  why: "The value of an option goes into a path or an id that names one of the records that were offered. What is read of a record inside them names another kind of record, and several options may have the same: the request finds nothing, or something else.",
  guards: ["field.options", "field_option.value", "D12"],
  message: ({ value, noun, list, place }) =>
    `\`${value}\` belongs to the ${noun} of a record. What is chosen here goes ${isPath(place) ? "into the path" : `to ${place}`} as one of \`/${list}\`.`,
  because: ({ value, list, place }) => [
    `a customer chooses one of \`/${list}\``,
    isPath(place) ? `\`/${list}/…\` is asked for with \`${value}\`` : `${place} gets \`${value}\``,
  ],
  help: () => "Keep what names the record itself.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/sessions/${custom_data.session.value}/bookings", "body": {"email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}',
      },
      bad: session("«.exam.code»"),
      good: session(".number"),
    },
    {
      title: "Sent as the id of a record",
      also: ["value/name-for-id"],
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/bookings", "body": {"session_id": "${custom_data.session.value}", "email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}',
      },
      bad: session("«.exam.code»"),
      good: session(".id"),
    },
  ],
});

const module: RuleModule = {
  rules: [optionOfOtherRecord],
  checks: {
    document(model, report) {
      for (const { offered, list, noun } of offeredFromInside(model)) {
        const place = placeOfRecord(offered, list, noun, model);
        if (place === undefined) continue;
        const { program, value, written } = offered;
        report(
          optionOfOtherRecord,
          { node: program.node, from: value.start, to: value.end },
          { value: written, noun, list, place },
        );
      }
    },
  },
};
export default module;

/** Values of something inside the records that are offered. */
const offeredFromInside = derivedByPart(
  (part, model) =>
    offeredIn(part, model).flatMap((offered) => {
      const list = nameOfPath(offered.path ?? "");
      const noun = insideOf(offered.value);
      return list === undefined || noun === undefined ? [] : [{ offered, list, noun }];
    }),
  "linked",
);

/** The place that takes one of the records that are offered, where the value is of a record of another kind inside them. */
function placeOfRecord(
  { places, field, value }: Offered,
  list: string,
  noun: string,
  model: Model,
): string | undefined {
  const own = nounOf(list);
  if (own === undefined || own === noun || nounOf(field.id ?? "") !== own) return undefined;
  const path = `\`/${list}/\``;
  if (places.has(path)) return path;
  // An id inside may be that of the record itself, as `profile.id`; a number or a name isn't.
  const name = nameOfValue(bare(value));
  if (name === undefined || isIdName(name)) return undefined;
  const place = idPlaceOf(field, model);
  return place !== undefined && nounOfId(place.replaceAll("`", "")) === own ? place : undefined;
}

/** What only wraps a record. */
const wrapper = /^(?:data|attributes|node|fields|item|record|properties|value|meta)$/i;

/** `exam` of `.exam.code`. */
function insideOf(given: Expression): string | undefined {
  const above = inputPath(underlying(given))?.at(-2);
  return above === undefined || wrapper.test(above) ? undefined : nounOf(above);
}
