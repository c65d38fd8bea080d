import type { Expression } from "@configc/jq";

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

/** The name of the member that an expression reads, written as text or not: `id` of `(.list.id | tostring)`. */
export function nameOfValue(node: Expression): string | undefined {
  switch (node.kind) {
    case "Group":
      return nameOfValue(node.body);
    case "Pipeline": {
      const [first, last, ...others] = node.stages as Expression[];
      const converts =
        last?.kind === "Call" && (last.name.text === "tostring" || last.name.text === "tonumber");
      return first !== undefined && converts && others.length === 0 ? nameOfValue(first) : undefined;
    }
    case "Postfix": {
      const suffix = node.suffixes.at(-1);
      return suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined;
    }
    default:
      return undefined;
  }
}
