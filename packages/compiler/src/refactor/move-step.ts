import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import type { Edit } from "../findings/rule.ts";
import { readMethods } from "../language/commands/http.ts";
import { documentOffset } from "../parse/string-map.ts";
import { textOf } from "../parse/syntax-tree.ts";
import { sourceOf } from "./layout.ts";
import { isIn, type PipedRead, pipedReads, renumber } from "./piped-indexes.ts";
import { isConstantInTime, isJqStep, readsInput } from "./programs.ts";
import { isStep, type Refactor, type Refactoring } from "./refactoring.ts";

/** Exchanges a step with the one before or behind it, where neither needs the other; numbers of what follows are exchanged too. */
export const moveStep: Refactor = ({ model, command }) => {
  const { pipe, stepsRun } = command;
  if (!isStep(command) || pipe === undefined) return [];
  const found: Refactoring[] = [];
  const up = exchange(model, pipe, stepsRun - 1);
  if (up !== undefined) found.push({ title: "Move the step up", kind: "move", edits: up });
  const down = exchange(model, pipe, stepsRun);
  if (down !== undefined) found.push({ title: "Move the step down", kind: "move", edits: down });
  return found;
};

/** The edits that exchange the step at a position with the next one; undefined where the meaning may change. */
function exchange(model: Model, pipe: Command, position: number): Edit[] | undefined {
  const [first, second, follower] = [0, 1, 2].map((distance) => pipe.children[position + distance]);
  // Of the last two, the pipe's output would be another one.
  if (first === undefined || second === undefined || follower === undefined) return undefined;
  if (!mayTurn(first, second)) return undefined;
  const reads = pipedReads(model, pipe);
  const inSecond = reads?.filter((read) => isIn(read, second.node)) ?? [];
  if (reads === undefined || inSecond.some(({ index }) => index === position + 1)) return undefined;
  // The second one takes what the first one gives.
  if (takesInput(second) !== "no") return undefined;
  const keepFirst = keepInput(model, first, position);
  const keepFollower = keepInput(model, follower, position + 1);
  if (keepFirst === undefined || keepFollower === undefined) return undefined;
  const turned = (index: number): number =>
    index === position + 1 ? position + 2 : index === position + 2 ? position + 1 : index;
  const isOutside = (read: PipedRead) => !isIn(read, first.node) && !isIn(read, second.node);
  const others = renumber(model, reads.filter(isOutside), turned);
  if (others === undefined) return undefined;
  const { document } = model;
  return [
    { ...spanOfStep(first), newText: sourceOf(document, second.node) },
    { ...spanOfStep(second), newText: sourceOf(document, first.node, keepFirst) },
    ...keepFollower,
    ...others,
  ];
}

function spanOfStep({ node: { start, end } }: Command) {
  return { start, end };
}

/** Only what changes nothing may be done earlier or later; a request that fails is the same then, whichever comes first. */
function mayTurn(first: Command, second: Command): boolean {
  return [first, second].every((each) => isReading(each));
}

function isReading({ key, argument, program }: Command): boolean {
  switch (key) {
    case "!jq":
      return program !== undefined && isConstantInTime(program.tree);
    case "!http": {
      const method = (textOf(argument, "method") ?? "GET").toUpperCase();
      return readMethods.has(method);
    }
    case "!resource":
      return argument?.kind === "string";
    default:
      return false;
  }
}

function takesInput(command: Command): "no" | "by-program" | "yes" {
  if (command.key === "!http" || command.key === "!error") return "no";
  if (!isJqStep(command)) return "yes";
  return readsInput(command.program) ? "by-program" : "no";
}

/** The edits by which a step that gets another input still reads the one that it had; undefined where it can't. */
function keepInput({ document }: Model, command: Command, index: number): Edit[] | undefined {
  switch (takesInput(command)) {
    case "no":
      return [];
    case "yes":
      return undefined;
    case "by-program": {
      const at = documentOffset(document.text, command.program!.node, 0);
      return [{ start: at, end: at, newText: `\${piped_content.${index}} | ` }];
    }
  }
}
