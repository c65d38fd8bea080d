import type { Operation } from "../description.ts";
import { isIdempotencyKey, type WriteCandidate } from "../guess/candidates.ts";
import type { Placement } from "../guess/placement.ts";
import type { ConfigObject, ConfigValue } from "../proposal.ts";
import { jqKey } from "../shape.ts";
import { fieldId, pathOf } from "./requests.ts";

/** The `target` of a pipeline that sends each contact, with a key of its own where the service wants one. */
export function targetOf({ operation, placement, choices }: WriteCandidate): ConfigObject {
  const steps: ConfigObject[] = [];
  /** @returns the expansion that gives what the step gave */
  const add = (step: ConfigObject): string => `\${piped_content.${steps.push(step)}}`;
  let body = "${piped_content.0}";
  const headers: Record<string, string> =
    operation.request?.format === "form" ? { "content-type": "application/x-www-form-urlencoded" } : {};
  const key = keyOf(operation, placement);
  if (key !== undefined) {
    // The same contact for another list is another request.
    const chosen = choices.map((choice) => `\${custom_data.${fieldId(choice)}.value}`);
    const told = chosen.length === 0 ? "tojson" : `([., ${chosen.join(", ")}] | tojson)`;
    add({ "!jq": `{value_to_encrypt: ${told}}` });
    const hash = add({ "!sha": { algorithm: "sha256" } }).replace(/\}$/, ".hash}");
    if (key.place === "header") headers[key.name] = hash;
    else body = add({ "!jq": `${body} + {${jqKey(key.name)}: ${hash}}` });
  }
  // A body that is a list can only be written as one expansion.
  if (placement.isList && placement.wrapper === undefined) body = add({ "!jq": `[${body}]` });
  const http: ConfigObject = {
    "!http": {
      method: operation.method,
      path: pathOf(operation, choices),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      body: placed(placement, body),
    },
  };
  return steps.length === 0 ? http : { "!pipe": [...steps, http] };
}

/** Where a service takes the key of a request: in a header, which costs nothing, or in the body if it has to be there. */
function keyOf(
  { parameters }: Operation,
  { record }: Placement,
): { readonly place: "header" | "body"; readonly name: string } | undefined {
  const header = parameters.find(({ in: place, name }) => place === "header" && isIdempotencyKey(name));
  if (header !== undefined) return { place: "header", name: header.name };
  const member = [...record.required].find(isIdempotencyKey);
  return member === undefined ? undefined : { place: "body", name: member };
}

function placed({ wrapper, isList }: Placement, record: string): ConfigValue {
  return wrapper === undefined ? record : { [wrapper]: isList ? [record] : record };
}
