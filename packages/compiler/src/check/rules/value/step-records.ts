import type { Command, Expansion } from "../../../bind/bound-nodes.ts";
import { nounOfPath } from "../../../flow/record-kind.ts";
import { textOf } from "../../../parse/syntax-tree.ts";

/** `${piped_content.2}` */
export const isWholeStep = ({ root, syntax }: Expansion): boolean =>
  root === "piped_content" && syntax.path.length === 2 && syntax.filters.length === 0;

/** What kind of record a request asks for: `job` of `/jobs/${…}`. What it writes answers something of its own. */
export function recordOf(step: Command | undefined): string | undefined {
  const { argument, key } = step ?? {};
  if (key !== "!http" || argument?.kind !== "object") return undefined;
  const method = textOf(argument, "method")?.toUpperCase() ?? "GET";
  return method === "GET" ? nounOfPath(textOf(argument, "path") ?? "") : undefined;
}
