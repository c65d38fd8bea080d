import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern, memoize } from "@configc/jq/internal";
import type { Command, JqProgram } from "../bind/bound-nodes.ts";
import { textOf } from "../parse/syntax-tree.ts";
import { documentedNulls } from "./documented-nulls.ts";
import { commentsAround, intakesAround } from "./documented-words.ts";
import { bare, isExpression, isLength, textAt } from "./nodes.ts";
import { isPlural, singular } from "./nouns.ts";
import { stepBefore } from "./producers.ts";
import { wordsOf } from "./protocol/bound-names.ts";
import { definitionInStep, definitionOfInput } from "./protocol/definition-site.ts";
import { boundTo } from "./protocol/dependence.ts";
import { nameOfPath } from "./record-kind.ts";

/** Names may stand for names. */
const DEEPEST = 4;

/**
 * Whether a number is certainly none below 0: a length, a count or a number of places left by its name, the `total` of a list that was asked for, or what
 * `[…, 0] | max` gives.
 */
export function isNeverBelowNone(given: Expression, program: JqProgram, depth = 0): boolean {
  const node = bare(given);
  if (depth > DEEPEST) return false;
  const next = (each: Expression): boolean => isNeverBelowNone(each, program, depth + 1);
  if (isLength(node) || isCount(node)) return true;
  if (node.kind === "Variable") {
    const source = boundTo(program, node);
    return source !== undefined && next(source);
  }
  if (node.kind === "If") {
    const ways = [...node.branches.map(({ body }) => body), ...(node.otherwise ? [node.otherwise] : [])];
    return node.otherwise !== undefined && ways.every((way) => isSome(constantOf(way)) || next(way));
  }
  if (node.kind === "Alternative")
    return node.operands.every((each) => isSome(constantOf(each)) || next(each));
  // `(.errors | length) + (.warnings | length)`
  if (node.kind === "Arithmetic")
    return (
      node.rest.every(({ operator }) => operator === "+" || operator === "*") &&
      [node.first, ...node.rest.map(({ operand }) => operand)].every(
        (each) => isSome(constantOf(each)) || next(each),
      )
    );
  if (node.kind === "Pipeline") {
    const [first, ...others] = node.stages.filter(isExpression);
    // `.places_left | tonumber`
    if (first !== undefined && others.length === node.stages.length - 1 && others.every(isRounding))
      return next(first);
    return isGreatest(node.stages.filter(isExpression));
  }
  const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
  const made = hole === undefined ? definitionOfInput(node, program) : definitionInStep(hole);
  if (made !== undefined)
    return (
      isLength(made.node) || isChosenOrNone(made.node, made.program) || isPlacesLeft(made.node, made.program)
    );
  return isPlacesLeft(node, program) || isTotalOfList(node, program);
}

/** `${custom_data.fee.value | default} | if . == "" then 0 else tonumber * 100 end`: what a customer fills in, and 0 for none. */
function isChosenOrNone(given: Expression, program: JqProgram): boolean {
  const node = bare(given);
  const [first, decision, ...others] = node.kind === "Pipeline" ? node.stages : [];
  const hole = first?.kind === "Hole" ? program.holes[first.hole] : undefined;
  if (hole?.root !== "custom_data" || decision?.kind !== "If" || others.length > 0) return false;
  const [branch, ...more] = decision.branches;
  const asked = branch === undefined ? undefined : bare(branch.condition);
  const asksForNone =
    asked?.kind === "Comparison" && asked.operator === "==" && constantOf(asked.right) === "";
  if (branch === undefined || more.length > 0 || !asksForNone || constantOf(branch.body) !== 0) return false;
  return !/-/.test(textAt(decision, program));
}

const isSome = (value: unknown): boolean => typeof value === "number" && value >= 0;

/** `[$left - $booked, 0] | max / 60 | floor` */
function isGreatest(stages: readonly Expression[]): boolean {
  const at = stages.findIndex(isGreatestOf);
  const before = at > 0 ? bare(stages[at - 1]!) : undefined;
  const items = before?.kind === "Array" && before.body !== undefined ? bare(before.body) : undefined;
  const hasNone = items?.kind === "Comma" && items.items.some((each) => isSome(constantOf(each)));
  return hasNone && stages.slice(at + 1).every(isRounding);
}

/** `max`, or `max / 60`. */
function isGreatestOf(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Call") return node.name.text === "max" && node.arguments.length === 0;
  return (
    node.kind === "Arithmetic" &&
    isGreatestOf(node.first) &&
    node.rest.every(({ operator, operand }) => /^[*/+]$/.test(operator) && isSome(constantOf(operand)))
  );
}

const isRounding = (node: Expression): boolean =>
  node.kind === "Call" && /^(?:floor|round|ceil|tonumber)$/.test(node.name.text);

/** `.registrations_count` */
function isCount(node: Expression): boolean {
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  return (
    last?.kind === "Field" && last.key.kind === "Name" && /(?:^|_)count$|[a-z]Count$/.test(last.key.text)
  );
}

/** `.course.places_left`, where nothing says that it may be no number, or below 0. */
function isPlacesLeft(given: Expression, program: JqProgram): boolean {
  const name = nameOfMember(given, program);
  if (name === undefined || !isNameOfPlacesLeft(name)) return false;
  const { node, command } = program;
  const word = escapedPattern(name);
  // Null is below every number, so that a comparison with 0 may ask whether it is there.
  const asked = new RegExp(
    `\\b${word}["\`]?\\)?\\??\\s*(?:[=!]=\\s*null|\\|\\s*type\\b|//\\s*-)|has\\("${word}"|${word}[^|]{0,60}\\bnumbers\\b`,
  );
  if (asked.test(node.value)) return false;
  const intakes = intakesAround(command.unit);
  if (documentedNulls(node, intakes).has(name)) return false;
  if (commentsAround(node, intakes).some(({ value }) => mayBeOtherwise.test(value))) return false;
  // What a step reckons may be below 0.
  const made = new RegExp(`\\b${word}"?\\s*:|\\.${word}\\s*[|+*/-]?=(?!=)`);
  for (let at: Command | undefined = command; at !== undefined; at = stepBefore(at))
    if (at.program !== undefined && made.test(at.program.node.value)) return false;
  return true;
}

/** There may be no limit, or more may be taken than there are. */
const mayBeOtherwise =
  /\bunlimited\b|\bno limit\b|\bwithout (?:an? )?limit\b|\bover-?(?:book|sold|sell|full)/i;

/** The name of a member that is read as it is. */
function nameOfMember(given: Expression, program: JqProgram): string | undefined {
  const node = bare(given);
  if (node.kind === "Hole") {
    const hole = program.holes[node.hole];
    return hole?.root === "piped_content" && hole.syntax.filters.length === 0
      ? hole.syntax.path.at(-1)?.text
      : undefined;
  }
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  return last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
}

/** `places_left`, `freeSeats`, `number_of_open_spots`: how many there are of what each person takes one of, and nobody has taken yet. */
const isNameOfPlacesLeft: (name: string) => boolean = memoize((name) => {
  if (alone.has(name)) return true;
  const words = wordsOf(name).filter((word) => !counting.has(word));
  const [first, second, ...others] = words;
  if (first === undefined || second === undefined || others.length > 0) return false;
  return (isPlace(first) && left.has(second)) || (left.has(first) && isPlace(second));
}, 2_000);

/** Less than none may be left of stock, of money and of time. */
const places: ReadonlySet<string> = new Set(
  "place seat spot slot space bed berth pitch bay desk vacancy ticket".split(" "),
);
const left: ReadonlySet<string> = new Set(
  "left free remaining available open vacant unbooked untaken".split(" "),
);
/** Of money it would be said what is free. */
const alone: ReadonlySet<string> = new Set(["free", "vacant", "unbooked"]);
const counting: ReadonlySet<string> = new Set("number of count num nr no total still".split(" "));

/** One free place is a place, and several are a number. */
const isPlace = (word: string): boolean => singular(word) !== word && places.has(singular(word));

/** `.total` of what `/patrons/…/loans` answers; of payments it may be a sum. */
function isTotalOfList(node: Expression, { command, node: { value } }: JqProgram): boolean {
  const [suffix, ...others] = node.kind === "Postfix" && node.head.kind === "Identity" ? node.suffixes : [];
  if (suffix?.kind !== "Field" || suffix.key.kind !== "Name" || others.length > 0) return false;
  if (suffix.key.text !== "total") return false;
  // Behind a pipe the input is another one, but for what is named at the start.
  const behind = value.slice(0, node.start).replace(/\bas\s+\$\w+\s*\|/g, "");
  const step = behind.includes("|") ? undefined : stepBefore(command);
  if (step?.key !== "!http" || !/^(?:|get)$/i.test(textOf(step.argument, "method") ?? "")) return false;
  const name = nameOfPath((textOf(step.argument, "path") ?? "").split("?")[0]!);
  return name !== undefined && isPlural(name) && !ofMoney.test(name);
}

const ofMoney =
  /(?:payment|refund|transaction|fee|cost|due|charge|booking|entrie|credit|debit|balance|amount|price|tax|fine|invoice|expense|sale|earning|donation|pledge|gift)s?$|statement/i;
