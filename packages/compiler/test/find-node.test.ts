import { compile } from "@configc/compiler";
import { findNode, pointerTo } from "@configc/compiler/internal";
import { expect, test } from "vitest";

/** Nodes as people name them (`design.md`, "CLI"): path → pointer, or what is wrong. */
const text = JSON.stringify({
  data_intake: [{ name: "requester.created", create: { "!pipe": [{ "!jq": "." }] } }, { name: "requester" }],
  workflows: [{ name: "a", setup: { select: { form_fields: [{ id: "form.id", options: [] }] } } }],
});
const { model } = compile(text);

test.each([
  ["", ""],
  ["/workflows/0/setup", "/workflows/0/setup"],
  ["workflows.a.setup.select", "/workflows/0/setup/select"],
  ["workflows.0.setup", "/workflows/0/setup"],
  ['data_intake."requester.created".create', "/data_intake/0/create"],
  ["data_intake.requester.created.create", "/data_intake/0/create"],
  ["data_intake.requester", "/data_intake/1"],
  ["workflows.a.setup.select.form_fields.form.id.options", "/workflows/0/setup/select/form_fields/0/options"],
  ["data_intake.requester.created.create.!pipe.0", "/data_intake/0/create/!pipe/0"],
])("%s", (path, pointer) => {
  const found = findNode(model, path);
  expect("node" in found ? pointerTo(found.node) : found).toBe(pointer);
});

test.each([
  ["workflows.b", { problem: "not-found", written: "b", candidates: ["a"] }],
  ["workflow.a", { problem: "not-found", written: "workflow", suggestion: "workflows" }],
  ["/workflows/7", { problem: "not-found", written: "7", candidates: ["0"] }],
  ['workflows."a', { problem: "bad-syntax", written: '"a' }],
])("%s names nothing", (path, problem) => {
  expect(findNode(model, path)).toMatchObject(problem);
});
