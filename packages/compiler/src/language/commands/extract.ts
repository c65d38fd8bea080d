import type { CommandSpec, Section } from "../schema.ts";
import { boolean, list, section, text } from "../values.ts";

const extractArgument: Section = {
  name: "!extract",
  title: "`!extract`",
  doc: "The members to take.",
  source: "D26",
  members: {
    item_keys: {
      value: list(text({ nonEmpty: true }), { minimum: 1 }),
      required: true,
      tier: "ext",
      doc: "Members of the input to take.",
      example: ["payload"],
    },
    to_json: {
      value: boolean,
      required: true,
      tier: "ext",
      doc: "Whether each is parsed as JSON.",
      example: true,
    },
  },
};

export const extract: CommandSpec = {
  key: "!extract",
  tier: "ext",
  source: "D26",
  doc: "Takes the named members of its input, each parsed as JSON if `to_json`.",
  argument: section(() => extractArgument),
  input: "An object.",
  output: "An object of the named members.",
  example: { "!extract": { item_keys: ["payload"], to_json: true } },
};
