import { describe, expect, test } from "vitest";
import { findings, inSource } from "../support/rule-findings.ts";

describe("a comment says what is for people", () => {
  const path = (comment: string, read: string): string[] =>
    findings("http/shown-in-path", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            _comment: comment,
            "!http": { method: "POST", path: "/jobs", body: { email: "${piped_content.0.email}" } },
          },
          { "!http": { method: "POST", path: `/jobs/\${piped_content.1.job.${read}}/release` } },
        ],
      },
    });
  test.each([
    ["Paths want the id; the number is what people read.", "number", 1],
    ["Ids are numbers; the job's 'number' is only what is printed on paper.", "number", 1],
    ["A job has a serial (printed on it) and an id (used by the API).", "serial", 1],
    ["A job has id (job_...), code (what is printed on invoices, such as J-1) and open.", "code", 1],
    ["A job also has a number, a string that the shop prints on the bag.", "number", 1],
    ["The number is for people.", "number", 1],
    ['{JobId: a GUID, JobNumber: "J-118"}', "JobNumber", 1],
    ["Paths want the id; the number is what people read.", "id", 0],
    ["The customer's 'number' is only what is printed on paper.", "number", 0],
    ["Paths go by the number (printed on it).", "number", 0],
    ["A job has a number (used by the API, and printed on it).", "number", 0],
    ["The number of the job is in the answer.", "number", 0],
    ["The name is what people read.", "number", 0],
  ])("%s %s", (comment, read, count) => {
    expect(path(comment, read)).toHaveLength(count);
  });

  const chosen = (comment: string, value: string): string[] =>
    findings("value/name-for-id", "outbound", {
      "/workflows/0/setup/select/form_fields/1": {
        label: "Meter",
        id: "meter",
        _comment: comment,
        type: "dropdown",
        options: {
          "!pipe": [
            { "!http": { path: "/meters" } },
            { "!jq": `[.meters[] | {display: (.serial + ", " + .place), value: ${value}}]` },
          ],
        },
      },
      "/workflows/0/data_pipeline/target": {
        "!http": {
          method: "PUT",
          path: "/meters/${custom_data.meter.value}/alerts",
          body: { email: "${piped_content.0.email}" },
        },
      },
    });
  test.each([
    ["A meter has a serial (printed on it) and an id (used by the API).", ".serial", 1],
    ["A meter has a serial (printed on it) and an id (used by the API).", ".id", 0],
    ["Paths go by the serial, which is printed on it.", ".serial", 0],
    ["A meter has a serial and a place.", ".serial", 0],
  ])("%s: %s is the value of an option", (comment, value, count) => {
    expect(chosen(comment, value)).toHaveLength(count);
  });
});

describe("a comment says what stands between the values of a text", () => {
  const joined = (comment: string, value: string): string[] =>
    findings("jq/documented-separator", "outbound", {
      "/workflows/0/setup/select/form_fields/0/type": "multiselect",
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { _comment: comment, "!jq": `{email: .email, areas: (${value})}` },
          { "!http": { method: "POST", path: "/people", body: "${piped_content.1}" } },
        ],
      },
    });
  const list = "${custom_data.list.value}";
  test.each([
    ["areas is one field with commas.", `${list} | join(";")`, 1],
    ["due_at is in seconds, areas are codes with commas between them.", `${list} | join(" ")`, 1],
    ["areas as one text with semicolons", `${list} | join(",")`, 1],
    ["areas is a text, separated by commas, or empty.", `${list} | join(";")`, 1],
    ["Areas are comma-separated.", `if (${list} | type) == "array" then ${list} | join("|") else "" end`, 1],
    ["areas is one field with commas.", `${list} | join(",")`, 0],
    ["areas is one field with commas.", `${list} | join(", ")`, 0],
    ["section (code), skills codes with commas, areas a list", `${list} | join(";")`, 0],
    ["areas is one text.", `${list} | join(";")`, 0],
    ["No commas between areas.", `${list} | join(";")`, 0],
  ])("%s %s", (comment, value, count) => {
    expect(joined(comment, value)).toHaveLength(count);
  });

  test("where it is taken apart", () => {
    const split = (by: string): string[] =>
      inSource("jq/documented-separator", `{email: .email, _tags: (.labels | split("${by}"))}`, {
        "/data_intake/0/_comment": "labels is a text, parted by commas, or empty.",
      });
    expect([split(";").length, split(",").length]).toEqual([1, 0]);
  });
});

describe("a comment says what mappings were before there were groups", () => {
  const mapped = (comment: string, group: string): string[] =>
    findings("mapping/documented-default-group", "outbound", {
      "/workflows/0/setup/map": {
        _comment: comment,
        label: "Map",
        default_group: group,
        describe_source: { label: "Contact", options: { "!resource": "PlatformContact.fields" } },
        describe_target: {
          label: "Target",
          options: [
            { title: "Email", id: "email", group: "camper" },
            { title: "Plate", id: "plate", group: "vehicle" },
          ],
        },
      },
    });
  test.each([
    ["The vehicle group is new. Maps saved before it had camper fields only.", "vehicle", 1],
    ["default_group: until 2024 there was one flat list, which had the camper only.", "vehicle", 1],
    [
      "There were no vehicles in the first version. What customers mapped then belongs to the camper.",
      "vehicle",
      1,
    ],
    ["The first release mapped the camper only, without groups.", "vehicle", 1],
    ["The vehicle group is new. Maps saved before it had camper fields only.", "camper", 0],
    ["There were no vehicles in the first version.", "camper", 0],
    ["A camper has a vehicle.", "vehicle", 0],
    ["Old maps of campers and vehicles are kept.", "vehicle", 0],
  ])("%s %s", (comment, group, count) => {
    expect(mapped(comment, group)).toHaveLength(count);
  });
});

describe("a comment says where codes begin, and which words a parameter takes", () => {
  const looked = (index: string): string[] =>
    inSource("value/crossed-codes", `{email: .email, priority: ["Low", "Normal", "Urgent"][${index}]}`, {
      "/workflows/0/data_pipeline/_comment": "priority: 1 low, 2 normal, 3 urgent",
    });
  test("a list that is read from 0", () => {
    expect(looked(".priority")).toHaveLength(1);
    expect(looked(".priority - 1")).toEqual([]);
  });

  test("the words of the pagination", () => {
    const ordered = (value: string): string[] =>
      findings("value/undocumented-word", "outbound", {
        "/api/pagination": {
          _comment: "sort takes starts or title.",
          style: { type: "cursor", limit: { param: "limit", value: 50 }, ordering: { param: "sort", value } },
          parser: { next_result_token: { "!jq": ".next" } },
        },
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": { path: "/lists", pagination: true },
      });
    expect([ordered("date").length, ordered("title").length]).toEqual([1, 0]);
  });
});
