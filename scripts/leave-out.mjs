// Makes a source text smaller by leaving out members of object literals that a build has no use for.
import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * @param {string} name of the plugin
 * @param {RegExp} filter which files
 * @param {(names: readonly string[], path: string) => readonly string[]} chosen names to leave out of an object with those names
 * @returns {import("esbuild").Plugin}
 */
export function leaveOut(name, filter, chosen) {
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({
        contents: cut(readFileSync(path, "utf8"), path, chosen),
        loader: "ts",
      }));
    },
  };
}

/**
 * Leaves the texts empty that stand as values in tables.
 *
 * @param {string} name of the plugin
 * @param {RegExp} filter which files
 * @returns {import("esbuild").Plugin}
 */
export function emptyTexts(name, filter) {
  const emptied = (path) => {
    const text = readFileSync(path, "utf8");
    const spans = [];
    const visit = (node) => {
      if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer))
        spans.push([node.initializer.getStart(), node.initializer.end]);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
    return spans.reduceRight((rest, [start, end]) => `${rest.slice(0, start)}""${rest.slice(end)}`, text);
  };
  return {
    name,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({ contents: emptied(path), loader: "ts" }));
    },
  };
}

function cut(text, path, chosen) {
  const spans = [];
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) {
      const nameOf = ({ name }) => name?.getText() ?? "";
      const names = chosen(node.properties.map(nameOf), path);
      const left = (member) => names.includes(nameOf(member));
      spans.push(...node.properties.filter(left).map((member) => [member.getStart(), member.end]));
      for (const member of node.properties) if (!left(member)) visit(member);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  spans.sort(([a], [b]) => a - b);
  // From behind, with the comma that follows.
  return spans.reduceRight(
    (rest, [start, end]) => rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, ""),
    text,
  );
}
