import { readFileSync } from "node:fs";
import { compile, render } from "@configc/compiler";
import { test } from "vitest";

/** Prints every finding of the files in FILES (separated by blanks): a quick look while writing rules. */
test.runIf(process.env["FILES"])("look", () => {
  for (const file of (process.env["FILES"] ?? "").split(/\s+/).filter(Boolean)) {
    const { model, diagnostics } = compile(readFileSync(file), { uri: file });
    const lines = diagnostics.map((diagnostic) => {
      const { range, severity, rule, message, help } = render(model, diagnostic, { fixes: false });
      return `  ${range.start.line}:${range.start.column} ${severity} ${rule}: ${message} ${help ?? ""}`;
    });
    process.stdout.write(`${file}\n${lines.join("\n")}\n`);
  }
});
