import { describe, expect, test } from "vitest";
import { inSource } from "../support/rule-findings.ts";

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
