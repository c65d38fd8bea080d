import { readFileSync } from "node:fs";
import { compile, render } from "@configc/compiler";
import { expect, test } from "vitest";
import { withoutSecrets } from "../src/formats/mask.ts";

test("D29: a secret that a finding points at isn't shown, and nothing moves", () => {
  const template = readFileSync(new URL("../templates/outbound.app.json", import.meta.url), "utf8");
  const text = template.replace("<CLIENT_SECRET>", "k3yb0ardcat-0123456789");
  const { model, diagnostics } = compile(text, { uri: "a.app.json" });
  const shown = withoutSecrets(
    text,
    diagnostics.map((diagnostic) => render(model, diagnostic, { fixes: false })),
  );
  expect(diagnostics.map(({ finding }) => finding.rule.id)).toContain("security/plain-secret");
  expect(shown).not.toContain("k3yb0ardcat");
  expect(shown).toHaveLength(text.length);
  expect(shown.replaceAll("•", "")).toBe(text.replace("k3yb0ardcat-0123456789", ""));
});
