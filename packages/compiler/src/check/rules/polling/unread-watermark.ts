import type { Expression, ObjectEntry } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Expansion, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";

/** A key that is written, with the command that moves it on. */
export interface UnreadWatermark {
  readonly key: string;
  readonly command: string;
  readonly program: JqProgram;
  readonly value: Expression;
}

/**
 * The start of a window that is moved on and named nowhere else: each place that reads the key writes it again. It is told by what is written
 * in the programs alone, where how a state comes to be can't be followed.
 */
export function unreadWatermark(intake: IntakeSymbol, model: Model): UnreadWatermark | undefined {
  const { expansions, programs } = partOfUnit(intake, model);
  const own = expansions.filter(({ unit }) => unit === intake);
  const inState = programs.flatMap((program) => {
    const name = commandNameOf(program, intake);
    return name === undefined ? [] : [{ program, name }];
  });
  if (own.some(mayBeState) || inState.some(({ program }) => program.diagnostics.length > 0)) return undefined;
  const entries = inState.flatMap(({ program, name }) =>
    nodesOfKind(program, "Object").flatMap((made) =>
      made.entries.map((entry) => ({ program, name, entry, key: nameOf(entry.key) })),
    ),
  );
  // A key that nothing writes is a slip in its name: this one may be meant by it.
  const written = new Set(entries.map(({ key }) => key));
  if (
    own.some(
      ({ root, syntax }) => root === "polling_state" && syntax.path[1] && !written.has(syntax.path[1].text),
    )
  )
    return undefined;
  const begun = entries.filter(({ name, key = "" }) => name === "initial_setup" && isStart(key));
  for (const { key } of begun) {
    const writes = entries.filter((each) => each.key === key);
    const moved = writes.find(
      ({ name, program, entry }) => name !== "initial_setup" && isMoved(entry, key!, program),
    );
    if (moved === undefined) continue;
    const isNamed = inState.some(({ program }) => {
      const within = writes.filter((each) => each.program === program).map(({ entry }) => entry);
      return namesElsewhere(program, key!, within);
    });
    const isSent = own.some(
      ({ command, syntax }) => command?.program === undefined && syntax.path.some(({ text }) => text === key),
    );
    if (!isNamed && !isSent)
      return { key: key!, command: moved.name, program: moved.program, value: moved.entry.value! };
  }
  return undefined;
}

const isStart = (key: string): boolean => boundName(key)?.end === "lower";

/** Which of the commands of the state a program is in. */
const commandNameOf = (program: JqProgram, intake: IntakeSymbol): string | undefined => {
  const outermost = outermostCommand(program.command);
  return stateCommands.find((name) => intake.commands.get(name) === outermost);
};

/** Whether a request, or what isn't a program, takes what may be the whole state. */
const mayBeState = ({ root, rootExact, command, syntax }: Expansion): boolean =>
  command?.program === undefined &&
  (!rootExact ||
    (root === "polling_state" && syntax.path.length === 1) ||
    (root === "piped_content" && syntax.path.length === 2));

/** Whether an entry writes something else than the key as it was. */
function isMoved({ value }: ObjectEntry, key: string, program: JqProgram): boolean {
  if (value === undefined || constantOf(value) !== undefined) return false;
  return waysOf(value, program).some(
    (way) => constantOf(way) === undefined && !textAt(way, program).includes(key),
  );
}

/** Whether a program names a key anywhere but where it is written. */
function namesElsewhere({ node }: JqProgram, key: string, within: readonly ObjectEntry[]): boolean {
  const named = [...node.value.matchAll(new RegExp(`\\b${escapedPattern(key)}\\b`, "g"))];
  return named.some(({ index }) => !within.some(({ start, end }) => start <= index && index < end));
}
