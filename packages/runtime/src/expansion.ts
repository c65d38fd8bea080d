import type { AppHole } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import type { Frame } from "./step.ts";

/**
 * The value of an expansion; undefined where it is missing and has no `default` (D7, D9). JSON `null` is present.
 * Maps have no prototype members: only own ones are read.
 */
export function expand(hole: AppHole, frame: Frame): Json | undefined {
  const [root = "", ...path] = hole.path;
  let value = rootValue(root, frame);
  for (const segment of path) {
    if (value === undefined) break;
    value = member(value, segment);
  }
  return value === undefined ? hole.default : value;
}

function rootValue(root: string, { context, piped }: Frame): Json | undefined {
  switch (root) {
    case "piped_content":
      return piped;
    case "polling_state":
      return context.polling_state ?? {};
    case "custom_data":
    case "data":
    case "subdomain":
      return context[root];
    case "webhook":
      return context.webhook === undefined ? undefined : { url: context.webhook.url };
    default:
      return undefined;
  }
}

function member(value: Json, segment: string): Json | undefined {
  if (Array.isArray(value))
    return /^\d+$/.test(segment) ? (value[Number(segment)] as Json | undefined) : undefined;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, segment)) return undefined;
  return (value as JsonObject)[segment];
}
