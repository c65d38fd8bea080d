import { compile } from "@configc/compiler";
import { createRuntime, memoryStore } from "@configc/runtime";
import { runNode } from "@configc/runtime/internal";
import { expect, test } from "vitest";
import { testEffects } from "../../packages/runtime/test/support/effects.ts";
import { installation } from "../../packages/runtime/test/support/installed.ts";
import { type Received, serve } from "../../packages/runtime/test/support/server.ts";
import { appOf, workflow } from "./setup-app.ts";

/** The tables of workflows and their setup at run time, row by row: see `rows-commands.test.ts`. */
const answer = ({ path }: Received) => ({
  json: path === "/me" ? { id: 42, name: "Ada" } : { items: [{ id: 7, name: "Seven" }] },
});

async function begun() {
  const { origin, received } = await serve(answer);
  const store = memoryStore();
  const effects = testEffects({ me: { access_token: "t" } });
  const runtime = createRuntime(appOf(origin), effects, { store });
  const connection = { id: "me", app: "app", auth: "acme", createdAt: 1 };
  await store.transaction((transaction) => transaction.put("connections", connection));
  return { setup: runtime.setup("import"), received };
}

test("service.4 workflow.name workflow.label workflow.type workflow.setup setup.review_events setup.review_objects limit.workflow-name: a task with its steps", async () => {
  const { setup } = await begun();
  const { workflow: shown, steps } = setup.view();
  expect(shown).toEqual({ name: "import", label: "Acme - Import", direction: "inbound" });
  expect(steps.map(({ step, label }) => [step, label])).toEqual([
    ["connect", "Connect"],
    ["select", "Select"],
    ["map", "Map"],
    ["schedule", "Schedule"],
    ["review_events", "Events"],
    ["review_objects", "Objects"],
    ["ready", "Ready"],
  ]);
});

test("connect.label connect.help_text connect.describe_connection workflow.auth document.auth authentication.1 authentication.2: the account is confirmed", async () => {
  const { setup, received } = await begun();
  expect(setup.view().current).toEqual({ step: "connect", label: "Connect", help: "*Log in*", auth: "acme" });
  await setup.connect("me");
  expect(received.map(({ path, headers }) => [path, headers.authorization])).toEqual([["/me", "Bearer t"]]);
  expect(setup.draft.settings).toMatchObject({ connection: "me", accountId: "42", account: "Ada" });
});

test("select.label select.form_fields field.id field.label field.type field.required field.placeholder field.help_text limit.field-id: what the customer fills in", async () => {
  const { setup } = await begun();
  await setup.connect("me");
  expect(setup.view().current).toMatchObject({
    step: "select",
    label: "Select",
    fields: [
      { id: "name", label: "Name", type: "text", required: true, placeholder: "Your name", help: "**Any**" },
      { id: "list", label: "List", type: "dropdown", required: true, searchable: true },
      { id: "tags", label: "Tags", type: "multiselect", required: false, hasOptions: true },
    ],
  });
});

test("field.options field.search_term field_option.display field_option.value select.describe_selection describe_selection.resource_id describe_selection.display: choices, and what was chosen", async () => {
  const { setup, received } = await begun();
  await setup.connect("me");
  expect(await setup.options("list", "se v")).toEqual([{ display: "Seven", value: 7 }]);
  expect(received.at(-1)?.url).toBe("/lists?q=se%20v");
  await setup.answer("name", "Ada");
  await setup.answer("list", 7);
  await setup.answer("tags", [1, 2]);
  await setup.select();
  expect(setup.draft.settings).toMatchObject({
    customData: { list: { value: 7, display: "Seven" }, tags: { value: [1, 2], display: ["One", "Two"] } },
    resourceId: "list-7",
    display: "Seven",
  });
});

test("field.required: nothing goes on before it is filled in", async () => {
  const { setup } = await begun();
  await setup.connect("me");
  await expect(setup.select()).rejects.toMatchObject({
    kind: "incomplete",
    issues: [{ field: "name" }, { field: "list" }],
  });
});

async function atMap() {
  const { setup } = await begun();
  await setup.connect("me");
  await setup.answer("name", "Ada");
  await setup.answer("list", 7);
  await setup.select();
  return setup;
}

test("map.label map.describe_source map.describe_target describe_source.label describe_target.label describe_source.options describe_target.options option.title option.id option.required option.group option.source_fields source_field.title source_field.id events.8", async () => {
  const setup = await atMap();
  expect(setup.view().current).toMatchObject({
    step: "map",
    label: "Map",
    source: "Acme's fields",
    target: "Ours",
  });
  expect(await setup.mapFields()).toMatchObject({
    sources: [
      { title: "E-mail", id: "mail", group: "person" },
      { title: "Number", id: 7, group: "order" },
    ],
    targets: [
      { title: "Email", id: "email", required: true, group: "contact" },
      { title: "Kind", id: "kind", required: false, sourceFields: [{ title: "Lead", id: "lead" }] },
    ],
  });
  const number = { source: { group: "order", id: 7 }, target: { group: "contact", id: "kind" } };
  await expect(setup.map({ v: 1, entries: [number] })).rejects.toMatchObject({ kind: "mapping" });
  const entries = [
    { source: { group: "person", id: "mail" }, target: { group: "contact", id: "email" } },
    { value: "lead", target: { group: "contact", id: "kind" } },
  ];
  await setup.map({ v: 1, entries });
  expect(setup.draft.settings.mapping).toEqual({ v: 1, entries });
});

test("schedule.label schedule.description schedule.import_options schedule.frequency import_option.label import_option.type limit.frequency, then review_events.label review_events.header review_events.description review_objects.label review_objects.header review_objects.description", async () => {
  const setup = await atMap();
  const target = { group: "contact", id: "email" };
  await setup.map({ v: 1, entries: [{ source: { group: "person", id: "mail" }, target }] });
  expect(setup.view().current).toEqual({
    step: "schedule",
    label: "Schedule",
    description: "How often",
    options: workflow.setup.schedule.import_options,
    frequency: 1800,
  });
  setup.schedule("single");
  expect(setup.view().current).toEqual({ step: "review_events", ...workflow.setup.review_events });
  setup.review();
  expect(setup.view().current).toEqual({ step: "review_objects", ...workflow.setup.review_objects });
  setup.review();
  expect(setup.view().current).toEqual({ step: "ready", account: "Ada", selection: "Seven" });
  expect(setup.draft.settings.importOption).toBe("single");
});

test("service.2 field.personalize: an outbound text has the contact's fields filled in", async () => {
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      workflows: [
        {
          name: "out",
          label: "Out",
          type: "automations",
          setup: {
            select: {
              label: "S",
              form_fields: [{ id: "note", label: "N", type: "textarea", personalize: "PlatformContact" }],
            },
          },
          data_pipeline: {
            source: { "!resource": "PlatformContact" },
            target: { "!jq": '"${custom_data.note.value}"' },
          },
        },
      ],
    }),
  );
  const runtime = createRuntime(app, testEffects());
  expect(runtime.setup("out").view().workflow.direction).toBe("outbound");
  const context = { contact: { first_name: "Ada" }, custom_data: { note: { value: "Hi %FIRST_NAME%" } } };
  expect(await runNode(runtime, "/workflows/0", { context })).toMatchObject({ target: "Hi Ada" });
});

test("versioning.2 versioning.4 versioning.5: an installation goes on with the new version of its workflow, by name", async () => {
  const store = memoryStore();
  const effects = testEffects();
  const published = createRuntime(appOf("https://api.example.com"), effects, { store });
  await store.transaction((transaction) => transaction.put("installations", installation("i1", "import")));
  const changed = createRuntime(
    appOf("https://api.example.com", {
      label: "New label",
      data_pipeline: { source: { "!error": "new" }, target: { "!jq": "." } },
    }),
    effects,
    { store },
  );
  expect((await published.installations.get("i1")).workflow).toBe("import");
  expect(changed.setup("import").view().workflow).toMatchObject({ name: "import", label: "New label" });
  await expect(changed.run("workflows.import.data_pipeline.source")).rejects.toMatchObject({
    message: "new",
  });
});
