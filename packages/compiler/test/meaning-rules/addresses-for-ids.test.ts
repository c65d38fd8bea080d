import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

describe("value/code-for-id: an address of a record that has an id", () => {
  const told = (value: string, path: string): number =>
    findings("value/code-for-id", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          { "!http": { method: "POST", path: "/clients", body: { email: "${piped_content.0.email}" } } },
          { "!jq": `{client_id: ${value}, list: \${custom_data.list.value}}` },
          { "!http": { path } },
          { "!http": { method: "POST", path: "/enquiries", body: "${piped_content.2}" } },
        ],
      },
    }).length;
  test("told where a path takes the id", () => {
    expect(told(".client.email", "/clients/${piped_content.1.client.id}")).toBe(1);
    expect(told(".client.id", "/clients/${piped_content.1.client.id}")).toBe(0);
    expect(told(".client.email", "/clients/${piped_content.1.client.email}")).toBe(0);
    expect(told(".email", "/clients/${piped_content.1.client.id}")).toBe(0);
  });
});
