import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Rules about programs: the same kind of mistake in other words, and what is right although it looks alike. */

const fields = {
  "/workflows/0/setup/select/form_fields/1": {
    id: "states",
    label: "States",
    type: "multiselect",
    required: false,
    options: [
      { display: "Open", value: "open" },
      { display: "Done", value: "done" },
    ],
  },
  "/workflows/0/setup/select/form_fields/2": { id: "tag", label: "Tag", type: "text", required: false },
  "/workflows/0/setup/select/form_fields/3": {
    id: "kind",
    label: "Kind",
    type: "dropdown",
    options: [
      { display: "Any", value: "any" },
      { display: "New", value: "new" },
    ],
  },
};
const states = "${custom_data.states.value | default}";
const tag = "${custom_data.tag.value | default}";

describe("jq/skipped-field", () => {
  const told = (program: string): string[] => inSource("jq/skipped-field", program, fields);

  test.each([
    [
      `${states} as $s | if .email == null then null elif (.state | IN($s[])) then {email} else null end`,
      "$s[]",
    ],
    [`.state as $st | select(any(${states}[]; . == $st)) | {email}`, `${states}[]`],
    [`if .is_new then {email, tags: (${states} | map(ascii_upcase))} else null end`, "map(ascii_upcase)"],
    [`if .is_new then {email, tags: (${states} | join(","))} else {email} end`, 'join(",")'],
    [`${states} as $s | {email, _tags: (["new"] + [$s[]])}`, "$s[]"],
    [`if .kind == "new" then {email, n: (${tag} | tonumber)} else {email} end`, "tonumber"],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test.each([
    `${states} as $s | if $s == "" or (.state | IN($s[])) then {email} else null end`,
    `${states} as $s | if ($s | length) == 0 then {email} elif .x and (.state | IN($s[])) then {email} else null end`,
    `[${states} | arrays | .[]] as $s | {email, n: ($s | length), s: [$s[]]}`,
    `${states} as $s | (if ($s | type) == "array" then $s else [] end) as $l | {email, s: [$l[]]}`,
    `[${states}[]?] as $s | if (.state | IN($s[])) then {email} else null end`,
    `${states} as $s | if ($s | index("open")) != null then {email, x: [$s[]]} else null end`,
    `(try (${states} | map(.)) catch []) as $s | {email, s: $s}`,
    `if \${custom_data.kind.value} == "new" then {email, n: (${tag} | tonumber)} else {email} end`,
    `{email, n: (${tag} | tonumber? // 0)}`,
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/contradiction", () => {
  const told = (program: string): string[] => inSource("jq/contradiction", program, fields);

  test.each([
    [`${tag} as $t | {email, _tags: (if $t == null then [] else [$t] end)}`, "$t == null"],
    [`{email, _tags: [${tag} | select(. != null)]}`, ". != null"],
    [`${tag} | if . == null then {} else {tag: .} end`, ". == null"],
    [`(${tag} | ascii_downcase) as $t | {email, tag: (if $t != null then $t else "x" end)}`, "$t != null"],
    [`${states} as $s | if $s == null or (.state | IN($s[]?)) then {email} else null end`, "$s == null"],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test.each([
    `${tag} as $t | {email, _tags: (if $t == null or $t == "" then [] else [$t] end)}`,
    `${tag} as $t | {email, _tags: (if ($t | length) == 0 then [] else [$t] end), is_set: ($t != null)}`,
    `(${tag} | if . == "" then null else . end) as $t | if $t == null then {email} else {email, t: $t} end`,
    `(\${custom_data.tag.value | default:none}) as $t | if $t == "none" then {email} else {email, t: $t} end`,
    `\${piped_content.0.city | default} as $c | if $c == null then {email} else {email, city: $c} end`,
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/idle-alternative", () => {
  const told = (program: string): string[] => inSource("jq/idle-alternative", program, fields);

  test.each([
    [`{email, tag: (${tag} // "lead")}`, '"lead"'],
    [`${tag} as $t | {email, tag: ($t // "lead")}`, '"lead"'],
    [`{email, tag: ((${tag} | ascii_downcase) // null)}`, "null"],
    [`{email, name: ("\\(.first) \\(.last)" // .email)}`, ".email"],
    [`{email, name: ((.nick // "") // .name)}`, ".name"],
    [`{email, name: (.nick // "" // .name)}`, ".name"],
    [`{email, number: (.id | tostring // "none")}`, '"none"'],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test.each([
    `{email, tag: (${tag} // "")}`,
    `{email, states: (${states} // [])}`,
    `{email, tag: (\${custom_data.tag.value | default:lead} // "lead")}`,
    `{email, days: ((${tag} | tonumber) // 7)}`,
    `{email, days: (${tag} | tonumber? // 7)}`,
    `{email, tag: ((${tag} | select(. != "")) // "lead")}`,
    `{email, name: ("\\(.first | ascii_downcase)" // .email)}`,
    `{email, name: (.nick // .name // "")}`,
    `{email, phone: ([.phones[] | tostring][0] // "none")}`,
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/text-as-condition", () => {
  const told = (program: string): string[] => inSource("jq/text-as-condition", program, fields);

  test.each([
    [`${tag} as $t | if $t then {email, tag: $t} else {email} end`, "$t"],
    [`{email, _tags: [${tag} | select(.)]}`, "."],
    [`${states} as $s | if ($s | not) or (.state | IN($s[]?)) then {email} else null end`, "$s"],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test.each([
    `${tag} as $t | if $t != "" then {email, tag: $t} else {email} end`,
    `if .subscribed then {email} else null end`,
    `(${tag} != "") as $has | if $has then {email} else null end`,
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/one-sided-case", () => {
  const email = "${piped_content.0.email}";
  const told = (program: string, ...before: readonly unknown[]): string[] =>
    findings("jq/one-sided-case", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          ...before,
          { "!http": { path: "/people" } },
          { "!jq": program },
          { "!http": { method: "POST", path: "/letters", body: { known: "${piped_content.2}" } } },
        ],
      },
    });

  test.each([
    [`${email} as $e | [.people[] | select((.email // "" | ascii_downcase) == $e) | .id]`, "$e"],
    [`${email} as $e | first(.people[] | select($e == (.email | ascii_upcase)))`, "$e"],
    [`.people | map(select((.contact.email | ascii_downcase) == ${email})) | first`, email],
    [`[.people[].email | ascii_downcase] | index(${email})`, email],
    [`.people | map(.email | ascii_downcase) | index(${email})`, email],
    [`(.people | INDEX(.email | ascii_downcase)) as $by | $by[${email}].id`, email],
    [`[.people[] | {key: (.email | ascii_downcase), value: .id}] | from_entries | .id`, undefined],
    [
      `([.people[] | {key: (.email | ascii_downcase), value: .id}] | from_entries) as $by | $by[${email}]`,
      email,
    ],
    [`${email} as $e | [.people[] | select(any(.emails[]; (.address | ascii_downcase) == $e))]`, "$e"],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual(at === undefined ? [] : [at]);
  });

  test.each([
    `(${email} | ascii_downcase) as $e | [.people[] | select((.email // "" | ascii_downcase) == $e) | .id]`,
    // The service may keep small letters only.
    `(${email} | ascii_downcase) as $e | [.people[] | select(.email == $e) | .id]`,
    `[.people[] | select((.status | ascii_downcase) == "open")]`,
    `[.people[] | select((.list_id | ascii_downcase) == \${custom_data.list.value})]`,
    `[.people[] | {id, email: (.email | ascii_downcase)}] | map(select(.email == (${email} | ascii_downcase)))`,
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });

  test("an address that a step before brought to small letters is right", () => {
    const lower = { "!jq": ". + {email: (.email | ascii_downcase)}" };
    const program = "${piped_content.1.email} as $e | [.people[] | select((.email | ascii_downcase) == $e)]";
    expect(told(program, lower)).toEqual([]);
  });

  test("the service's own side, where the app elsewhere takes it for any letters", () => {
    expect(
      findings("jq/one-sided-case", "outbound", {
        "/workflows/0/data_pipeline/target": {
          "!pipe": [
            { "!http": { path: "/people" } },
            { "!jq": `(${email} | ascii_downcase) as $e | {id: ([.people[] | select(.email == $e)][0].id)}` },
            { "!http": { path: "/members" } },
            {
              "!jq": `(${email} | ascii_downcase) as $e | {ids: [.members[] | select((.email | ascii_downcase) == $e)]}`,
            },
            { "!http": { method: "POST", path: "/letters", body: "${piped_content.4}" } },
          ],
        },
      }),
    ).toEqual([".email"]);
  });
});

describe("jq/fails-on-null", () => {
  const told = (program: string): string[] => inSource("jq/fails-on-null", program, fields);

  test.each([
    [
      `(if .lease == null then "ended" else "active" end) as $state | if .archived or \${custom_data.kind.value} == $state then null else {email, rent: (.lease.cents / 100), _tags: [$state]} end`,
      ".lease.cents / 100",
    ],
    [`{email, phone: (.phone // ""), de: (.phone | startswith("+49"))}`, 'startswith("+49")'],
    [
      `{email, last: (if .last_at then (.last_at | fromdate) else null end), days: (now - (.last_at | fromdate))}`,
      "fromdate",
    ],
    [
      `\${piped_content.0} as $p | {email: $p.email, a: (if $p.company == null then null else $p.company.name end), b: ($p.company.name | ascii_downcase)}`,
      "ascii_downcase",
    ],
    [
      `def money: . / 100; {email, a: (if .fee != null then (.fee | money) else null end), b: (.fee | money)}`,
      "money",
    ],
    [
      `if .email == null then null else {email, n: (if .tags != null then (.tags | length) else 0 end), t: (.tags | join(","))} end`,
      'join(",")',
    ],
    [`{email, t: [.tags[] | ascii_downcase], has: (.tags != null)}`, ".tags[]"],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test.each([
    `{email, a: (if .lease == null then null else .lease.rent / 100 end)}`,
    `{email, has: (.lease != null)} + (if .lease then {rent: (.lease.rent / 100)} else {} end)`,
    `if .status == "cancelled" then {email, at: (.cancelled_at | fromdate)} else {email, c: (.cancelled_at == null)} end`,
    `(.lease == null) as $none | if .kind != "tenant" then null else {email, rent: (.lease.rent / 100)} end`,
    `. + {x: (.x // 0)} | {email, x: (.x / 100)}`,
    `{email, a: (.fee // 0 | . / 100), b: ((.fee / 100)? // 0)}`,
    `{email, a: (try (.fee / 100) catch 0), b: (.fee // 0)}`,
    `if .a == null then error("none") else . end | {email, a: (.a / 100)}`,
    `(if .a == null then null else . end) | select(. != null) | {email, a: (.a / 100)}`,
    `{email, a: (.fee / 100), b: (if .plan == null then 1 else 2 end)}`,
    `.company as $c | if ($c | type) == "object" then {email, n: ($c.size / 2), x: ($c.y // 1)} else {email, c: ($c // "none")} end`,
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("jq/list-as-item", () => {
  const told = (program: string): string[] => inSource("jq/list-as-item", program, fields);

  test.each([
    [`[${states} | arrays | .[]] as $s | if (.state | IN($s)) then {email} else null end`, "IN($s)"],
    [
      `(if ${states} == "" then [] else ${states} end) as $s | [.guests[] | select(.state | IN($s))] | {email: .[0].email}`,
      "IN($s)",
    ],
    [`if (.state | IN(["open", "done"])) then {email} else null end`, 'IN(["open", "done"])'],
    [`if (.state | IN(${states})) then {email} else null end`, `IN(${states})`],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual([at]);
  });

  test.each([
    `[${states} | arrays | .[]] as $s | if (.state | IN($s[])) then {email} else null end`,
    `if (.state | IN("open", "done")) then {email} else null end`,
    `if ([.from, .to] | IN([1, 2], [2, 3])) then {email} else null end`,
    `if (.state | IN(\${custom_data.kind.value})) then {email} else null end`,
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("expansion/object-by-use", () => {
  const told = (path: string, program: string): string[] =>
    findings("expansion/object-by-use", "inbound-webhook", {
      "/workflows/0/data_pipeline/source": { "!pipe": [{ "!http": { path } }, { "!jq": program }] },
    });

  test("all of a payload in a path, of which a member is read elsewhere", () => {
    expect(told("/people/${piped_content.0}", "{email, kind: ${piped_content.0.kind}}")).toEqual([
      "${piped_content.0}",
    ]);
    expect(
      told("/people?of=${piped_content.0}", "${piped_content.0} as $p | {email, kind: $p.kind}"),
    ).toEqual(["${piped_content.0}"]);
  });

  test("a payload that is an id is right", () => {
    expect(told("/people/${piped_content.0}", "{email, id: ${piped_content.0}}")).toEqual([]);
    expect(told("/people/${piped_content.0.id}", "{email, kind: ${piped_content.0.kind}}")).toEqual([]);
  });
});

describe("jq/record-as-id", () => {
  const told = (path: string, program: string): string[] =>
    findings("jq/record-as-id", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { path } },
          { "!jq": program },
          { "!http": { method: "POST", path: "/letters", body: "${piped_content.2}" } },
        ],
      },
    });

  test.each([
    ["/people/search", "{id: .people[0], list: ${custom_data.list.value}}", ".people[0]"],
    ["/v2/people", "{person_id: (.people | first)}", "(.people | first)"],
    ["/people", "{person_id: first(.people[])}", "first(.people[])"],
    ["/find", "{id: .people[0], email: .people[0].email}", ".people[0]"],
  ])("%s: %s", (path, program, at) => {
    expect(told(path, program)).toEqual([at]);
  });

  test.each([
    ["/people/search", "{id: .people[0].id}"],
    ["/people/search", "{id: .people[0].email, person: .people[0]}"],
    ["/people/${custom_data.list.value}/tags", "{tag_id: .tags[0]}"],
    ["/people/search", "{id: .ids[0]}"],
    ["/find", "{person_id: .matches[0]}"],
  ])("%s: %s is right", (path, program) => {
    expect(told(path, program)).toEqual([]);
  });
});

describe("jq/objects-as-texts", () => {
  const told = (program: string): string[] =>
    inSource("jq/objects-as-texts", program, {
      "/data_intake/0/_comment": "Delivery: {email, dogs: [{id, name}]}",
    });

  test.each([
    ['{email, dogs: (.dogs | join(", "))}', 'join(", ")'],
    ['${piped_content.0} as $d | {email, dogs: ($d.dogs | join(", "))}', 'join(", ")'],
    ["{email, _tags: (.dogs | map(ascii_downcase))}", "map(ascii_downcase)"],
    ['{email, _tags: [.dogs[] | ltrimstr("x") | ascii_downcase]}', undefined],
    ['{email, first: .cats[0].name, cats: (.cats | join(", "))}', 'join(", ")'],
  ])("%s", (program, at) => {
    expect(told(program)).toEqual(at === undefined ? [] : [at]);
  });

  test.each([
    '{email, dogs: ([.dogs[].name] | join(", "))}',
    '{email, dogs: (.dogs | map(.name) | join(", "))}',
    '{email, cats: (.cats | join(", "))}',
    '{email, first: .owner.cats[0].name, cats: (.cats | join(", "))}',
  ])("%s is right", (program) => {
    expect(told(program)).toEqual([]);
  });
});

describe("pipeline/skips-all", () => {
  const isTold = (program: string): boolean => inSource("pipeline/skips-all", program, fields).length > 0;
  const chosen = `.state as $state | [${states} | arrays | .[]] as $chosen`;

  test.each([
    `${chosen} | if .email == null or ($chosen | length > 0 and any(. == $state) | not) then null else {email} end`,
    `${chosen} | if ($chosen | index($state)) == null then null else {email} end`,
    `${chosen} | if any($chosen[]; . == $state) then {email} else null end`,
    `${chosen} | if ($state | IN($chosen[])) then {email} else null end`,
    `${tag} as $tag | if $tag == "" then null else {email} end`,
  ])("%s", (program) => {
    expect(isTold(program)).toBe(true);
  });

  test.each([
    `${chosen} | if $chosen == [] or ($chosen | index($state)) then {email} else null end`,
    `${chosen} | if ($chosen | length) > 0 and (any($chosen[]; . == $state) | not) then null else {email} end`,
    `if ${tag} != "" and .tag != ${tag} then null else {email} end`,
    `if .email == null then null else {email} end`,
  ])("%s is right", (program) => {
    expect(isTold(program)).toBe(false);
  });
});

describe("jq/lost-object", () => {
  const told = (program: string): string[] => inSource("jq/lost-object", program);

  test("what is read by a pattern has its form", () => {
    const read = 'capture("^(?<first>[a-z]+) (?<last>[a-z]+)$")';
    expect(told(`{email, phone, name: (.name | ${read} | .last)}`)).toEqual([]);
    expect(told(`(.name | ${read}) as $name | {email, phone, name: $name.last}`)).toEqual([]);
    expect(told("(.names[] | select(.main)) as $name | {email, phone, name: $name.last}")).toHaveLength(1);
  });

  test("a handler takes errors, and what gives nothing is none", () => {
    const code = 'try (select(startswith("A")) | tonumber) catch ""';
    expect(told(`{email, name, code: (.text | ${code})}`)).toEqual([`(.text | ${code})`]);
    expect(told("{email, name, count: (try (.count | tonumber) catch empty)}")).toHaveLength(1);
    expect(told("{email, name, count: (try (.count | tonumber) catch null)}")).toEqual([]);
    expect(told("{email, name, all: [.tags[] | try tonumber catch empty]}")).toEqual([]);
  });
});

describe("jq/unreadable-option", () => {
  const told = (type: string, program: string): string[] =>
    findings("jq/unreadable-option", "outbound", {
      "/workflows/0/setup/select/form_fields/0": {
        id: "list",
        label: "Sizes",
        type,
        required: false,
        options: [
          { display: "Small", value: "s" },
          { display: "Large", value: "9" },
        ],
      },
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": program },
          { "!http": { method: "POST", path: "/x", body: "${piped_content.1}" } },
        ],
      },
    });

  test("several choices are a list", () => {
    const chosen = '(${custom_data.list.value | default} | if length == 0 then ["s"] else . end) as $s';
    const program = `${chosen} | if (.size | IN($s[]) | not) then 0 else (.count | tonumber) end`;
    expect(told("multiselect", program)).toEqual([]);
    expect(told("dropdown", "{size: (${custom_data.list.value} | tonumber)}")).toEqual(["tonumber"]);
  });
});

describe("jq/undone-replacement", () => {
  const told = (text: string): string[] =>
    inSource("jq/undone-replacement", `{email: .email, amount: (.amount | ${text})}`);

  test.each([
    ['sub(",";".")', 'gsub("\\\\.";"") | tonumber'],
    ['gsub(",";".")', 'gsub("[.]";"") | tonumber'],
    ['sub("[,]";".")', 'sub("\\\\.";"";"g") | tonumber'],
    ['split(",") | join(".")', 'split(".") | join("") | tonumber'],
    ['sub(",";".")', 'gsub("[^0-9]";"") | tonumber'],
    ['sub(",";".")', 'gsub("[^\\\\d-]";"") | tonumber'],
    ['gsub(" ";"-")', 'gsub("[^a-z0-9]";"")'],
    ['gsub("/";"-")', 'gsub("[-/]";"_")'],
  ])("%s | %s", (first, then) => {
    expect(told(`${first} | ${then}`)).toEqual([first]);
    expect(told(`ascii_downcase | (${first}) | ${then}`)).toEqual([first]);
  });

  test.each([
    'gsub("\\\\.";"") | sub(",";".") | tonumber',
    'sub(",";".") | tonumber',
    // Only the first point goes.
    'sub(",";".") | sub("\\\\.";"") | tonumber',
    // In cents.
    'gsub(",";".") | gsub("\\\\.";"") | tonumber / 100',
    'gsub("[^0-9,]";"") | gsub(",";".") | tonumber',
    'sub(",";".") | gsub("[^0-9.]";"") | tonumber',
    // One separator for several.
    'gsub("-";" ") | gsub(" +";"_")',
    'gsub("[-/.]";" ") | gsub(" ";"")',
    'gsub("\\\\s+";" ") | gsub(" ";"-")',
    'sub("^00";"+") | gsub("[^0-9]";"")',
    'gsub(" ";"-") | gsub("[^a-z0-9-]";"")',
    'gsub(" ";"-") | gsub("-+";"-")',
    'gsub("&";"and") | gsub("[^a-z]";"")',
  ])("%s is right", (text) => {
    expect(told(text)).toEqual([]);
  });
});

describe("jq/stream: what stops at the first", () => {
  test.each([
    "label $found | .contacts[] | if .email then {email: .email}, break $found else empty end",
    "label $found | foreach .contacts[] as $each (null; $each; if .email then {email: .email}, break $found else empty end)",
  ])("%s", (program) => {
    expect(inSource("jq/stream", program)).toEqual([]);
  });

  test("what doesn't is a stream", () => {
    expect(inSource("jq/stream", ".contacts[] | {email: .email}")).toHaveLength(1);
  });
});
