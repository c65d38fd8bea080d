import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Where something is written for people or logs: each of these makes it harmless. */
const places: ReadonlySet<string> = new Set([
  "packages/cli/src/terminal/output.ts",
  "packages/engine-dbos/src/command/output.ts",
  "packages/host/src/stderr.ts",
  "packages/language-server/src/stdio.ts",
]);

const folders = [
  "cli",
  "compiler",
  "engine-dbos",
  "host",
  "jq",
  "language-server",
  "runtime",
  "simulate",
].map((name) => `packages/${name}/src`);
const sources = [...folders, "extension/src"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`),
);

/** Methods that write, and of what. */
const writes = /^(?:write|end|log|error|warn|info|debug|trace|dir|table|append|appendLine|replace|_write)$/;
const outputs = /(?:^|\.)(?:stdout|stderr|console|outputChannel|output)$|^stream$/;

/** Calls that write to a terminal, a log or an output channel, with their lines. */
function written(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      const isMethod =
        ts.isPropertyAccessExpression(expression) &&
        writes.test(expression.name.text) &&
        outputs.test(expression.expression.getText(source));
      const isDescriptor =
        /(?:^|\.)writeSync$/.test(expression.getText(source)) &&
        /^(?:1|2|.*\bstd(?:out|err)\b.*)$/.test(node.arguments[0]?.getText(source) ?? "");
      if (isMethod || isDescriptor)
        found.push(
          `${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}: ${node.getText(source)}`,
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("what is looked for is found", () => {
  const text = [
    "process.stdout.write(x);",
    'console.error("x");',
    "fs.writeSync(process.stderr.fd, x);",
    "writeSync(2, x);",
    "client.outputChannel.appendLine(x);",
    "stream.write(x);",
    "globalThis.process.stderr.write(x);",
    "file.write(x);",
    "writeSync(handle, x);",
    "answer.end(x);",
  ];
  expect(written("x.ts", text.join("\n")).map((line) => Number.parseInt(line, 10))).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ]);
});

test("nothing is written past the places that make it harmless", () => {
  expect(sources.length).toBeGreaterThan(500);
  const past = sources
    .filter((file) => !places.has(file))
    .flatMap((file) =>
      written(file, readFileSync(join(root, file), "utf8")).map((line) => `${file}:${line}`),
    );
  expect(past).toEqual([]);
});

test.each([...places])("%s makes what it writes harmless", (file) => {
  const lines = written(file, readFileSync(join(root, file), "utf8"));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/harmless|shown\(|bytes, at|\\u001b\[2J/);
});
