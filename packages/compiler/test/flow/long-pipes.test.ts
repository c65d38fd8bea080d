import { compile } from "@configc/compiler";
import { expect, test } from "vitest";

/** Each step may give its input on in two ways: what is told of a pipe must not be sought along every way through it. */
test.each([
  ["by branches", '{"!jq": "if .name then . else last(., (range(3) | select(. < 0))) end"}'],
  ["by an expansion", '{"!jq": "if .name then . else ${piped_content.0} end"}'],
  ["in members", '{"!jq": "{account_id: (.account_id // .), description: .}"}'],
])("a pipe of forty steps that give their input on %s", (_, step) => {
  const steps = [
    '{"!http": {"path": "/me"}}',
    '{"!jq": "{account_id: 1, name: true}"}',
    ...Array(40).fill(step),
  ];
  const text = `{"api": {"base_url": "https://api.example.com"}, "workflows": [{"name": "w", "setup": {"connect": {"describe_connection": {"!pipe": [${steps.join(",")}]}}}}]}`;
  const { diagnostics } = compile(text, { uri: "shop.app.json" });
  const ids = diagnostics.map(({ finding }) => finding.rule.id);
  // Nothing is told twice.
  expect(ids.filter((id) => id.startsWith("contract/")).length).toBeLessThan(3);
});
