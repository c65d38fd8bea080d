import type { CommandSpec, Section } from "../schema.ts";
import { section, text } from "../values.ts";

/** Where `!save` stores (D24); also the first segment of `${data.<scope>.<key>}`. */
export const saveScopes = ["workflow", "connection", "application"] as const;
/** Where a `!save` stores: one of `saveScopes`. */
export type SaveScope = (typeof saveScopes)[number];

const saveArgument: Section = {
  name: "!save",
  title: "`!save`",
  doc: "Where the input's members are stored.",
  source: "D24",
  members: {
    scope: {
      value: text({ oneOf: saveScopes }),
      required: true,
      doc: "`workflow`: this installation. `connection`: the connected account. `application`: all customers.",
      example: "workflow",
    },
  },
};

export const save: CommandSpec = {
  key: "!save",
  tier: "core",
  source: "D24",
  doc: "Stores the members of its input; read later as `${data.SCOPE.KEY}`.",
  argument: section(() => saveArgument),
  input: "An object.",
  output: "Its input.",
  example: { "!save": { scope: "workflow" } },
};
