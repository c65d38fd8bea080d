import type { Command } from "../../../bind/bound-nodes.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { allIn } from "../workflow/commands.ts";

/** What a request sends below `body`, by the names of its members joined with dots: `data.attributes.url`. Lists count as one value. */
export type Sent = ReadonlyMap<string, JsonNode>;

/** What a request sends; undefined where its body isn't an object that can be read. */
export function sentBy({ argument }: Command): Sent | undefined {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  if (body?.kind !== "object") return undefined;
  const sent = new Map<string, JsonNode>();
  collect(body, "", sent);
  return sent;
}

function collect(node: JsonNode, name: string, sent: Map<string, JsonNode>): void {
  if (node.kind !== "object") {
    sent.set(name, node);
    return;
  }
  for (const member of node.members)
    if (member.value !== undefined)
      collect(member.value, name === "" ? member.name : `${name}.${member.name}`, sent);
}

/** What `create` sends with the webhook's URL; undefined where none of its requests, or several, send it in their body. */
export function registrationSent(create: Command): Sent | undefined {
  const [sent, ...others] = (allIn(create) ?? []).flatMap((command) => {
    const own = command.key === "!http" ? sentBy(command) : undefined;
    return own !== undefined && [...own.values()].some((value) => holds(value, "webhook.url")) ? [own] : [];
  });
  return others.length === 0 ? sent : undefined;
}

/** Whether a value has a text in one of its strings. */
export function holds(value: JsonNode, text: string): boolean {
  if (value.kind === "string") return value.value.includes(text);
  if (value.kind === "array") return value.items.some((item) => holds(item, text));
  return (
    value.kind === "object" &&
    value.members.some((member) => member.value !== undefined && holds(member.value, text))
  );
}
