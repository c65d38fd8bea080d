import { emailOf } from "../guess/lists.ts";
import { phrase, singular, slug, titled } from "../guess/name-words.ts";
import { type Choice, isTyped } from "../guess/needs.ts";
import type { ConfigObject } from "../proposal.ts";
import type { ObjectShape, Path } from "../shape.ts";
import { type AppParts, connectStep } from "./connect.ts";
import { fieldsOf, options, sourceProgram } from "./fields.ts";
import { fieldId, formFields, mainChoice, selectLabel } from "./requests.ts";

/** Where people come from. */
export interface InboundSource {
  /** What the records are called: “subscribers”. */
  readonly name: string;
  /** What all that comes has in common. */
  readonly record: ObjectShape;
  /** Where a record stands in what an intake brings. */
  readonly within: Path;
  readonly choices: readonly Choice[];
  /** The name of the intake. */
  readonly intake: string;
  /** For a webhook: the name of the intake that brings those who are there already. */
  readonly history?: string;
  /** Whether the customer chooses when: for what is polled. */
  readonly isScheduled: boolean;
}

/** A workflow that makes contacts of records. */
export function inboundWorkflow(source: InboundSource, parts: AppParts): ConfigObject {
  const { name, record, within, choices, history } = source;
  const email = emailOf(record);
  const fields = fieldsOf(record, email?.path);
  const words = phrase(name) || "records";
  const choice = mainChoice(choices);
  const label = `${parts.title} - Import ${words}`;
  return {
    name: slug(label),
    label,
    description: words === "contacts" ? "Adds new contacts." : `Adds new ${words} as contacts.`,
    type: "generic",
    resource_type: slug(name) || "records",
    auth: parts.name,
    data_intake: source.intake,
    ...(history === undefined ? {} : { historical_data_intake: history }),
    setup: {
      connect: connectStep(parts),
      select: choice === undefined ? everything(words) : oneOf(choice, choices, parts),
      map: {
        label: "Map fields",
        describe_source: { label: titled(singular(words)), options: options(fields, false) },
        describe_target: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
      },
      ...(source.isScheduled ? { schedule } : {}),
    },
    data_pipeline: {
      source: { "!jq": sourceProgram(fields, within, mayLack(record, email?.path)) },
      target: { "!resource": "PlatformContact" },
    },
  };
}

/** The address, where the description doesn't say that each record has one. */
function mayLack({ required }: ObjectShape, email: Path | undefined): Path | undefined {
  const [name, ...below] = email ?? [];
  return name === undefined || (below.length === 0 && required.has(name)) ? undefined : email;
}

const schedule: ConfigObject = {
  label: "Schedule",
  description: "Choose how to import.",
  import_options: [
    { label: "Import once", type: "single" },
    { label: "Keep importing", type: "recurring" },
  ],
  frequency: 1800,
};

/** The customer chooses a list. */
function oneOf(choice: Choice, choices: readonly Choice[], parts: AppParts): ConfigObject {
  return {
    label: selectLabel(choice),
    form_fields: formFields(choices, parts.pages),
    describe_selection: {
      resource_id: { "!jq": `.custom_data.${fieldId(choice)}.value` },
      display: { "!jq": `.custom_data.${fieldId(choice)}.${isTyped(choice) ? "value" : "display"}` },
    },
  };
}

/** There is nothing to choose: the step is required all the same. */
function everything(words: string): ConfigObject {
  return {
    label: "Select",
    form_fields: [],
    describe_selection: {
      resource_id: { "!jq": JSON.stringify(words) },
      display: { "!jq": JSON.stringify(`All ${words}`) },
    },
  };
}
