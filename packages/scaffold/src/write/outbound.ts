import type { WriteCandidate } from "../guess/candidates.ts";
import { emailOf } from "../guess/lists.ts";
import { phrase, singular, slug, titled } from "../guess/name-words.ts";
import type { ConfigObject, Told } from "../proposal.ts";
import type { Path } from "../shape.ts";
import { type AppParts, connectStep } from "./connect.ts";
import { tellNeeds } from "./evidence.ts";
import { fieldsOf, options } from "./fields.ts";
import { formFields, mainChoice, selectLabel } from "./requests.ts";
import { targetOf } from "./target.ts";

/** A workflow that sends each contact to the service. */
export function outboundWorkflow(candidate: WriteCandidate, parts: AppParts, told: Told[]): ConfigObject {
  const { operation, placement, needs, choices, unfilled } = candidate;
  const { record } = placement;
  const email = emailOf(record);
  const fields = fieldsOf(record, email?.path).filter(({ path }) => path.length === 1 && !isGiven(path[0]!));
  function isGiven(name: string): boolean {
    return needs.some((need) => need.in === "record" && need.parameter === name);
  }
  const last = operation.path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "records";
  const thing = singular(phrase(last)) || "record";
  told.push(
    tellTarget(candidate, email?.path),
    ...tellNeeds(needs),
    ...tellUnfilled(unfilled),
    ...tellKnown(candidate),
  );
  const choice = mainChoice(choices);
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
              label: selectLabel(choice),
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

/** Which request takes a contact, what speaks for it, and what against it. */
function tellTarget({ operation, doubts }: WriteCandidate, email: Path | undefined): Told {
  const isFilled = email !== undefined && email.length === 1;
  const reasons = [
    email === undefined
      ? "it looks most like what takes a person"
      : isFilled
        ? `its body has \`${email.join(".")}\``
        : `its body has \`${email.join(".")}\`, which the app doesn't fill in`,
    ...doubts.map(({ because }) => because),
  ];
  return {
    what: "contacts go to",
    taken: `\`${operation.source}\``,
    because: reasons.join("; but "),
    isOpen: !isFilled || doubts.length > 0,
  };
}

function tellUnfilled(unfilled: readonly string[]): readonly Told[] {
  if (unfilled.length === 0) return [];
  const [is, it] = unfilled.length === 1 ? ["is", "it"] : ["are", "them"];
  return [
    {
      what: "the body of a contact",
      taken: `${unfilled.map((name) => `\`${name}\``).join(", ")} ${is} left out`,
      because: `the request has to have ${it}, and no contact does: fill ${it} in, or choose another request`,
      isOpen: true,
    },
  ];
}

/** A service that can look people up wants to be asked before somebody is added twice. */
function tellKnown({ lookUp }: WriteCandidate): readonly Told[] {
  if (lookUp === undefined) return [];
  const { find, by, change } = lookUp;
  return [
    {
      what: "contacts that exist already",
      taken: "are sent like new ones",
      because: `\`${find.source}\` finds one by \`${by}\`, and \`${change.source}\` changes it: ask first, unless the service knows them by itself`,
      isOpen: true,
    },
  ];
}
