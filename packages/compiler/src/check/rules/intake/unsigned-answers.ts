import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { allIn } from "../workflow/commands.ts";

/** An answer that processes a delivery of which no hash was made, where others are checked. */
export interface UnsignedAnswer {
  readonly answer: Command;
  /** What chooses its case. */
  readonly chosenBy: Command;
}

/** What says that a route has another proof than a hash: a token, or what was saved. */
const proof = /\bdata\b|custom_data|secret|token|sign|hmac|digest|auth|passw|api_?-?key|<[A-Z_]+>/i;
const challenge = /\w*(?:challenge|crc|validation|verification|verify|handshake)[\w-]*/gi;

/**
 * The answers that anybody gets who writes the request so that their case is taken: only what is in the request chooses it, and no hash
 * is made on the way, although other answers stand behind one.
 */
export function unsignedAnswers(
  root: Command,
  intake: IntakeSymbol,
  model: Model,
): readonly UnsignedAnswer[] {
  const all = allIn(root) ?? [];
  if (!all.some(({ key }) => key === "!sha")) return [];
  const accepting = all.filter(processes);
  const routes = accepting.map((answer) => ({ answer, ...routeTo(answer, root) }));
  const isHashed = (route: readonly Command[]): boolean => route.some(({ key }) => key === "!sha");
  if (!routes.some(({ route }) => isHashed(route))) return [];
  return routes.flatMap(({ answer, route, chosenBy }) =>
    chosenBy === undefined || isHashed(route) || route.some((each) => mayProve(each, intake, model))
      ? []
      : [{ answer, chosenBy }],
  );
}

/** Whether an answer certainly hands the delivery on. */
export function processes({ key, argument }: Command): boolean {
  const given =
    key === "!respond" && argument?.kind === "object" ? argument.get("process_payload") : undefined;
  return given?.kind === "boolean" && given.value;
}

/** What runs before a command, all that may run there included, and the `!switch` that chooses it. */
function routeTo(answer: Command, root: Command) {
  const route: Command[] = [];
  let chosenBy: Command | undefined;
  for (let at = answer; at !== root && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.key === "!switch") {
      chosenBy ??= parent;
      route.push(parent);
    } else if (parent.key === "!pipe")
      for (const before of parent.children.slice(0, parent.children.indexOf(at)))
        route.push(...(before === undefined ? [] : (allIn(before) ?? [])));
  }
  return { route, chosenBy };
}

/** Whether a command may look at something that only the sender can know. */
function mayProve(command: Command, intake: IntakeSymbol, model: Model): boolean {
  const { key, program } = command;
  if (key === "!print_c" || key === "!pipe" || key === "!respond" || key === "!error") return false;
  if (program === undefined || program.diagnostics.length > 0) return true;
  if (proof.test(program.node.value.replaceAll(challenge, ""))) return true;
  return partOfUnit(intake, model).expansions.some(
    (expansion) => expansion.command === command && expansion.root !== "piped_content",
  );
}
