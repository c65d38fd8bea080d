import { resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { exportsOf, namesOf, packages, sourceOf } from "../../scripts/api/exports.ts";
import { libraries } from "../../scripts/api/report.ts";

/** Every name that a library exports says what it is: a line or more of its own, where it is declared. */

/** Of each library, what it exports without a docstring, as `name in file`. */
function undocumented(library: string): string[] {
  return [...exportsOf(resolve(packages, library, "src/index.ts"))]
    .filter(([, { file, local }]) => local !== undefined && !isDocumented(file, local))
    .map(([name, { file }]) => `${name} in ${file.slice(packages.length)}`);
}

function isDocumented(file: string, local: string): boolean {
  const { text, statements } = sourceOf(file);
  const own = statements.filter((statement) => namesOf(statement).includes(local));
  // Of overloads, and of a value and a type with one name, one docstring is enough. Tags alone say nothing of the whole.
  return own.some((statement) =>
    (ts.getLeadingCommentRanges(text, statement.pos) ?? []).some(({ pos, end }) =>
      /^\/\*\*[\s*]*[^\s*@/]/.test(text.slice(pos, end)),
    ),
  );
}

test.each(libraries)("%s", (library) => {
  expect(exportsOf(resolve(packages, library, "src/index.ts")).size).toBeGreaterThan(3);
  expect(undocumented(library)).toEqual([]);
});
