import type { ArrayNode, JsonNode, ObjectNode } from "@configc/compiler";
import type { Config } from "../mutants/config.ts";
import { replacement, without, withoutItem } from "../mutants/edits.ts";
import type { TextEdit } from "../mutants/kind.ts";
import type { Operator } from "./operator.ts";

/** An operator on values of the document, by the name of the member that they are of. */
function onMembers(
  name: string,
  what: string,
  members: readonly string[],
  edits: (value: JsonNode, config: Config) => Iterable<readonly TextEdit[]>,
): Operator {
  return {
    name,
    what,
    *changes({ config }) {
      for (const member of membersBelow(config.root))
        if (members.includes(member.name) && member.value !== undefined) yield* edits(member.value, config);
    },
  };
}

function* membersBelow(node: JsonNode): Generator<ObjectNode["members"][number]> {
  if (node.kind === "array") for (const item of node.items) yield* membersBelow(item);
  if (node.kind !== "object") return;
  for (const member of node.members) {
    yield member;
    if (member.value !== undefined) yield* membersBelow(member.value);
  }
}

/** Two values change places. */
const exchanged = (a: JsonNode, b: JsonNode, { text }: Config): readonly TextEdit[] => [
  replacement(a, text.slice(b.start, b.end)),
  replacement(b, text.slice(a.start, a.end)),
];

const itemsOf = (node: JsonNode): readonly JsonNode[] => (node.kind === "array" ? node.items : []);

/** What an option or a mapped field is known by. */
const identityOf = (option: JsonNode | undefined): JsonNode | undefined =>
  option?.kind === "object" ? (option.get("value") ?? option.get("id")) : undefined;

const requestParts = ["params", "headers", "body"];

/** Operators on the document around the programs. */
export const settingOperators: readonly Operator[] = [
  onMembers("step-dropped", "A step of a pipe is missing.", ["!pipe"], (pipe, config) =>
    itemsOf(pipe).map((_, at) => [withoutItem(config, pipe as ArrayNode, at)]),
  ),
  onMembers("steps-exchanged", "Two steps of a pipe are exchanged.", ["!pipe"], (pipe, config) =>
    itemsOf(pipe)
      .slice(1)
      .map((step, at) => exchanged(itemsOf(pipe)[at]!, step, config)),
  ),
  onMembers("cases-exchanged", "Two cases of a `!switch` are exchanged.", ["cases"], (cases, config) =>
    itemsOf(cases)
      .slice(1)
      .map((step, at) => exchanged(itemsOf(cases)[at]!, step, config)),
  ),
  onMembers("case-dropped", "A case of a `!switch` is missing.", ["cases"], (cases, config) =>
    itemsOf(cases).map((_, at) => [withoutItem(config, cases as ArrayNode, at)]),
  ),
  onMembers(
    "options-exchanged",
    "Two options have each other's value.",
    ["options", "source_fields"],
    (list, config) =>
      itemsOf(list)
        .slice(1)
        .flatMap((option, at) => {
          const [a, b] = [identityOf(itemsOf(list)[at]), identityOf(option)];
          return a === undefined || b === undefined ? [] : [exchanged(a, b, config)];
        }),
  ),
  onMembers(
    "option-in-capitals",
    "The value of an option is in other letters.",
    ["options", "source_fields"],
    (list) =>
      itemsOf(list).flatMap((option) => {
        const value = identityOf(option);
        return value?.kind === "string" && /[a-z]/.test(value.value)
          ? [[replacement(value, JSON.stringify(value.value.toUpperCase()))]]
          : [];
      }),
  ),
  onMembers(
    "parameter-dropped",
    "A member of `params`, `headers` or `body` is missing.",
    requestParts,
    (part, config) => (part.kind === "object" ? part.members.map((member) => [without(config, member)]) : []),
  ),
  onMembers(
    "parameters-exchanged",
    "Two parameters have each other's value.",
    requestParts,
    (part, config) => {
      const texts =
        part.kind === "object" ? part.members.filter(({ value }) => value?.kind === "string") : [];
      return texts.slice(1).map(({ value }, at) => exchanged(texts[at]!.value!, value!, config));
    },
  ),
  onMembers("verdict-turned", "`process_payload` is the other way round.", ["process_payload"], (value) =>
    value.kind === "boolean" ? [[replacement(value, `${!value.value}`)]] : [],
  ),
  onMembers("required-turned", "`required` is the other way round.", ["required"], (value) =>
    value.kind === "boolean" ? [[replacement(value, `${!value.value}`)]] : [],
  ),
  {
    name: "command-dropped",
    what: "A command of an intake is missing.",
    *changes({ config }) {
      for (const intake of config.intakes)
        for (const name of ["update", "delete", "verification", "initial_setup", "pre_poll", "post_poll"]) {
          const member = intake.member(name);
          if (member !== undefined) yield [without(config, member)];
        }
    },
  },
];
