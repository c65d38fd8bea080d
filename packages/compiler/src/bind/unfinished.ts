import type { StringNode } from "../parse/syntax-tree.ts";
import { parseTemplate } from "../parse/template.ts";
import type { BoundTemplate, Command, ExpansionPosition, JqProgram, Unit } from "./bound-nodes.ts";
import { bindExpansion } from "./expansion.ts";
import { bindProgram } from "./program.ts";

/**
 * A string that isn't closed, or that has a wrong escape: the mistake in JSON is all that is found in it (D2). Somebody may be
 * writing it just now, and asks what can be written next.
 */
export interface UnfinishedString {
  readonly node: StringNode;
  readonly position: ExpansionPosition;
  readonly command: Command | undefined;
  readonly unit: Unit | undefined;
}

/** What an unfinished string would be as it stands. It is no part of the model. */
export function bindUnfinished({ node, position, command, unit }: UnfinishedString): {
  readonly template: BoundTemplate | undefined;
  readonly program: JqProgram | undefined;
} {
  const template = parseTemplate(node.value);
  const expansions = (template?.expansions ?? []).map((syntax) =>
    bindExpansion(syntax, node, position, command, unit),
  );
  return {
    template: template === undefined ? undefined : { node, template, command, unit, position, expansions },
    program: position === "jq" && command !== undefined ? bindProgram(node, command, expansions) : undefined,
  };
}
