import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { isEventName } from "../../../flow/registered-events.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import { allIn } from "../workflow/commands.ts";

/** How an import makes the event of an item: `"order." + .state`. */
export interface MadeEvent {
  /** What stands before the word: `order.` */
  readonly prefix: string;
  /** The member that has the word: `state`. */
  readonly member: string;
}

/** How the history beside an intake makes its items' events of a word that they have; undefined where it doesn't, or in several ways. */
export function madeEvent(intake: IntakeSymbol, registeredAs: string): MadeEvent | undefined {
  const histories = new Set(usersOf(intake).flatMap((user) => user.historicalIntake?.target ?? []));
  const found = [...histories].flatMap((history) => {
    const request = history.commands.get("request");
    return request === undefined
      ? []
      : (allIn(request) ?? []).flatMap(({ program }) =>
          program === undefined ? [] : madeIn(program, registeredAs),
        );
  });
  const [first, ...others] = found;
  return others.every(({ prefix, member }) => prefix === first?.prefix && member === first.member)
    ? first
    : undefined;
}

function madeIn(program: JqProgram, registeredAs: string): readonly MadeEvent[] {
  if (program.diagnostics.length > 0 || !/[._/:-](?:"|\\\()/.test(program.node.value)) return [];
  return nodesOfKind(program, "Entry").flatMap(({ key, value }) => {
    if (value === undefined || !isEventName(nameOf(key), registeredAs)) return [];
    return joined(bare(value), program) ?? [];
  });
}

/** `"order." + .state`, `"order.\(.state)"` */
function joined(node: Expression, program: JqProgram): MadeEvent | undefined {
  const [before, word] = partsOf(node);
  const member = word === undefined ? undefined : nameRead(word, program);
  return before !== undefined && /^\w.*[._/:-]$/.test(before) && member !== undefined
    ? { prefix: before, member }
    : undefined;
}

function partsOf(node: Expression): readonly [string?, Expression?] {
  if (node.kind === "Arithmetic") {
    const [only, ...others] = node.rest;
    const before = constantOf(bare(node.first));
    return only?.operator === "+" && others.length === 0 && typeof before === "string"
      ? [before, only.operand]
      : [];
  }
  if (node.kind !== "String") return [];
  const [text, part, ...others] = node.parts;
  return text?.kind === "StringText" && part?.kind === "Interpolation" && others.length === 0
    ? [text.value, part.expression]
    : [];
}
