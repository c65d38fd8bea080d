import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** One value of a request that is read from another step than those beside it. */
describe("reference/step-beside", () => {
  const prepared =
    '{email: .email, born_on: (.birthday[8:10] + "." + .birthday[5:7] + "." + .birthday[0:4]), town: .town, nights: (.nights | tonumber)}';
  const told = (body: object, more: { program?: string; params?: object; comment?: string } = {}): string[] =>
    findings("reference/step-beside", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!jq": more.program ?? prepared },
          {
            _comment: more.comment ?? "Free places.",
            "!http": {
              path: "/free",
              params: more.params ?? {
                born: "${piped_content.1.born_on}",
                nights: "${piped_content.1.nights}",
              },
            },
          },
          { "!http": { method: "POST", path: "/stays", body } },
        ],
      },
    });
  const member = (step: number, name: string): string => `\${piped_content.${step}.${name}}`;

  test.each([
    ["the answer", { email: member(1, "email"), town: member(1, "town"), born_on: member(2, "born_on") }],
    ["what comes in", { email: member(1, "email"), nights: member(0, "nights") }],
    ["below another name", { mail: member(1, "email"), date_of_birth: member(2, "born_on") }],
  ])("one of %s", (_, body) => {
    expect(told(body)).toHaveLength(1);
  });

  const one = { email: member(1, "email"), nights: member(0, "nights") };
  test.each([
    [
      "a record that was sent, with what the answer adds",
      { town: member(1, "town"), guest_id: "${piped_content.2.guest.id}" },
      { program: "{guest: {email: .email}, town: .town, nights: .nights}" },
    ],
    ["all of one step", { email: member(1, "email"), nights: member(1, "nights") }, {}],
    ["others of that step, too", { ...one, town: member(0, "town") }, {}],
    ["the step makes none", { email: member(1, "email"), place: member(2, "place") }, {}],
    ["the step copies it", one, { program: "{email: .email, town: .town, nights: .nights}" }],
    ["nothing reads it of that step: told as that", one, { params: { email: member(1, "email") } }],
    [
      "a comment speaks of it",
      { email: member(1, "email"), born_on: member(2, "born_on") },
      { comment: "Answers free and born_on, as it counts it." },
    ],
    ["it is alone", { nights: member(0, "nights"), list: "${custom_data.list.value}" }, {}],
  ])("right: %s", (_, body, more) => {
    expect(told(body, more)).toEqual([]);
  });
});
