import type { ReadCandidate } from "../guess/candidates.ts";
import { slug } from "../guess/name-words.ts";
import type { Paging } from "../guess/paging.ts";
import type { Registration, WebhookCandidate } from "../guess/webhook.ts";
import type { ConfigObject, ConfigValue } from "../proposal.ts";
import { jqPath, type Path } from "../shape.ts";
import { pollingIntake } from "./polling.ts";

/** A webhook intake that registers its address when a customer sets the workflow up, and removes it in the end. */
export function webhookIntake({ registration, events }: WebhookCandidate, title: string): ConfigObject {
  const { register, remove, id } = registration;
  return {
    type: "webhook",
    name: events[0]!,
    scope: "workflow",
    create: {
      "!pipe": [
        {
          "!http": {
            method: "POST",
            path: register.path,
            body: registrationBody(registration, events, title),
          },
        },
        { "!jq": `{hook_id: ${jqPath(id)}}` },
        { "!save": { scope: "workflow" } },
      ],
    },
    delete: {
      "!http": { method: "DELETE", path: remove.path.replace(/\{[^}]+\}$/, "${data.workflow.hook_id}") },
    },
  };
}

function registrationBody(
  { wrapper, url, event, names }: Registration,
  events: readonly string[],
  title: string,
): ConfigValue {
  const body: ConfigObject = {
    ...Object.fromEntries(names.map((name) => [name, `${title} contacts`])),
    [url]: "${webhook.url}",
    ...(event === undefined ? {} : { [event.name]: event.takesMany ? events : events[0]! }),
  };
  return wrapper === undefined ? body : { [wrapper]: body };
}

/** The intake that brings those who are there already, once, in the shape of a delivery. */
export function historyIntake(read: ReadCandidate, paging: Paging, path: Path): ConfigObject {
  return { ...pollingIntake(read, paging, undefined, path), name: historyName(read) };
}

export function historyName({ list }: ReadCandidate): string {
  return `past-${slug(list.name) || "records"}`;
}
