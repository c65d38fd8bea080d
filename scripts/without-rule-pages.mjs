// An esbuild plugin for pages: leaves out what only the rules' own pages need (why, examples, the rows of the specification that a
// rule guards). It is a third of the compiler's size, and every finding links to its page.
import { readFileSync } from "node:fs";
import ts from "typescript";

const onlyInPages = new Set(["why", "examples", "guards", "summary"]);

/** @type {import("esbuild").Plugin} */
export const withoutRulePages = {
  name: "without-rule-pages",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:check|breaking)[\\/]rules[\\/].*\.ts$/ }, ({ path }) => ({
      contents: cut(readFileSync(path, "utf8"), path),
      loader: "ts",
    }));
  },
};

/** A source text without those members of the objects that describe a rule, whatever function takes them. */
function cut(text, path) {
  const spans = [];
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) {
      const nameOf = ({ name }) => name?.getText() ?? "";
      const members = node.properties.filter((member) => onlyInPages.has(nameOf(member)));
      if (members.some((member) => nameOf(member) === "why")) {
        spans.push(...members.map((member) => [member.getStart(), member.end]));
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  // From behind, with the comma that follows.
  return spans.reduceRight(
    (rest, [start, end]) => rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, ""),
    text,
  );
}
