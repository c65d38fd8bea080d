import type { Model } from "../bind/model.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { addOptionsField } from "./add-options-field.ts";
import { extractStep } from "./extract-step.ts";
import { httpAddress } from "./http-address.ts";
import { joinPrograms } from "./join-programs.ts";
import { literalField } from "./literal-field.ts";
import { moveStep } from "./move-step.ts";
import { commandAround, type Refactor, type Refactoring } from "./refactoring.ts";
import { splitProgram } from "./split-program.ts";
import { unwrapPipe } from "./unwrap-pipe.ts";
import { wrapInPipe } from "./wrap-in-pipe.ts";

const refactors: readonly Refactor[] = [
  extractStep,
  splitProgram,
  joinPrograms,
  moveStep,
  literalField,
  httpAddress,
  wrapInPipe,
  unwrapPipe,
];

/**
 * The ways in which a program can be written otherwise at a range of the document.
 *
 * Each keeps its meaning: what a command gives, and which requests it sends, stay the same. Where that isn't certain, nothing is
 * offered. A document that is broken has none.
 *
 * @param range UTF-16 offsets
 */
export function refactoringsIn(model: Model, range: Span): readonly Refactoring[] {
  if (model.document.problems.length > 0) return [];
  const command = commandAround(model, range);
  const ofCommand =
    command === undefined ? [] : refactors.flatMap((refactor) => refactor({ model, range, command }));
  return [...ofCommand, ...addOptionsField(model, range)];
}
