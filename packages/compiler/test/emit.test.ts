import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type AppCommand, type AppExpansion, compile } from "@configc/compiler";
import { describe, expect, test } from "vitest";

const source = "/workflows/0/data_pipeline/source";

function appOf(document: unknown) {
  return compile(JSON.stringify(document)).app;
}

function commandOf(command: unknown): AppCommand {
  return appOf({ workflows: [{ data_pipeline: { source: command } }] }).commands[source]!;
}

const span = { start: expect.any(Number), end: expect.any(Number) };

const commands: readonly { name: string; command: unknown; emitted: object }[] = [
  {
    name: "an argument without expansions is one literal",
    command: { "!http": { path: "/a", body: { list: [1, { b: null }] } } },
    emitted: { argument: { literal: { path: "/a", body: { list: [1, { b: null }] } } } },
  },
  {
    name: "D6 text and expansions by turns; both spellings and separators; an escape is resolved",
    command: { "!http": { path: "/a/${data::workflow.id}?x=$<polling_state.list[0]>&y=$${z}" } },
    emitted: {
      argument: {
        members: [
          {
            key: ["path"],
            value: {
              template: [
                "/a/",
                { path: ["data", "workflow", "id"], span },
                "?x=",
                { path: ["polling_state", "list", "0"], span },
                "&y=${z}",
              ],
            },
          },
        ],
      },
    },
  },
  {
    name: "D6 a doubled dollar before a known root is a dollar and an expansion",
    command: { "!print_c": "Total: $${piped_content.0.total}" },
    emitted: { argument: { template: ["Total: $", { path: ["piped_content", "0", "total"], span }] } },
  },
  {
    name: "an escape alone is text",
    command: { "!print_c": "$${x}" },
    emitted: { argument: { literal: "${x}" } },
  },
  {
    name: "D7 a default, with and without text",
    command: {
      "!http": {
        url: "${custom_data.a.value | default}",
        body: { "${custom_data.k.value}": "${custom_data.b.value|default: x y }" },
      },
    },
    emitted: {
      argument: {
        members: [
          { key: ["url"], value: { template: [{ path: ["custom_data", "a", "value"], default: "", span }] } },
          {
            key: ["body"],
            value: {
              members: [
                {
                  key: [{ path: ["custom_data", "k", "value"], span }],
                  value: { template: [{ path: ["custom_data", "b", "value"], default: "x y", span }] },
                },
              ],
            },
          },
        ],
      },
    },
  },
  {
    name: "a misspelled root stays as written",
    command: { "!print_c": "${custom_dat.a.value}" },
    emitted: { argument: { template: [{ path: ["custom_dat", "a", "value"], span }] } },
  },
  {
    name: "`!error` takes no expansions (D26)",
    command: { "!error": "${data.workflow.id}" },
    emitted: { argument: { literal: "${data.workflow.id}" } },
  },
  {
    name: "a program with its holes, but for those in comments (D10)",
    command: { "!jq": "# ${data.workflow.x}\n. + ${polling_state.page | default:1}" },
    emitted: {
      program: {
        text: "# ${data.workflow.x}\n. + ${polling_state.page | default:1}",
        holes: [{ start: 25, end: 58, path: ["polling_state", "page"], default: "1" }],
      },
    },
  },
  {
    name: "children of a pipe; what isn't a command is null",
    command: { "!pipe": [{ "!jq": "." }, 1] },
    emitted: { children: [`${source}/!pipe/0`, null] },
  },
  {
    name: "program and cases of a switch",
    command: { "!switch": { jq: "0", cases: [{ "!jq": "." }] } },
    emitted: { program: { text: "0", holes: [] }, children: [`${source}/!switch/cases/0`] },
  },
];

describe("commands", () => {
  test.each(commands)("$name", ({ command, emitted }) => {
    const { key } = commandOf(command);
    expect(commandOf(command)).toEqual({ key, pointer: source, span, ...emitted });
  });

  test("the span of an expansion is its place in the document, through escapes", () => {
    const text =
      '{"workflows": [{"data_pipeline": {"source": {"!print_c": "\\u0041\\n${piped_content.0}"}}}]}';
    const { argument } = compile(text).app.commands[source]!;
    const [, expansion] = (argument as { template: readonly [string, AppExpansion] }).template;
    expect(text.slice(expansion.span.start, expansion.span.end)).toBe("${piped_content.0}");
  });
});

const auth = {
  type: "basic",
  configuration: { verify_url: "https://${subdomain}.example.com/me" },
  verify_url: "https://beside.example.com",
  request_body: { note: "${data.workflow.id}" },
  defined_fields: {
    subdomain: { label: "Shop", placeholder: "your-shop", help_text: "As in *its* address" },
    username: {},
  },
};

test("auth: settings in `configuration` and beside it (E1), URLs with expansions, data without", () => {
  const { acme } = appOf({ auth: { acme: auth }, workflows: [] }).auth;
  expect(acme).toMatchObject({
    name: "acme",
    pointer: "/auth/acme",
    type: "basic",
    definedFields: [
      { id: "subdomain", label: "Shop", placeholder: "your-shop", helpText: "As in *its* address" },
      { id: "username" },
    ],
    configuration: {
      members: [
        {
          key: ["verify_url"],
          value: { template: ["https://", { path: ["subdomain"] }, ".example.com/me"] },
        },
        { key: ["request_body"], value: { literal: { note: "${data.workflow.id}" } } },
      ],
    },
  });
});

test("api: base URL, rate limit, pagination with `extra` wherever it stands", () => {
  const { api } = appOf({
    api: {
      base_url: "https://api.example.com/v1",
      rate_limit: { user: { read: { requests: 5, period: 10 } } },
      pagination: {
        style: {
          type: "page",
          page_number: { param: "page" },
          page_size: { param: "size", value: "50" },
          extra: { param: "sort", value: "id" },
        },
        parser: { total_pages: { "!jq": ".pages" }, extra: [{ param: "deep", value: true }] },
      },
    },
  });
  expect(api).toEqual({
    baseUrl: ["https://api.example.com/v1"],
    rateLimit: { scope: "user", read: { requests: 5, period: 10 } },
    pagination: {
      pointer: "/api/pagination",
      span,
      type: "page",
      parameters: { page_number: { param: "page" }, page_size: { param: "size", value: "50" } },
      extra: [
        { param: "sort", value: "id" },
        { param: "deep", value: true },
      ],
      parser: {
        total_pages: { text: ".pages", holes: [], pointer: "/api/pagination/parser/total_pages", span },
      },
    },
  });
});

test("D41 a rate limit straight below the scope means reading and writing", () => {
  const quota = { requests: 3, period: 1 };
  const { api } = appOf({ api: { rate_limit: { app: quota } } });
  expect(api.rateLimit).toEqual({ scope: "app", read: quota, write: quota });
});

test("intakes and workflows refer by index and name; only exact names are followed", () => {
  const app = appOf({
    auth: { acme: { type: "oauth2" } },
    data_intake: [
      { type: "webhook", name: "made", scope: "workflow", create: { "!jq": "." } },
      { type: "polling", name: "listed", request: { "!jq": "." }, frequency: 60, import_option: "single" },
    ],
    workflows: [
      {
        name: "one",
        label: "One",
        type: "generic",
        auth: "acme",
        data_intake: "made",
        historical_data_intake: "listed",
        setup: {
          connect: { label: "Connect", describe_connection: { "!jq": "." } },
          select: {
            label: "Select",
            form_fields: [
              {
                id: "form",
                label: "Form",
                type: "dropdown",
                required: false,
                search_term: "q",
                options: { "!jq": "." },
              },
              { id: "kind", label: "Kind", type: "dropdown", options: [{ display: "A", value: 1 }] },
              { id: "note", label: "Note", type: "textarea", personalize: "PlatformContact" },
            ],
            describe_selection: { resource_id: { "!jq": "." }, display: { "!jq": "." } },
          },
          map: {
            label: "Map",
            default_group: "g",
            describe_source: { label: "A", options: [{ id: 1, title: "One" }] },
            describe_target: { label: "B", options: { "!resource": "PlatformContact.fields" } },
          },
          schedule: {
            label: "When",
            description: "How",
            frequency: 1800,
            import_options: [{ label: "Once", type: "single" }],
          },
          review_events: { header: "Events" },
        },
        data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
      },
      { name: "two", type: "automations", auth: "acm", setup: {}, data_pipeline: {} },
    ],
  });
  expect(app.intakes).toMatchObject([
    {
      index: 0,
      name: "made",
      type: "webhook",
      scope: "workflow",
      commands: { create: "/data_intake/0/create" },
    },
    { index: 1, name: "listed", type: "polling", frequency: 60, importOption: "single" },
  ]);
  const [one, two] = app.workflows;
  const setup = "/workflows/0/setup";
  expect(one).toEqual({
    pointer: "/workflows/0",
    span,
    index: 0,
    name: "one",
    label: "One",
    direction: "inbound",
    auth: "acme",
    intake: 0,
    historicalIntake: 1,
    setup: {
      connect: { label: "Connect", describeConnection: `${setup}/connect/describe_connection` },
      select: {
        label: "Select",
        fields: [
          {
            pointer: `${setup}/select/form_fields/0`,
            span,
            id: "form",
            label: "Form",
            type: "dropdown",
            required: false,
            searchTerm: "q",
            options: { command: `${setup}/select/form_fields/0/options` },
          },
          expect.objectContaining({
            id: "kind",
            required: true,
            options: { items: [{ display: "A", value: 1 }] },
          }),
          expect.objectContaining({ id: "note", type: "textarea", personalize: "PlatformContact" }),
        ],
        resourceId: `${setup}/select/describe_selection/resource_id`,
        display: `${setup}/select/describe_selection/display`,
      },
      map: {
        pointer: `${setup}/map`,
        span,
        label: "Map",
        defaultGroup: "g",
        source: { label: "A", options: { items: [{ id: 1, title: "One" }] } },
        target: { label: "B", options: { command: `${setup}/map/describe_target/options` } },
      },
      schedule: {
        label: "When",
        description: "How",
        frequency: 1800,
        importOptions: [{ label: "Once", type: "single" }],
      },
      reviewEvents: { header: "Events" },
    },
    source: "/workflows/0/data_pipeline/source",
    target: "/workflows/0/data_pipeline/target",
  });
  expect(two).toEqual({
    pointer: "/workflows/1",
    span,
    index: 1,
    name: "two",
    label: "",
    direction: "outbound",
    setup: {},
  });
});

test("names of the prototype are names like any other", () => {
  const text =
    '{"auth": {"__proto__": {"type": "token", "constructor": "x"}}, "workflows": [{"data_pipeline": {"source": {"!http": {"path": "/", "body": {"__proto__": "${data.workflow.a}", "b": {"__proto__": 1}}}}}}]}';
  const { app } = compile(text);
  expect(Object.keys(app.auth)).toEqual(["__proto__"]);
  expect(JSON.stringify(app.commands[source]?.argument)).toContain('{"literal":{"__proto__":1}}');
});

test("every example's app is plain JSON, and every reference in it leads somewhere", () => {
  const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
  const files = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".app.json"),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const text = readFileSync(examples + file, "utf8");
    const { app } = compile(text);
    expect(JSON.parse(JSON.stringify(app))).toEqual(app);
    for (const [id, command] of Object.entries(app.commands)) {
      expect(command.pointer).toBe(id);
      expect(text.slice(command.span.start, command.span.end)).toMatch(/^\{[\s\S]*\}$/);
      for (const child of command.children ?? [])
        if (child !== null) expect(app.commands).toHaveProperty([child]);
    }
    for (const intake of app.intakes)
      for (const command of Object.values(intake.commands)) expect(app.commands).toHaveProperty([command]);
  }
});
