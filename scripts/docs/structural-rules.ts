import type { language } from "@configc/compiler";

type Value = language.Value;

/** The rules that the language table drives for a member: derived from its entry, as the walker does. */
export function structuralRules(name: string, member: language.Member, section: language.Section): string[] {
  const rules = new Set<string>();
  if (section.open !== true) rules.add("structure/unknown-member");
  // A tolerated absence has a rule of its own, which names the row itself.
  if (member.required !== undefined && member.required !== false && member.tolerated === undefined) {
    rules.add("structure/missing-member");
  }
  if (section.groups?.some(({ members }) => members.includes(name))) rules.add("structure/member-group");
  for (const rule of valueRules(member.value)) rules.add(rule);
  return [...rules];
}

function valueRules(value: Value): string[] {
  switch (value.kind) {
    case "text":
      return [
        "structure/wrong-type",
        ...(value.oneOf === undefined ? [] : ["structure/unknown-value"]),
        ...(value.nonEmpty === true ? ["structure/empty-text"] : []),
      ];
    case "integer":
      return [
        "structure/wrong-type",
        ...(value.minimum === undefined && value.only === undefined ? [] : ["structure/number-range"]),
      ];
    case "list":
      return [
        "structure/wrong-type",
        ...(value.minimum === undefined && value.maximum === undefined ? [] : ["structure/list-length"]),
        ...valueRules(value.of),
      ];
    case "map":
      return ["structure/wrong-type", ...valueRules(value.of)];
    case "either":
      return ["structure/wrong-type", ...value.of.flatMap(valueRules)];
    case "command":
      return ["command/not-a-command", ...(value.orStatic === undefined ? [] : valueRules(value.orStatic))];
    case "data":
      return value.must === "object" ? ["structure/wrong-type"] : [];
    default:
      return ["structure/wrong-type"];
  }
}
