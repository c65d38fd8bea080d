import type { Choice, ReadCandidate } from "../guess/candidates.ts";
import { emailOf } from "../guess/lists.ts";
import { phrase, singular, slug, titled } from "../guess/name-words.ts";
import type { ConfigObject, Told } from "../proposal.ts";
import { type AppParts, connectStep } from "./connect.ts";
import { fieldsOf, options, sourceProgram } from "./fields.ts";
import { fieldId, formField } from "./requests.ts";

/** A workflow that makes contacts of the records of a list. */
export function inboundWorkflow(
  { list, choices }: ReadCandidate,
  parts: AppParts,
  told: Told[],
): ConfigObject {
  const email = emailOf(list.record);
  const fields = fieldsOf(list.record, email?.path);
  const words = phrase(list.name) || "records";
  told.push({
    what: "contacts come from",
    taken: `\`${list.operation.source}\``,
    because:
      email === undefined
        ? "it looks most like a list of people, but no member looks like an email address, which contacts need"
        : `its records have \`${email.path.join(".")}\``,
    isOpen: email === undefined,
  });
  const [choice] = choices;
  const label = `${parts.title} - Import ${words}`;
  return {
    name: slug(label),
    label,
    description: words === "contacts" ? "Adds new contacts." : `Adds new ${words} as contacts.`,
    type: "generic",
    resource_type: slug(list.name) || "records",
    auth: parts.name,
    data_intake: slug(list.name) || "records",
    setup: {
      connect: connectStep(parts),
      select: choice === undefined ? everything(words) : oneOf(choice, parts),
      map: {
        label: "Map fields",
        describe_source: { label: titled(singular(words)), options: options(fields, false) },
        describe_target: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
      },
      schedule: {
        label: "Schedule",
        description: "Choose how to import.",
        import_options: [
          { label: "Import once", type: "single" },
          { label: "Keep importing", type: "recurring" },
        ],
        frequency: 1800,
      },
    },
    data_pipeline: { source: { "!jq": sourceProgram(fields) }, target: { "!resource": "PlatformContact" } },
  };
}

/** The customer chooses a list. */
function oneOf(choice: Choice, parts: AppParts): ConfigObject {
  return {
    label: `Select a ${phrase(fieldId(choice))}`,
    form_fields: [formField(choice, parts.pages)],
    describe_selection: {
      resource_id: { "!jq": `.custom_data.${fieldId(choice)}.value` },
      display: { "!jq": `.custom_data.${fieldId(choice)}.display` },
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
