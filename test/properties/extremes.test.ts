import { describe, expect, test } from "vitest";
import { trickyNames } from "./arbitraries.ts";
import { checkInvariants } from "./invariants.ts";

/** Documents at the edges: depth, size, and names that JavaScript's own objects have. */

const DEPTH = 20_000;
const LARGE = 10_000_000;

const deep: Readonly<Record<string, string>> = {
  arrays: "[".repeat(DEPTH) + "]".repeat(DEPTH),
  "unclosed arrays": "[".repeat(DEPTH),
  objects: `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`,
  "unclosed objects": '{"a":'.repeat(DEPTH),
  "mixed brackets": '[{"a":'.repeat(DEPTH) + "]}".repeat(DEPTH),
  closers: "]}".repeat(DEPTH),
  pipes: wrapped(`${'{"!pipe":['.repeat(DEPTH)}{"!jq":"."}${"]}".repeat(DEPTH)}`),
  switches: wrapped(`${'{"!switch":{"jq":"0","cases":['.repeat(DEPTH)}{"!jq":"."}${"]}}".repeat(DEPTH)}`),
  "jq parentheses": wrapped(`{"!jq":"${"(".repeat(DEPTH)}.${")".repeat(DEPTH)}"}`),
  "jq arrays": wrapped(`{"!jq":"${"[".repeat(DEPTH)}"}`),
  "jq objects": wrapped(`{"!jq":"${"{a:".repeat(DEPTH)}1${"}".repeat(DEPTH)}"}`),
  "jq paths": wrapped(`{"!jq":"${".a".repeat(DEPTH)}"}`),
  "jq pipes": wrapped(`{"!jq":"${". | ".repeat(DEPTH)}."}`),
  "jq sums": wrapped(`{"!jq":"${"1 + ".repeat(DEPTH)}1"}`),
  "jq negations": wrapped(`{"!jq":"${"-".repeat(DEPTH)}1"}`),
  "jq conditions": wrapped(`{"!jq":"${"if . then ".repeat(DEPTH)}1${" end".repeat(DEPTH)}"}`),
  "jq strings in strings": wrapped(`{"!jq":"${'\\"\\\\('.repeat(2_000)}1${')\\"'.repeat(2_000)}"}`),
  "jq definitions": wrapped(`{"!jq":"${"def f: ".repeat(DEPTH)}1${"; f".repeat(DEPTH)}"}`),
  "jq bindings": wrapped(`{"!jq":"${". as $x | ".repeat(DEPTH)}$x"}`),
  "a path of an expansion": wrapped(`{"!jq":"\${piped_content.0${".a".repeat(DEPTH)}}"}`),
  "expansions in expansions": wrapped(`{"!print_c":"${"${custom_data.a.value | default:".repeat(DEPTH)}"}`),
  "data below body": wrapped(`{"!http":{"path":"/","body":${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}}}`),
};

function wrapped(source: string): string {
  return `{"$version":"2","auth":{"a":{"type":"token"}},"api":{"base_url":"https://a.example.com"},"workflows":[{"name":"w","type":"automations","auth":"a","data_pipeline":{"source":${source},"target":{"!jq":"."}}}]}`;
}

/** An app that polls and has a choice: rules run such sources with records that they make up. */
function polled(program: string): string {
  const intake = `{"name":"i","type":"polling","initial_setup":{"!jq":"{polling_state: {page: 1}}"},"request":{"!pipe":[{"!http":{"path":"/i","params":{"page":"\${polling_state.page}"}}},{"!jq":"{results: .items, iterate: .more, polling_state: {page: (\${polling_state.page} + 1)}}"}]}}`;
  const field = `{"label":"Kinds","id":"kinds","type":"multiselect","options":[{"display":"New","value":"new"}]}`;
  return `{"$version":"2","auth":{"a":{"type":"token"}},"api":{"base_url":"https://a.example.com"},"data_intake":[${intake}],"workflows":[{"name":"w","type":"generic","auth":"a","data_intake":"i","setup":{"select":{"label":"S","form_fields":[${field}]}},"data_pipeline":{"source":{"!jq":${JSON.stringify(program)}},"target":{"!resource":"PlatformContact"}}}]}`;
}

describe(`${DEPTH} levels`, () => {
  test.each(Object.entries(deep))("of %s", (_, text) => {
    checkInvariants(text, "a.app.json");
  });
});

describe("ten megabytes", () => {
  test.each([
    ["one string", `{"$version":"${"a".repeat(LARGE)}"}`],
    ["one string of escapes", `{"$version":"${"\\u0041".repeat(LARGE / 6)}"}`],
    ["one unclosed string", `{"$version":"${"a".repeat(LARGE)}`],
    ["blanks", " ".repeat(LARGE)],
    ["line breaks", `{${"\n".repeat(LARGE)}}`],
    ["one number", `[${"1".repeat(LARGE)}]`],
    ["one comment", `/*${"*".repeat(LARGE)}`],
    ["jq text", wrapped(`{"!jq":"${"a".repeat(LARGE)}"}`)],
    ["one jq string", wrapped(`{"!jq":"\\"${"a".repeat(LARGE)}\\""}`)],
    ["dollar signs", wrapped(`{"!print_c":"${"$".repeat(LARGE)}"}`)],
    ["openers of expansions", wrapped(`{"!print_c":"${"${".repeat(LARGE / 100)}"}`)],
    ["a segment of an expansion", wrapped(`{"!print_c":"\${piped_content.${"a".repeat(LARGE)}}"}`)],
  ])("of %s", (_, text) => {
    checkInvariants(text, "a.app.json");
  });
});

describe("many of a thing", () => {
  const many = 10_000;
  test.each([
    ["members of one name", `{${'"a":1,'.repeat(many)}"a":1}`],
    ["unknown members", `{${Array.from({ length: many }, (_, i) => `"m${i}":1`).join()}}`],
    [
      "unknown members where one is missing",
      `{"api":{${Array.from({ length: many }, (_, i) => `"m${i}":1`).join()}}}`,
    ],
    ["members a level too high", `{"workflows":[${'{"connect":{"label":"L"}},'.repeat(many)}{}]}`],
    [
      "fields with misspelled members",
      `{"workflows":[{"setup":{"select":{"form_fields":[${Array.from({ length: many }, (_, i) => `{"id":"f${i}","labl":""}`).join()}]}}}]}`,
    ],
    ["workflows of one name", `{"workflows":[${'{"name":"w"},'.repeat(many)}{}]}`],
    ["expansions in one string", wrapped(`{"!print_c":"${"${piped_content.0.a} ".repeat(many)}"}`)],
    [
      "undeclared fields",
      wrapped(
        `{"!print_c":"${Array.from({ length: many }, (_, i) => `\${custom_data.f${i}.value}`).join(" ")}"}`,
      ),
    ],
    [
      "steps of a pipe",
      wrapped(`{"!pipe":[${'{"!jq":"."},'.repeat(many)}{"!jq":"\${piped_content.${many}}"}]}`),
    ],
    [
      "steps that give on the state",
      `{"data_intake":[{"type":"polling","name":"p","initial_setup":{"!jq":"{polling_state: {page: 1}}"},"request":{"!pipe":[{"!jq":".polling_state"},${'{"!jq":"."},'.repeat(many)}{"!http":{"path":"/x","params":{"page":"\${piped_content.${many}.page}"}}},{"!jq":"\${piped_content.${many}} as $s | {results: .items, iterate: .has_more, polling_state: {page: $s.page}}"}]}}]}`,
    ],
    [
      "steps of a pipe with comments",
      wrapped(
        `{"!pipe":[${Array.from({ length: many / 4 }, (_, i) => `{"_comment":"m_${i} is in seconds","!jq":"{at: .m_${i}}"}`).join()}]}`,
      ),
    ],
    [
      "underscores in a comment",
      wrapped(`{"_comment":"${"a_".repeat(10 * many)}","!jq":"{at: (.sent_at | fromdate)}"}`),
    ],
    [
      "members of a comment that are compared",
      wrapped(
        `{"_comment":"${Array.from({ length: many / 4 }, (_, i) => `c${i} is a or b`).join("; ")}","!jq":"${Array.from({ length: many / 4 }, (_, i) => `.c${i} == true`).join(" or ")}"}`,
      ),
    ],
    [
      "one word in a comment",
      wrapped(
        `{"_comment":"${"a".repeat(40 * many)}","!jq":"if .state == \\"open\\" then {email} else null end"}`,
      ),
    ],
    [
      "alternatives of a member",
      polled(`{email: (${Array.from({ length: many }, () => ".a").join(" // ")})}`),
    ],
    [
      "words that are compared and written",
      polled(
        `{stage: ({${Array.from({ length: many / 4 }, (_, i) => `"word${i}": "Word${i}"`).join()}}[.stage]), all: [${Array.from({ length: many / 4 }, (_, i) => `(.stage == "Word${i}")`).join()}]}`,
      ),
    ],
    [
      "choices that are told apart by type",
      polled(
        `{email: .email, all: [${Array.from({ length: many / 4 }, () => '(${custom_data.kinds.value} | if type == "string" then . else "" end)').join()}]}`,
      ),
    ],
    ["missing commas", `[${"1 ".repeat(many)}]`],
    ["holes in one program", wrapped(`{"!jq":"[${"${piped_content.0}, ".repeat(many)}1]"}`)],
  ])("%s", (_, text) => {
    checkInvariants(text, "a.app.json");
  });
});

describe("names that objects of JavaScript have", () => {
  test.each(trickyNames.map((name) => [JSON.stringify(name).slice(0, 40), name] as const))(
    "%s",
    (_, name) => {
      const findings = checkInvariants(appWith(name), "a.app.json");
      const plain = checkInvariants(appWith("plain"), "a.app.json");
      // A declared name is found whatever it is; only its form may be a matter of taste.
      if (/^\w+$/.test(name)) {
        expect(findings.filter(isLoud).map(({ rule }) => rule)).toEqual(
          plain.filter(isLoud).map(({ rule }) => rule),
        );
      }
    },
  );

  test.each(trickyNames)("%j as an undeclared name", (name) => {
    const text = appWith("plain").replace('"auth":"plain"', `"auth":${JSON.stringify(name)}`);
    expect(text).not.toBe(appWith("plain"));
    checkInvariants(text, "a.app.json");
  });

  test.each(trickyNames)("%j as a member, a command, a root, a filter, a function and a variable", (name) => {
    const key = JSON.stringify(name);
    const inside = key.slice(1, -1);
    checkInvariants(
      `{${key}:1,"auth":{${key}:{${key}:1}},"api":{${key}:{}},"workflows":[{${key}:{}}]}`,
      "a.app.json",
    );
    checkInvariants(wrapped(`{${JSON.stringify(`!${name}`)}:1}`), "a.app.json");
    checkInvariants(wrapped(`{"!print_c":"\${${inside}.${inside} | ${inside}}"}`), "a.app.json");
    checkInvariants(
      wrapped(`{"!jq":"${inside} | $${inside} | .${inside} | @${inside} | {${inside}: 1}"}`),
      "a.app.json",
    );
    checkInvariants(
      wrapped(
        `{"!http":{"path":"/","method":${key},"headers":{${key}:"a"},"params":{${key}:1},"body":{${key}:1}}}`,
      ),
      "a.app.json",
    );
  });
});

/** An app in which one name stands for everything that has a name. */
function appWith(name: string): string {
  const field = `\${custom_data.${name}.value}`;
  return JSON.stringify({
    $version: "2",
    auth: {
      [name]: {
        type: "token",
        configuration: { header_key: "X-Key", verify_url: "https://api.example.com/me" },
        defined_fields: { token: { label: "Key" } },
      },
    },
    api: { base_url: "https://api.example.com" },
    data_intake: [
      {
        type: "webhook",
        name,
        scope: "workflow",
        create: {
          "!pipe": [
            { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}", [name]: field } } },
            { "!jq": `{${JSON.stringify(name)}: .id}` },
            { "!save": { scope: "workflow" } },
          ],
        },
        delete: { "!http": { method: "DELETE", path: `/hooks/\${data.workflow.${name}}` } },
      },
    ],
    workflows: [
      {
        name,
        label: "Acme - Import",
        type: "generic",
        auth: name,
        data_intake: name,
        setup: {
          connect: {
            label: "Connect",
            describe_connection: {
              "!pipe": [{ "!http": { path: "/me" } }, { "!jq": "{account_id: .id, description: .name}" }],
            },
          },
          select: {
            label: "Select",
            form_fields: [
              {
                id: name,
                label: "Form",
                type: "dropdown",
                options: {
                  "!pipe": [
                    { "!http": { path: "/forms" } },
                    { "!jq": "[.items[] | {display: .name, value: .id}]" },
                  ],
                },
              },
            ],
            describe_selection: { resource_id: { "!jq": field }, display: { "!jq": field } },
          },
          map: {
            label: "Map",
            describe_source: { label: "Form", options: [{ title: "Field", id: name, group: name }] },
            describe_target: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
          },
        },
        data_pipeline: {
          source: { "!jq": `{${JSON.stringify(name)}: .a}` },
          target: { "!resource": "PlatformContact" },
        },
      },
    ],
  });
}

function isLoud({ severity }: { readonly severity: string }): boolean {
  return severity === "error" || severity === "warning";
}
