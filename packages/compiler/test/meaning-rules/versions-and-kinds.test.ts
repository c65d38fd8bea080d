import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

/** Versions from before a change, and ids of other kinds of records, each beside right ones that look like the mistake. */

describe("value/stale-version", () => {
  const target = "/workflows/0/data_pipeline/target";
  const told = (...steps: unknown[]): string[] =>
    findings("value/stale-version", "outbound", { [target]: { "!pipe": steps } });
  const search = { "!http": { path: "/quotes", params: { email: "${piped_content.0.email}" } } };
  const last = { "!jq": "{quote: .quotes[-1]}" };
  const change = {
    "!http": { method: "PATCH", path: "/quotes/${piped_content.2.quote.id}", body: { days: 14 } },
  };
  const send = (body: unknown, more = {}) => ({
    "!http": { method: "POST", path: "/quotes/${piped_content.3.id}/send", body, ...more },
  });
  const chosen = {
    "!switch": { jq: "if .quote == null then 0 else 1 end", cases: [{ "!error": "None." }, change] },
  };

  test.each([
    ["in a body", [search, last, change, send({ revision: "${piped_content.2.quote.revision}" })]],
    ["changed in a case", [search, last, chosen, send({ revision: "${piped_content.2.quote.revision}" })]],
    ["camelCase", [search, last, change, send({ v: "${piped_content.2.quote.lockVersion}" })]],
    [
      "a header",
      [search, last, change, send({}, { headers: { "if-match": "${piped_content.2.quote.etag}" } })],
    ],
    [
      "a program",
      [
        search,
        last,
        change,
        { "!jq": "{revision: ${piped_content.2.quote.revision}}" },
        send("${piped_content.4}"),
      ],
    ],
  ])("%s", (_, steps) => {
    expect(told(...steps)).toHaveLength(1);
  });

  test.each([
    ["of the answer", [search, last, change, send({ revision: "${piped_content.3.revision}" })]],
    [
      "for the change itself",
      [
        search,
        last,
        {
          "!http": {
            method: "PATCH",
            path: "/quotes/${piped_content.2.quote.id}",
            body: { version: "${piped_content.2.quote.version}" },
          },
        },
      ],
    ],
    [
      "of another record",
      [
        search,
        last,
        { "!http": { method: "PATCH", path: "/people/${piped_content.2.quote.person_id}", body: { a: 1 } } },
        {
          "!http": {
            method: "PUT",
            path: "/quotes/${piped_content.2.quote.id}",
            body: { v: "${piped_content.2.quote.version}" },
          },
        },
      ],
    ],
    [
      "for a list elsewhere",
      [
        search,
        last,
        change,
        {
          "!http": {
            method: "POST",
            path: "/log/${piped_content.0.email}",
            body: { before: "${piped_content.2.quote.revision}" },
          },
        },
      ],
    ],
    ["another member", [search, last, change, send({ number: "${piped_content.2.quote.number}" })]],
  ])("right: %s", (_, steps) => {
    expect(told(...steps)).toEqual([]);
  });
});

describe("value/one-id-two-kinds", () => {
  const told = (program: string): string[] => inSource("value/one-id-two-kinds", program);
  const typed = (of: string, id: string): string =>
    `(first($d.included[] | select(.type == "${of}" and .id == ${id})) | .attributes)`;

  test.each([
    [
      "relationships",
      typed("owners", "$d.data.relationships.boat.data.id"),
      typed("boats", "$d.data.relationships.boat.data.id"),
      "$d.data.relationships.boat.data.id",
    ],
    ["ids in snake_case", typed("owners", "$d.boat_id"), typed("boats", "$d.boat_id"), "$d.boat_id"],
    [
      "exchanged",
      typed("owners", "$d.data.owner.id"),
      typed("boats", "$d.data.owner.id"),
      "$d.data.owner.id",
    ],
    [
      "lists",
      "($d.owners[] | select(.id == $d.boat.id))",
      "($d.boats[] | select(.id == $d.boat.id))",
      "$d.boat.id",
    ],
    [
      "mapped lists",
      "($d.owners | map(select(.id == $d.boatId)) | first)",
      "($d.boats | map(select(.id == $d.boatId)) | first)",
      "$d.boatId",
    ],
    [
      "the other side first",
      "($d.owners[] | select($d.boat.id == .id))",
      "($d.boats[] | select($d.boat.id == .id))",
      "$d.boat.id",
    ],
    [
      "as texts",
      "($d.owners[] | select((.id | tostring) == $d.boat_id))",
      "($d.boats[] | select((.id | tostring) == $d.boat_id))",
      "$d.boat_id",
    ],
  ])("%s", (_, owner, boat, marked) => {
    expect(told(`. as $d | {email: ${owner}.email, boat: ${boat}.name}`)).toEqual([marked]);
  });

  test.each([
    [
      "each by its own",
      typed("owners", "$d.data.relationships.owner.data.id"),
      typed("boats", "$d.data.relationships.boat.data.id"),
    ],
    [
      "a role of a person",
      typed("people", "$d.data.relationships.author.data.id"),
      typed("boats", "$d.data.relationships.boat.data.id"),
    ],
    [
      "a record of the same id",
      "($d.users[] | select(.id == $d.user.id))",
      "($d.profiles[] | select(.id == $d.user.id))",
    ],
    ["no noun", typed("owners", "$d.data.id"), typed("boats", "$d.data.id")],
    [
      "the boat of an owner",
      "($d.owners[] | select(.boat_id == $d.boat.id))",
      "($d.boats[] | select(.id == $d.boat.id))",
    ],
  ])("right: %s", (_, owner, boat) => {
    expect(told(`. as $d | {email: ${owner}.email, boat: ${boat}.name}`)).toEqual([]);
  });
});
