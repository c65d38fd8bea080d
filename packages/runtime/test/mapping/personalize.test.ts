import { type AppField, compile } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { createRuntime } from "@configc/runtime";
import { runNode } from "@configc/runtime/internal";
import { describe, expect, test } from "vitest";
import { personalize, personalizeText } from "../../src/personalize/personalize.ts";
import { testEffects } from "../support/effects.ts";

const contact: JsonObject = JSON.parse(
  '{"email": "a@x.test", "First_Name": "Ada %EMAIL%", "Age": 36, "age": 37, "none": null, "tags": ["x"], "__proto__": "p"}',
);

describe("D38 personalisation of a text", () => {
  test.each<[text: string, result: string, unknown: string[]]>([
    ["Hi %EMAIL%!", "Hi a@x.test!", []],
    ["%first_name%", "Ada %EMAIL%", []],
    ["%Age% %age% %AGE%", "36 37 36", []],
    ["%none%|%tags%", '|["x"]', []],
    ["%unknown% %EMAIL%", "%unknown% a@x.test", ["unknown"]],
    ["50%b%EMAIL%", "50%ba@x.test", ["b"]],
    ["100% of %EMAIL", "100% of %EMAIL", []],
    ["%1x% %_a% %a-b% %%", "%1x% %_a% %a-b% %%", []],
    ["%constructor%", "%constructor%", ["constructor"]],
    ["\ud800%email%\udc00", "\ud800a@x.test\udc00", []],
    ["", "", []],
  ])("%j", (text, result, unknown) => {
    const told: string[] = [];
    expect(personalizeText(text, contact, (id) => told.push(id))).toBe(result);
    expect(told).toEqual(unknown);
  });

  test("takes time in proportion to the text", () => {
    const text = "%a".repeat(500_000);
    expect(personalizeText(text, contact, () => undefined)).toHaveLength(text.length);
  });
});

describe("D38 personalisation of a workflow's values", () => {
  const place = { pointer: "/f", span: { start: 0, end: 1 }, label: "", required: true } as const;
  const fields: readonly AppField[] = [
    { ...place, id: "note", type: "textarea", personalize: "PlatformContact" },
    { ...place, id: "plain", type: "textarea" },
    { ...place, id: "line", type: "text", personalize: "PlatformContact" },
    { ...place, id: "__proto__", type: "textarea", personalize: "PlatformContact" },
  ];
  const data: Json = JSON.parse(
    '{"note": {"value": "%x% %email%", "display": "%x% %email%"}, "plain": {"value": "%email%"}, "line": {"value": "%email%"}, "__proto__": {"value": "%email%"}}',
  );

  test("only textareas that ask for it are filled in; each unknown id is told once", () => {
    const told: string[] = [];
    const result = personalize(data, fields, contact, (id, field) => told.push(`${field.id}: ${id}`));
    expect(JSON.stringify(result)).toBe(
      '{"note":{"value":"%x% a@x.test","display":"%x% a@x.test"},"plain":{"value":"%email%"},"line":{"value":"%email%"},"__proto__":{"value":"a@x.test"}}',
    );
    expect(told).toEqual(["note: x"]);
  });

  test("without a contact, without values or without such a field nothing changes", () => {
    const never = () => expect.unreachable();
    expect(personalize(data, fields, undefined, never)).toBe(data);
    expect(personalize(undefined, fields, contact, never)).toBeUndefined();
    expect(personalize(data, fields.slice(1, 3), contact, never)).toBe(data);
    expect(personalize({ other: 1 }, fields, contact, never)).toEqual({ other: 1 });
  });
});

describe("D38 personalisation in a run", () => {
  const text = { id: "note", label: "N", type: "textarea", personalize: "PlatformContact" };
  const read = { "!jq": "[., ${custom_data.note.value}, ${custom_data.note.value}]" };
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      workflows: [
        {
          name: "out",
          label: "Out",
          type: "automations",
          setup: {
            connect: { label: "C", describe_connection: read },
            select: { label: "S", form_fields: [text] },
          },
          data_pipeline: { source: { "!resource": "PlatformContact" }, target: read },
        },
      ],
    }),
  );
  const context = { contact: { email: "a@x.test" }, custom_data: { note: { value: "%email% %no%" } } };
  const filled = "a@x.test %no%";

  test.each([
    ["a whole pipeline", "/workflows/0", { target: [context.contact, filled, filled] }, 1],
    ["its source alone reads nothing", "/workflows/0/data_pipeline/source", context.contact, 0],
    ["its target alone", "/workflows/0/data_pipeline/target", [1, filled, filled], 1],
    [
      "the setup has no contact",
      "/workflows/0/setup/connect/describe_connection",
      [1, "%email% %no%", "%email% %no%"],
      0,
    ],
  ])("%s", async (_name, node, output, logged) => {
    const effects = testEffects();
    const given = await runNode(createRuntime(app, effects), node, {
      context,
      ...(node === "/workflows/0" ? {} : { input: 1 }),
    });
    if (Array.isArray(output)) expect(given).toEqual(output);
    else expect(given).toMatchObject(output);
    expect(effects.logged.map(({ pointer }) => pointer)).toEqual(
      Array(logged).fill("/workflows/0/setup/select/form_fields/0"),
    );
  });
});
