import { compile } from "@configc/compiler";
import { findNode, pointerTo } from "@configc/compiler/internal";
import { commandAt } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";

const command = { "!jq": "." };
const text = JSON.stringify({
  data_intake: [
    { name: "requester.created", type: "webhook", create: command },
    {
      name: "requester",
      type: "webhook",
      "created.create": command,
      create: { "!pipe": [command, command] },
    },
    { name: "__proto__", type: "webhook", create: command },
    { name: 'a"b/c~', type: "webhook", create: command },
  ],
  workflows: [
    {
      name: "1",
      setup: { select: { form_fields: [{ id: "list", label: "L", type: "dropdown", options: command }] } },
      data_pipeline: { source: command },
    },
    { name: "second", data_pipeline: { source: command } },
  ],
});
const { app, model } = compile(text);

/** The same paths mean the same on the command line and in a host. */
describe("paths of names", () => {
  test.each([
    "data_intake.requester.created.create",
    'data_intake."requester.created".create',
    'data_intake."requester".create',
    "data_intake.requester.create.!pipe.1",
    "data_intake.__proto__.create",
    'data_intake."a\\"b/c~".create',
    "workflows.1.data_pipeline.source",
    "workflows.second.data_pipeline.source",
    "workflows.1.setup.select.form_fields.list.options",
    "/workflows/1/data_pipeline/source",
  ])("%s", (path) => {
    const found = findNode(model, path);
    expect("node" in found).toBe(true);
    const pointer = commandAt(app, path);
    expect(pointer).toBe("node" in found ? pointerTo(found.node) : "");
    expect(Object.hasOwn(app.commands, pointer)).toBe(true);
  });

  test.each([
    { path: "workflows.third.data_pipeline.source", says: "There is `1`, `second`." },
    { path: "nothing", says: "There is `data_intake`, `workflows`." },
    { path: 'data_intake."open', says: "isn't in the app" },
    { path: "workflows.second.data_pipeline.source.more", says: "It leads to no command." },
    { path: "constructor", says: "isn't in the app" },
  ])("$path names nothing", ({ path, says }) => {
    expect(() => commandAt(app, path)).toThrow(
      expect.objectContaining({ kind: "NotFound", message: expect.stringContaining(says) }),
    );
  });
});
