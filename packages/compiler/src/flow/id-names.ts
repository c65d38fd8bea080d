import type { Expression } from "@configc/jq";
import { underlying } from "./underlying.ts";

/** Whether a member of that name identifies something: `id`, `list_id`, `uuid`. */
export const isIdName = (name: string): boolean =>
  /(?:^|_)(?:id|uuid|guid|gid)$|[a-z](?:Id|Uuid|Guid)$/.test(name);

/** Whether a member of that name has ids: `tier_ids`. */
export const isIdsName = (name: string): boolean => /(?:^|_)ids$|[a-z]Ids$/.test(name);

/** Whether a member of that name proves who somebody is: `signing_key`, `access_token`. */
export const isSecretName = (name: string): boolean =>
  /(?:^|_)(?:secret|token|key)$|[a-z](?:Secret|Token|Key)$/.test(name);

/** Whether a member of that name is what people read: `name`, `full_name`, `title`. */
export const isShownName = (name: string): boolean =>
  /(?:^|_)(?:name|title|label|subject|description|topic|headline|caption|display)$|[a-z](?:Name|Title|Label)$/.test(
    name,
  );

/** The name of the member that an expression reads, however that is written: `id` of `(.list.id | tostring)` and of `(.list.id // null)`. */
export function nameOfValue(node: Expression): string | undefined {
  const value = underlying(node);
  const suffix = value.kind === "Postfix" ? value.suffixes.at(-1) : undefined;
  return suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined;
}
