import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { printType } from "@configc/jq";
import { describe, expect, test } from "vitest";
import { flowOf } from "../../src/flow/flow.ts";
import { setAt } from "../rule-examples.ts";
import { baseFile } from "../support/bases.ts";

/** What flows where: the type of every command's output, of every root, and of what goes round (D8, D11, D12, D16, D20–D26, D37). */

type Template = "inbound-webhook" | "inbound-polling" | "outbound";

/** A template with values replaced, and the flow of its model. */
function flowIn(template: Template, changes: Readonly<Record<string, unknown>>) {
  let text = readFileSync(baseFile(template), "utf8");
  for (const [pointer, value] of Object.entries(changes))
    text = setAt(text, pointer, value === undefined ? undefined : JSON.stringify(value));
  const { model } = compile(text, { uri: "test.app.json" });
  return { model, flow: flowOf(model) };
}

/** The type of what `target` gives in an outbound workflow. */
function outputOfTarget(target: unknown, changes: Readonly<Record<string, unknown>> = {}): string {
  const { model, flow } = flowIn("outbound", { ...changes, "/workflows/0/data_pipeline/target": target });
  const command = model.commands.find(
    ({ place, parent }) => place.name === "data_pipeline.target" && !parent,
  );
  return printType(flow.output(command));
}

const pipe = (...steps: unknown[]) => ({ "!pipe": steps });
const jq = (program: string) => ({ "!jq": program });

describe("commands", () => {
  test.each<[string, unknown, string]>([
    ["D20: a response is an object", { "!http": { path: "/x" } }, "{…}"],
    ["D20: and so is what is read of it", pipe({ "!http": { path: "/x" } }, jq(".body")), "unknown"],
    ["D23: one of a stream, or null", jq("1, 2"), "1 | 2 | null"],
    ["D23: null without one", jq("empty"), "null"],
    ["D24: `!save` passes on", pipe(jq("{id: 1}"), { "!save": { scope: "workflow" } }), "{id: 1}"],
    ["D26: `!print_c` passes on", pipe(jq("{id: 1}"), { "!print_c": "x" }), "{id: 1}"],
    [
      "D26: `!sha`",
      pipe(jq('{value_to_encrypt: "a"}'), { "!sha": { algorithm: "sha256" } }),
      "{value_to_encrypt: string, hash: string}",
    ],
    [
      "D26: `!extract`",
      pipe(jq('{a: "1", b: 2}'), { "!extract": { item_keys: ["a"], to_json: false } }),
      '{a?: "1"}',
    ],
    [
      "D26: `!extract` as JSON",
      pipe(jq('{a: "1"}'), { "!extract": { item_keys: ["a"], to_json: true } }),
      "{a?: unknown}",
    ],
    ["D26: the cases of a `!switch`", { "!switch": { jq: "0", cases: [jq("1"), jq('"a"')] } }, '1 | "a"'],
    ["D26: `!error` gives nothing", { "!switch": { jq: "0", cases: [jq("1"), { "!error": "no" }] } }, "1"],
    [
      "D25: fields",
      { "!resource": "PlatformContact.fields" },
      "{id: number | string, title: string, required?: boolean, …}[]",
    ],
    ["D14: the innermost pipe", pipe(jq("1"), pipe(jq("2"), jq("${piped_content.0}"))), "1"],
    [
      "D14: the pipe around a switch",
      pipe(jq("1"), { "!switch": { jq: "0", cases: [jq("${piped_content.1}")] } }),
      "1",
    ],
    ["D8: a whole expansion keeps its type", pipe(jq("{a: [1]}"), jq("${piped_content.1.a}")), "[1]"],
    ["D10: inside a string it is text", pipe(jq("{a: [1]}"), jq('"${piped_content.1.a}"')), "string"],
    ["D7: a default is a string", pipe(jq("{a: 1}"), jq("${piped_content.1.a | default:x}")), '1 | "x"'],
    ["D37: what a static mapping gives", jq("."), "{email?: unknown, name?: unknown, _tags?: string[]}"],
  ])("%s", (_, target, expected) => {
    expect(outputOfTarget(target)).toBe(expected);
  });

  test("a pipe of 3,000 steps doesn't overflow the stack", () => {
    const steps = [jq("{n: 1}"), ...Array.from({ length: 3_000 }, () => jq("{n: .n}"))];
    expect(outputOfTarget(pipe(...steps))).toBe("{n: 1}");
  });
});

describe("form fields (D12)", () => {
  const field = (type: string, more: object = {}) => ({
    "/workflows/0/setup/select/form_fields/0": { id: "list", label: "List", type, ...more },
  });
  const options = [
    { display: "A", value: "a" },
    { display: "B", value: 2 },
  ];
  test.each<[string, Record<string, unknown>, string]>([
    ["text", field("textarea"), "string"],
    ["one of the static options", field("dropdown", { options }), '2 | "a"'],
    ["a list of them", field("multiselect", { options }), '(2 | "a")[]'],
    ["options of a command", field("dropdown", { options: jq('[{display: "A", value: 1}]') }), "1"],
    ["what an API gives", {}, "unknown"],
  ])("%s", (_, changes, expected) => {
    expect(outputOfTarget(jq("${custom_data.list.value}"), changes)).toBe(expected);
  });

  test("a default where the field may be skipped, and only there", () => {
    expect(
      outputOfTarget(jq("${custom_data.list.value | default:x}"), field("textarea", { required: false })),
    ).toBe("string");
    const chosen = field("dropdown", { options, required: false });
    expect(outputOfTarget(jq("${custom_data.list.value | default:x}"), chosen)).toBe('2 | "a" | "x"');
    expect(outputOfTarget(jq("${custom_data.list.value | default:x}"), field("dropdown", { options }))).toBe(
      '2 | "a"',
    );
  });
});

describe("saved values and the polling state (D11)", () => {
  test("a saved value has the type that was saved", () => {
    const { model, flow } = flowIn("inbound-webhook", {
      "/data_intake/0/create/!pipe/1/!jq": "{hook_id: (.id | tostring)}",
    });
    const read = model.expansions.find(({ root }) => root === "data");
    expect(printType(flow.expansion(read!))).toBe("string");
  });

  const stateOf = (changes: Readonly<Record<string, unknown>>): string => {
    const { model, flow } = flowIn("inbound-polling", changes);
    return printType(flow.state(model.intakes[0]!));
  };
  const request = (state: string) => ({
    "/data_intake/0/request": pipe(
      { "!http": { path: "/x" } },
      jq(`{results: .items, iterate: false, polling_state: ${state}}`),
    ),
    "/data_intake/0/initial_setup": jq('{polling_state: {page: 1, since: ""}}'),
  });
  test.each<[string, Record<string, unknown>, string]>([
    [
      "literals widen where they change",
      request("{page: (${polling_state.page} + 1)}"),
      '{page: number, since?: ""}',
    ],
    ["the union over the commands", request('{page: "last"}'), '{page: 1 | "last", since?: ""}'],
    ["the state as it was adds nothing", request("${polling_state}"), '{page: 1, since: ""}'],
    [
      "a key of itself only is unknown",
      request('{page: 1, since: "", mark: ${polling_state.mark}}'),
      '{page: 1, since: "", mark?: unknown}',
    ],
    [
      "a list that grows",
      request('{page: 1, since: "", all: ((${polling_state} | .all // []) + [1])}'),
      '{page: 1, since: "", all?: 1[]}',
    ],
    ["whatever an API gives", request(".state"), "{…}"],
  ])("%s", (_, changes, expected) => {
    expect(stateOf(changes)).toBe(expected);
  });

  const intakeOf = (commands: Readonly<Record<string, string>>) =>
    flowIn("inbound-polling", {
      "/data_intake/0": {
        type: "polling",
        name: "customers",
        ...Object.fromEntries(Object.entries(commands).map(([name, program]) => [name, jq(program)])),
      },
    });
  /** The state that each command meets. */
  const met = (commands: Readonly<Record<string, string>>): string[] => {
    const { model, flow } = intakeOf(commands);
    const [intake] = model.intakes;
    return [...intake!.commands].map(
      ([name, command]) => `${name} ${printType(flow.stateAt(command, intake!))}`,
    );
  };
  const polled = (state: string) => `{results: [], iterate: false, polling_state: ${state}}`;
  test.each<[string, Record<string, string>, string[]]>([
    [
      "is empty at first, and then what was returned before",
      {
        initial_setup: "{polling_state: {page: 1}}",
        pre_poll: "{polling_state: {page: 1, mark: true}}",
        request: polled("{page: 1, last: true}"),
        post_poll: "{polling_state: {page: 1}}",
      },
      [
        "initial_setup {}",
        // A cycle that failed begins anew with what was saved until then.
        "pre_poll {page: 1, mark?: true, last?: true}",
        "request {page: 1, mark?: true, last?: true}",
        "post_poll {page: 1, last: true}",
      ],
    ],
    [
      "nothing is certain without initial_setup",
      { request: polled("{page: 1}"), post_poll: "{}" },
      ["request {page?: 1}", "post_poll {page: 1}"],
    ],
    [
      "a command that returns none leaves it as it is",
      {
        initial_setup: "{polling_state: {a: 1}}",
        pre_poll: "{}",
        request: polled("{a: 2}"),
        post_poll: "null",
      },
      ["initial_setup {}", "pre_poll {a: 1 | 2}", "request {a: 1 | 2}", "post_poll {a: 2}"],
    ],
    [
      "one that may return none leaves it, or replaces it",
      {
        initial_setup: "{polling_state: {a: 1, b: 1}}",
        pre_poll: "if now > 1 then {polling_state: {a: 2}} else {} end",
        request: polled("${polling_state}"),
      },
      ["initial_setup {}", "pre_poll {a: 1 | 2, b?: 1}", "request {a: 1 | 2, b?: 1}"],
    ],
    [
      "a key that is added to what was there",
      { initial_setup: "{polling_state: {a: 1}}", request: polled("(${polling_state} + {b: 2})") },
      ["initial_setup {}", "request {a: 1, b?: 2}"],
    ],
    [
      "one that always fails saves nothing",
      { initial_setup: "{polling_state: {a: 1}}", pre_poll: "error", request: polled("{a: 2}") },
      ["initial_setup {}", "pre_poll {a: 1 | 2}", "request {a: 1 | 2}"],
    ],
    [
      "whatever it is",
      {
        initial_setup: "{polling_state: now}",
        request: "{results: [], iterate: false, polling_state: (now | tojson | fromjson)}",
      },
      ["initial_setup {}", "request {…}"],
    ],
  ])("the state: %s", (_, commands, expected) => {
    expect(met(commands)).toEqual(expected);
  });

  test("a member that is certain isn't null for a program", () => {
    const { model, flow } = intakeOf({
      initial_setup: "{polling_state: {page: 1}}",
      request: polled("{page: (.polling_state.page + 1)}"),
      post_poll: ".polling_state.page",
    });
    expect(printType(flow.output(model.intakes[0]!.commands.get("post_poll")))).toBe("number");
  });

  test("a state that nests itself ends", () => {
    expect(stateOf(request("{page: 1, before: ${polling_state}}"))).toMatch(
      /^\{page: 1, since\?: "", before\?: /,
    );
  });

  test("intakes whose states depend on one another end", () => {
    const intakes = Array.from({ length: 12 }, (_, i) => ({
      type: "polling",
      name: `i${i}`,
      request: pipe(
        jq(`{k${i}: \${data.workflow.k${(i + 1) % 12}}, s: \${polling_state.s}}`),
        { "!save": { scope: "workflow" } },
        jq(`{results: [], iterate: false, polling_state: {s: \${data.workflow.k${i}}}}`),
      ),
    }));
    const { model, flow } = flowIn("inbound-polling", { "/data_intake": intakes });
    for (const intake of model.intakes) expect(printType(flow.state(intake))).toContain("{");
  });
});

describe("inputs (D16)", () => {
  test("the roots of the place, in jq as in an expansion", () => {
    const { model, flow } = flowIn("inbound-polling", {
      "/data_intake/0/post_poll": jq(".polling_state.page"),
    });
    expect(printType(flow.output(model.intakes[0]!.commands.get("post_poll")))).toContain("number");
  });

  test("the items of `results` are what the pipeline gets", () => {
    const { model, flow } = flowIn("inbound-polling", {
      "/data_intake/0/request/!pipe/1": jq(
        "{results: [{email: .a}], iterate: false, polling_state: ${polling_state}}",
      ),
    });
    const source = model.commands.find(({ place }) => place.name === "data_pipeline.source");
    expect(printType(flow.input(source!))).toBe("{email: unknown}");
  });
});
