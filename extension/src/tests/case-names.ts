import { Position } from "vscode";

/** The name of a case, and the offset at which it stands in the text. */
interface CaseName {
  readonly name: string;
  readonly offset: number;
}

/** The names of the cases of a test file, and where they stand. */
export function namesIn(
  text: string,
): { readonly names: readonly CaseName[] } | { readonly problem: string } {
  let cases: unknown;
  try {
    cases = (JSON.parse(text) as { readonly cases?: unknown } | null)?.cases;
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (!Array.isArray(cases)) return { names: [] };
  let from = 0;
  const names = cases.flatMap((each: { readonly name?: unknown } | null) => {
    if (typeof each?.name !== "string") return [];
    // Names are told apart, and cases stand in this order.
    const found = text.indexOf(JSON.stringify(each.name), from);
    if (found >= 0) from = found + 1;
    return [{ name: each.name, offset: Math.max(found, 0) }];
  });
  return { names };
}

/** The place of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return new Position(before.length - 1, before.at(-1)?.length ?? 0);
}
