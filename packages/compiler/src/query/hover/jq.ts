import { builtin, nodesAt, printType, types } from "@configc/jq";
import { typeAt } from "@configc/jq/internal";
import type { Model } from "../../bind/model.ts";
import { spanOf } from "../../parse/document.ts";
import { withoutHiddenBody } from "../../samples/response.ts";
import { typing } from "../completion/jq-members.ts";
import type { TextCursor } from "../cursor.ts";
import { responseMemberTexts } from "../openapi/hover.ts";
import { programTrails } from "../program/program-trails.ts";
import { provenanceLines } from "../provenance.ts";
import type { Hover } from "./hover.ts";

/**
 * What is told of a place in a jq program: the documentation of a builtin, the types of the expression there, where its value comes
 * from and what it was in samples.
 */
export function jqHover(model: Model, { node, offset, program }: TextCursor): Hover | undefined {
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  const lines: string[] = [];
  let span = { start: offset, end: offset };
  const call = nodesAt(program.tree, offset).findLast(({ kind }) => kind === "Call");
  if (call?.kind === "Call" && call.name.start <= offset && offset <= call.name.end) {
    const known = builtin(call.name.text, call.arguments.length);
    if (known !== undefined) {
      const parameters = known.parameters.length === 0 ? "" : `(${known.parameters.join("; ")})`;
      lines.push(`**\`${known.name}${parameters}\`**`, known.doc);
      span = call.name;
    }
  }
  const [input, options] = typing(model, program);
  const found = typeAt(program.tree, input, offset, options);
  const trails = lines.length > 0 ? [] : programTrails(model, program, offset);
  const origin = provenanceLines(model, trails);
  const typed = found !== undefined && (found.input !== types.unknown || found.output !== types.unknown);
  if (found !== undefined && (typed || origin.length > 0)) {
    if (lines.length === 0) span = found;
    const shown = typed
      ? [printType(withoutHiddenBody(found.input)), `→ ${printType(withoutHiddenBody(found.output))}`]
      : [];
    lines.push(["```", ...shown, ...origin, "```"].join("\n"), ...responseMemberTexts(model, trails));
  }
  if (lines.length === 0) return undefined;
  return {
    span: spanOf(model.document, { node, from: span.start, to: span.end }),
    markdown: lines.join("\n\n"),
  };
}
