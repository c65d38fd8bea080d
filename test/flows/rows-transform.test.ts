import { createRuntime, type Json, type JsonObject } from "@configc/runtime";
import { runNode } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { testEffects } from "../../packages/runtime/test/support/effects.ts";
import { appOf, workflow } from "./setup-app.ts";

/** The table of grouped and flat mappings at run time, row by row: see `rows-commands.test.ts`. */
/** Rows of the transform's table, and what moves a flat mapping into a group. */
const flat = { mail: "a@x", n: 1, unmapped: 2 };
const grouped = { person: { mail: "a@x" }, order: { n: 1 } };
const entry = (source: JsonObject, target: JsonObject) => ({ source, target });
const transforms: readonly {
  readonly rows: string;
  readonly output: Json;
  readonly mapping: Json;
  readonly gives: Json;
  readonly default_group?: string;
  /** `default_group` of `describe_target`. */
  readonly in_target?: string;
}[] = [
  {
    rows: "transform.1 workflow.data_pipeline data_pipeline.source data_pipeline.target events.4",
    output: flat,
    mapping: { mail: "email", n: "count" },
    gives: { email: "a@x", count: 1 },
  },
  {
    rows: "transform.2 events.5",
    output: flat,
    mapping: { contact: { mail: "email" }, deal: { n: "count" } },
    gives: { contact: { email: "a@x" }, deal: { count: 1 } },
  },
  {
    rows: "transform.3",
    output: grouped,
    mapping: {
      v: 1,
      entries: [
        entry({ group: "person", id: "mail" }, { group: "contact", id: "email" }),
        entry({ group: "order", id: "n" }, { group: "deal", id: "count" }),
      ],
    },
    gives: { contact: { email: "a@x" }, deal: { count: 1 } },
  },
  {
    rows: "transform.4",
    output: grouped,
    mapping: {
      v: 1,
      entries: [
        entry({ group: "person", id: "mail" }, { id: "email" }),
        entry({ group: "order", id: "n" }, { id: "count" }),
      ],
    },
    gives: { email: "a@x", count: 1 },
  },
  {
    rows: "map.default_group events.6",
    output: flat,
    mapping: { mail: "email" },
    default_group: "contact",
    gives: { contact: { email: "a@x" } },
  },
  {
    rows: "D45 describe_target.default_group",
    output: flat,
    mapping: { mail: "email" },
    in_target: "contact",
    gives: { contact: { email: "a@x" } },
  },
  {
    rows: "D45 the one in the map counts",
    output: flat,
    mapping: { mail: "email" },
    default_group: "contact",
    in_target: "deal",
    gives: { contact: { email: "a@x" } },
  },
];

describe("the transform", () => {
  test.each(transforms)("$rows", async ({ output, mapping, gives, default_group, in_target }) => {
    const { map } = workflow.setup;
    const describe_target = { ...map.describe_target, default_group: in_target };
    const setup = { map: { ...map, describe_target, default_group } };
    const runtime = createRuntime(appOf("https://api.example.com", { setup }), testEffects());
    const given = await runNode(runtime, "/workflows/0", { input: output, context: { mapping } });
    expect(given).toEqual({ source: output, transformed: gives, target: { sent: gives } });
  });
});
