import type { WriteCandidate } from "../guess/candidates.ts";
import { emailOf } from "../guess/lists.ts";
import { phrase, singular, slug, titled } from "../guess/name-words.ts";
import type { ConfigObject, Told } from "../proposal.ts";
import { type AppParts, connectStep } from "./connect.ts";
import { fieldsOf, options } from "./fields.ts";
import { fieldId, formFields } from "./requests.ts";
import { targetOf } from "./target.ts";

/** A workflow that sends each contact to the service. */
export function outboundWorkflow(candidate: WriteCandidate, parts: AppParts, told: Told[]): ConfigObject {
  const { operation, placement, choices } = candidate;
  const { record } = placement;
  const email = emailOf(record);
  const fields = fieldsOf(record, email?.path).filter(({ path }) => path.length === 1);
  const last = operation.path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "records";
  const thing = singular(phrase(last)) || "record";
  told.push({
    what: "contacts go to",
    taken: `\`${operation.source}\``,
    because:
      email === undefined
        ? "it looks most like what takes a person"
        : `its body has \`${email.path.join(".")}\``,
    isOpen: email === undefined,
  });
  const choice = choices.at(-1);
  const label = `${parts.title} - Add a ${thing}`;
  return {
    name: slug(label),
    label,
    description: thing === "contact" ? "Adds the contact." : `Adds the contact as a ${thing}.`,
    type: "automations",
    auth: parts.name,
    setup: {
      connect: connectStep(parts),
      ...(choice === undefined
        ? {}
        : {
            select: {
              label: `Select a ${phrase(fieldId(choice))}`,
              form_fields: formFields(choices, parts.pages),
            },
          }),
      map: {
        label: "Map fields",
        describe_source: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
        describe_target: { label: titled(thing), options: options(fields, true) },
      },
    },
    data_pipeline: {
      source: { "!resource": "PlatformContact" },
      target: targetOf(candidate),
    },
  };
}
