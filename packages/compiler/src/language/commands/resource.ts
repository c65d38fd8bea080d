import type { CommandSpec, Section } from "../schema.ts";
import { section, text } from "../values.ts";

const syncArgument: Section = {
  name: "!resource action",
  title: "`!resource` with an action",
  doc: "A sync of a resource.",
  source: "D25",
  members: {
    action: {
      value: text({ nonEmpty: true, format: "resource" }),
      required: true,
      tier: "ext",
      doc: "`RESOURCE.sync`.",
      example: "PlatformDeal.sync",
    },
    data: {
      value: { kind: "data" },
      tier: "ext",
      doc: "What is synced; the input if absent.",
      example: { title: "${piped_content.0.title}" },
    },
  },
};

export const resource: CommandSpec = {
  key: "!resource",
  tier: "core",
  source: "D25",
  doc: "A resource of the platform: `PlatformContact` reads or writes the contact being processed, `PlatformContact.fields` lists its fields.",
  argument: {
    kind: "either",
    of: [text({ nonEmpty: true, format: "resource" }), section(() => syncArgument)],
  },
  input: "As a target: the object to write.",
  output: "The contact, its fields as map options, or what was written.",
  example: { "!resource": "PlatformContact" },
};
