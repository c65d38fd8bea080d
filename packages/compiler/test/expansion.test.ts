import { compile, fixesOf, type Model, render } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { exampleDocument } from "./rule-examples.ts";

/** What the examples of the rules for expansions don't show: bindings, silence, and several findings together. */

type Template = "inbound-webhook" | "inbound-polling" | "historical-sync" | "outbound";

/** A template of `configc init` with other values at some pointers, and what is found in it about expansions. */
function check(template: Template, values: Readonly<Record<string, string | undefined>>) {
  const [[at, bad] = ["/$version", '"2"'], ...others] = Object.entries(values);
  const example = { in: template, at, with: Object.fromEntries(others), bad: bad ?? "", good: "" } as const;
  const { text, uri } = exampleDocument(example, bad ?? "");
  const { model, diagnostics } = compile(text, { uri });
  const own = diagnostics.filter(({ finding }) =>
    /^expansion\/|^style\/legacy|^reference\/shared/.test(finding.rule.id),
  );
  return { text, model, diagnostics: own, found: own.map((diagnostic) => line(model, text, diagnostic)) };
}

/** `rule: the characters pointed at` */
function line(model: Model, text: string, diagnostic: Parameters<typeof render>[1]): string {
  const { rule } = render(model, diagnostic, { fixes: true });
  return `${rule}: ${text.slice(diagnostic.span.start, diagnostic.span.end)}`;
}

const note = "/workflows/0/data_pipeline/target/!http/body/note";
const display = "/workflows/0/setup/select/describe_selection/display/!jq";

describe("one mistake, one finding", () => {
  test("D11: a misspelled root is bound to the nearest, and its field counts as used", () => {
    const { found, model } = check("outbound", { [note]: '"${custm_data.note.value}"' });
    expect(found).toEqual(["expansion/unknown-root: custm_data"]);
    const field = model.workflows[0]?.fields.find(({ id }) => id === "note");
    expect(field?.references).toHaveLength(1);
  });

  test("D12: a misspelled field is bound to the nearest: no word on its missing default", () => {
    const { found, model } = check("outbound", { [note]: '"${custom_data.noet.value}"' });
    expect(found).toEqual(["expansion/unknown-field: noet"]);
    expect(model.workflows[0]?.fields.find(({ id }) => id === "note")?.references).toHaveLength(1);
  });

  test("D13: `required` as a string counts as what it says", () => {
    const { found } = check("outbound", {
      [note]: '"${custom_data.note.value}"',
      "/workflows/0/setup/select/form_fields/1/required": '"false"',
    });
    expect(found).toEqual(["expansion/optional-without-default: custom_data.note.value"]);
  });

  test("D12: two misspelled names in one path are two mistakes", () => {
    const { found } = check("outbound", { [note]: '"${custom_data.lsit.vlaue}"' });
    expect(found).toEqual(["expansion/unknown-field: lsit", "expansion/unknown-member: vlaue"]);
  });

  test("D12: repeated uses are one finding, also over an intake and a jq program, and its fix changes them all", () => {
    const { text, model, diagnostics } = check("inbound-webhook", {
      "/data_intake/0/create/!pipe/0/!http/path":
        '"/forms/${custom_data.fomr.value}/${custom_data.fomr.display}"',
      [display]: '".custom_data.fomr.display"',
    });
    expect(diagnostics.map(({ finding }) => finding.rule.id)).toEqual(["expansion/unknown-field"]);
    const { related } = render(model, diagnostics[0]!, { fixes: false });
    expect(related?.map(({ range }) => text.slice(range.start.offset, range.end.offset))).toEqual([
      "fomr",
      "fomr",
    ]);
    expect(fixesOf(model, diagnostics[0]!)[0]?.edits.map(({ newText }) => newText)).toEqual([
      "form",
      "form",
      "form",
    ]);
  });

  test("D11: `subdomain` in several places is one missing field of the auth entry", () => {
    const { diagnostics } = check("inbound-webhook", {
      "/data_intake/0/delete/!http/headers": '{"a": "${subdomain}", "b": "${subdomain}"}',
      "/auth/acme/configuration/token_url": '"https://${subdomain}.example.com/token"',
    });
    expect(diagnostics.map(({ finding }) => [finding.rule.id, finding.related.length])).toEqual([
      ["expansion/out-of-scope", 2],
    ]);
  });

  test("D12: a shared intake is said at its name, with the workflows that use it", () => {
    const { found, diagnostics } = check("historical-sync", {
      "/workflows/1": JSON.stringify({
        name: "second",
        type: "generic",
        data_intake: "past-orders",
        setup: {},
      }),
    });
    expect(found).toEqual(['reference/shared-intake: "past-orders"']);
    expect(diagnostics[0]?.finding.related).toHaveLength(2);
  });

  test("D6: a mistake in one expansion doesn't hide the next one's", () => {
    const { found } = check("outbound", {
      [note]: '"${custom_data.note.value ${custom_data.lsit.value} ${nope}"',
    });
    expect(found).toEqual([
      "expansion/unclosed: ${",
      "expansion/unknown-field: lsit",
      "expansion/unknown-root: nope",
    ]);
  });
});

describe("what isn't known stays silent", () => {
  test.each<[string, Template, Record<string, string | undefined>]>([
    [
      "D12: fields in an intake that no workflow uses",
      "historical-sync",
      {
        "/data_intake/1/request/!pipe/0/!http/path": '"/${custom_data.nothing.value}"',
        "/workflows/0/historical_data_intake": undefined,
      },
    ],
    [
      "D12: fields of a form in which one has no id",
      "outbound",
      { [note]: '"${custom_data.folder.value}"', "/workflows/0/setup/select/form_fields/1/id": undefined },
    ],
    [
      "D12: fields of a form that is missing although it is required",
      "inbound-polling",
      { "/workflows/0/setup/select": undefined },
    ],
    [
      "D11: `subdomain` with an auth type that isn't known here",
      "outbound",
      { [note]: '"${subdomain}"', "/auth/acme/type": '"custom"' },
    ],
    [
      "D11: `subdomain` with an auth that asks for it",
      "outbound",
      {
        [note]: '"${subdomain}"',
        "/auth/acme/defined_fields": '{"subdomain": {"label": "Subdomain"}}',
        "/api/base_url": '"https://${subdomain}.example.com"',
      },
    ],
    [
      "D11: roots in an intake whose scope isn't one of the three",
      "inbound-webhook",
      { "/data_intake/0/scope": '"everyone"' },
    ],
    [
      "D16: `//` and `?` in jq",
      "inbound-webhook",
      { [display]: '".custom_data.folder.value? // .custom_data.other // .polling_state.a? // 1"' },
    ],
    [
      "D16: an optional field in jq is null",
      "outbound",
      {
        [note]: '""',
        "/workflows/0/setup/map/describe_source/options":
          '{"!jq": "[{title: .custom_data.note.value, id: 1}]"}',
      },
    ],
    [
      "D16: a program whose input isn't the roots",
      "inbound-webhook",
      { "/workflows/0/data_pipeline/source/!jq": '"{email: .custom_data.mail, a: .polling_state}"' },
    ],
    [
      "D16: a later step of a pipe",
      "inbound-webhook",
      {
        "/workflows/0/setup/connect/describe_connection/!pipe/1/!jq":
          '"{account_id: .custom_data.id, description: .webhook.name}"',
      },
    ],
    ["D12: paths below an attribute", "outbound", { [note]: '"${custom_data.list.value.a.b}"' }],
    ["D14: paths below an output", "outbound", { [note]: '"${piped_content.0.a.99}"' }],
    ["D6: text that only looks like an expansion", "outbound", { [note]: '"$<b> $${hook} $5 $"' }],
    ["D11: text in a label", "outbound", { "/workflows/0/label": '"Cost ${x} and ${custom_data"' }],
  ])("%s", (_, template, values) => {
    expect(check(template, values).found).toEqual([]);
  });
});

describe("D16: paths in a jq program that reads the roots", () => {
  test.each([
    ["of a switch", '{"!switch": {"jq": ".custom_data.fomr.value", "cases": [{"!jq": "."}]}}'],
    ["of a case", '{"!switch": {"jq": "0", "cases": [{"!jq": ".custom_data.fomr.value"}]}}'],
    ["first in nested pipes", '{"!pipe": [{"!pipe": [{"!jq": ".custom_data.fomr.value"}]}]}'],
    ["quoted", '{"!jq": ".custom_data[\\"fomr\\"].value"}'],
    ["through a variable", '{"!jq": ".custom_data as $c | $c.fomr.value"}'],
    ["guarded, but near a name", '{"!jq": ".custom_data.fomr.value // \\"none\\""}'],
  ])("%s", (_, command) => {
    const { found } = check("inbound-webhook", {
      "/workflows/0/setup/select/describe_selection/display": command,
    });
    expect(found).toEqual(["expansion/unknown-field: fomr"]);
  });

  test("are uses of the field, at the characters of its name", () => {
    const { model } = check("inbound-webhook", { [display]: '".custom_data[\\"form\\"].display"' });
    const uses = model.workflows[0]?.fields[0]?.references.map(({ node, from, to }) => [
      node.value,
      node.value.slice(from, to),
    ]);
    expect(uses).toContainEqual(['.custom_data["form"].display', "form"]);
  });

  test("a corrected name that jq can't read bare is quoted", () => {
    const { text, model, diagnostics } = check("outbound", {
      "/workflows/0/setup/map/describe_source/options":
        '{"!jq": "[{title: .custom_data.listid.value, id: 1}]"}',
      "/workflows/0/setup/select/form_fields/0/id": '"list-id"',
      "/workflows/0/data_pipeline/target/!http/path": '"/${custom_data.list-id.value}"',
    });
    const [edit] = diagnostics.flatMap((diagnostic) => fixesOf(model, diagnostic)[0]?.edits ?? []);
    expect(text.slice(0, edit?.start) + edit?.newText + text.slice(edit?.end)).toContain(
      '.custom_data.\\"list-id\\".value',
    );
  });
});

test("D10: the holes of a program are the expansions of its string, and data never changes the program", () => {
  const { model } = check("inbound-polling", {
    "/data_intake/0/post_poll":
      '{"!jq": "# ${polling_state.page}\\n{polling_state: {page: (${polling_state.page} + 1), since: \\"\\\\(1) ${polling_state.since}\\"}}"}',
  });
  const program = model.intakes[0]?.commands.get("post_poll")?.program;
  expect(program?.diagnostics).toEqual([]);
  expect(program?.holes.map(({ syntax }) => program.node.value.slice(syntax.start, syntax.end))).toEqual([
    "${polling_state.page}",
    "${polling_state.page}",
    "${polling_state.since}",
  ]);
});

describe("names that are dangerous in JavaScript are names like others", () => {
  test.each([
    ["${__proto__.a}", ["expansion/unknown-root: __proto__"]],
    ["${constructor}", ["expansion/unknown-root: constructor"]],
    ["${custom_data.__proto__.value}", ["expansion/unknown-field: __proto__"]],
    ["${custom_data.list.constructor}", ["expansion/unknown-member: constructor"]],
    ["${data.__proto__.a}", ["expansion/unknown-member: __proto__"]],
    ["${custom_data.list.value | toString}", ["expansion/unknown-filter: toString"]],
    ["${piped_content.length}", ["expansion/bad-step-index: length"]],
  ])("%s", (text, expected) => {
    expect(check("outbound", { [note]: JSON.stringify(text) }).found).toEqual(expected);
  });

  test("as the id of a field", () => {
    const values = {
      [note]: '"${custom_data.__proto__.value | default}"',
      "/workflows/0/setup/select/form_fields/1/id": '"__proto__"',
    };
    expect(check("outbound", values).found).toEqual([]);
  });
});

test("lone surrogates and escapes: the finding is at its own characters", () => {
  const { found } = check("outbound", {
    [note]: '"\\ud83d\\ude00 \\ud800 ${custom_data.lis\\u0074s.value} ${a \\ud83d\\ude00}"',
  });
  expect(found).toEqual(["expansion/unknown-field: lis\\u0074s", "expansion/syntax: \\ud83d\\ude00"]);
});

test("thousands of uses in one string", () => {
  const text = "${nope} ${custom_data.lsit.value} ${custom_data.note.value} ".repeat(5000);
  const { diagnostics } = check("outbound", { [note]: JSON.stringify(text) });
  const count = (id: string) =>
    diagnostics.filter(({ finding }) => finding.rule.id === `expansion/${id}`).length;
  expect([count("unknown-root"), count("unknown-field"), count("optional-without-default")]).toEqual([
    1, 1, 5000,
  ]);
  expect(diagnostics).toHaveLength(5002);
});
