import { keyText } from "@configc/jq/internal";
import type { Operation } from "../description.ts";
import type { WriteCandidate } from "../guess/candidates.ts";
import { isIdempotencyKey } from "../guess/known-values.ts";
import type { Need } from "../guess/needs.ts";
import type { Placement } from "../guess/placement.ts";
import type { ConfigObject, ConfigValue } from "../proposal.ts";
import { chosenValue, pathOf, sent, withSent } from "./requests.ts";

/** The `target` of a pipeline that sends each contact, with a key of its own where the service wants one. */
export function targetOf({ operation, placement, needs, choices }: WriteCandidate): ConfigObject {
  const steps: ConfigObject[] = [];
  /** @returns the expansion that gives what the step gave */
  const add = (step: ConfigObject): string => `\${piped_content.${steps.push(step)}}`;
  let body = "${piped_content.0}";
  const headers: Record<string, ConfigValue> = {
    ...(operation.request?.format === "form" ? { "content-type": "application/x-www-form-urlencoded" } : {}),
    ...sent(needs, "header"),
  };
  const key = keyOf(operation, placement);
  if (key !== undefined) {
    // The same contact for another list is another request.
    const chosen = choices.map(chosenValue);
    const told = chosen.length === 0 ? "tojson" : `([., ${chosen.join(", ")}] | tojson)`;
    add({ "!jq": `{value_to_encrypt: ${told}}` });
    const hash = add({ "!sha": { algorithm: "sha256" } }).replace(/\}$/, ".hash}");
    if (key.place === "header") headers[key.name] = hash;
    else body = add({ "!jq": `${body} + {${keyText(key.name)}: ${hash}}` });
  }
  const inside = membersOf(needs, "record");
  if (inside !== "") body = add({ "!jq": `${body} + {${inside}}` });
  const { wrapper } = placement;
  const beside = membersOf(needs, "body");
  if (beside !== "" && wrapper !== undefined) {
    const record = placement.isList ? `[${body}]` : body;
    return written(add({ "!jq": `{${keyText(wrapper)}: ${record}, ${beside}}` }));
  }
  // A body that is a list can only be written as one expansion.
  if (placement.isList && placement.wrapper === undefined) body = add({ "!jq": `[${body}]` });
  return written(placed(placement, body));

  function written(content: ConfigValue): ConfigObject {
    const http: ConfigObject = {
      "!http": {
        method: operation.method,
        path: pathOf(operation, needs),
        ...withSent(sent(needs, "query"), headers),
        body: content,
      },
    };
    return steps.length === 0 ? http : { "!pipe": [...steps, http] };
  }
}

/** The members of a body that the app gives, as jq writes them. */
function membersOf(needs: readonly Need[], place: "record" | "body"): string {
  return needs
    .filter((need) => need.in === place)
    .map((need) => `${keyText(need.parameter)}: ${given(need)}`)
    .join(", ");
}

function given(need: Need): string {
  if (!("choice" in need)) return JSON.stringify(need.value);
  return need.isNumber === true ? `(${chosenValue(need.choice)} | tonumber)` : chosenValue(need.choice);
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
