import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { usersOf } from "../../../bind/resolve.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare } from "../../../flow/nodes.ts";
import { resultsOf } from "../../../flow/result.ts";
import { toJson } from "../../../parse/syntax-tree.ts";
import { isMethod } from "./body-of-get.ts";
import { decisionOf } from "./decision.ts";
import { accepts } from "./reversed-check.ts";
import { isSaid } from "./said-of-intake.ts";

/** A test for a check of the URL, and the case that it leads to, where that is processed. */
interface ProcessedPing {
  readonly program: JqProgram;
  readonly condition: Expression;
  readonly own: Command;
  /** Whether nothing else is. */
  readonly swapped: boolean;
  /** Whether a header or a parameter that is there says it, which the answer gives back. */
  readonly isByHeader?: boolean;
}

export function processedPing(command: Command): ProcessedPing | undefined {
  const found = decisionOf(command);
  if (found === undefined) return undefined;
  const { program, conditions, cases } = found;
  for (const [index, condition] of conditions.entries()) {
    const own = onlyAnswer(cases[index]);
    const others = cases.slice(index + 1);
    if (own === undefined || !passes(own)) continue;
    const [isPing, isCheck] = [pingWord, checkWord].map((words) => asksForPing(condition, words));
    const isTest = asksForTest(condition, testName);
    const isTrial = asksForTest(condition, trialName);
    const asksGet = isMethod(condition, methodsOfCheck, program);
    const isByHeader = !asksGet && !isCheck && asksForHeader(condition) && echoesBelow(own);
    const isHandshake = asksGet || isByHeader;
    if (!isCheck && !isTest && !isTrial && !isHandshake) continue;
    if (!others.every((each) => each !== undefined)) return undefined;
    // Whoever answers with what came in answers a check.
    const isOneOfTwo = (isHandshake || isTrial) && others.some(accepts) && !others.some(echoesToo);
    if (echoesBelow(own) && (isCheck || isOneOfTwo))
      return { program, condition, own, swapped: false, isByHeader };
    const drops = others.every((each) => each.key === "!respond" && !accepts(each)) && others.some(isSuccess);
    if (drops && (isPing || isTest || (isTrial && others.some(echoesBelow))))
      return { program, condition, own, swapped: true };
  }
  return undefined;
}

/** By which no event comes. */
const methodsOfCheck = /^(?:GET|HEAD|OPTIONS)$/;

/** Whether an answer that processes what came gives something of it back: then that says nothing of a check. */
const echoesToo = (command: Command): boolean =>
  resultsOf(command).some((answer) => answer.key === "!respond" && passes(answer) && echoesBelow(answer));

/** `.headers["x-hook-secret"]`, also `!= null`: whether a header or a parameter is there. */
function asksForHeader(given: Expression): boolean {
  const node = bare(given);
  if (node.kind === "Comparison")
    return node.operator === "!=" && isNothing(constantOf(node.right)) && asksForHeader(node.left);
  if (node.kind === "Alternative")
    return isNothing(constantOf(node.operands[1]!)) && asksForHeader(node.operands[0]!);
  const [part, name, ...others] = node.kind === "Postfix" ? node.suffixes : [];
  return (
    node.kind === "Postfix" &&
    node.head.kind === "Identity" &&
    part?.kind === "Field" &&
    /^(?:headers|query|query_params)$/.test(nameOf(part.key as never) ?? "") &&
    (name?.kind === "Field" || name?.kind === "Index") &&
    others.every(({ kind }) => kind === "Optional")
  );
}

const isNothing = (constant: unknown): boolean => constant === null || constant === "";

/**
 * A ping with a case of its own that processes it, like the one for events, where no program of the pipeline knows that there are pings: who
 * tells them apart wants something else with them, and they carry no event.
 */
export function unreadPing(command: Command, intake: IntakeSymbol, model: Model): ProcessedPing | undefined {
  const found = decisionOf(command);
  for (const [index, condition] of found?.conditions.entries() ?? []) {
    const own = onlyAnswer(found?.cases[index]);
    const others = found?.cases.filter((each) => each !== found.cases[index]) ?? [];
    if (found === undefined || own === undefined || !passes(own)) continue;
    const word = wordAsked(condition);
    if (word === undefined || !others.every((each) => each !== undefined)) continue;
    if (!others.some(accepts) || isKnownToUsers(word, intake, model)) continue;
    // A test may carry a whole event, unless a comment says what is wanted with it. A case that does the very same as the one for events says it, too.
    const isSame =
      asksForPing(condition, quietWord) && others.some((each) => answersAlike(own, onlyAnswer(each)));
    if (!asksForPing(condition, pingWord) && !isSame && !isSaid(wantsAnswer, intake, model)) continue;
    return { program: found.program, condition, own, swapped: false };
  }
  return undefined;
}

/** `{"test": true}, which wants a plain 200` */
const wantsAnswer =
  /\btest\b[^.;]{0,40}\b(?:wants|expects|needs|is answered|is acknowledged|has no (?:data|event)|isn't (?:data|an event))\b/i;

/** Whether two answers that process what came are the same. */
function answersAlike({ argument }: Command, other: Command | undefined): boolean {
  if (argument === undefined || other?.argument === undefined || !passes(other)) return false;
  const [one, two] = [argument, other.argument].map((each) =>
    JSON.stringify(toJson(each), (name, value: unknown) => (name === "_comment" ? undefined : value)),
  );
  return one === two;
}

/** The word, or the flag, by which a condition asks for a ping. */
function wordAsked(given: Expression): string | undefined {
  const node = bare(given);
  if (node.kind === "Logical" && node.operator === "and")
    return node.operands.map(wordAsked).find((each) => each !== undefined);
  if (!asksForPing(node, quietWord) && !asksForTest(node, testName)) return undefined;
  const word = node.kind === "Comparison" ? (constantOf(node.right) ?? constantOf(node.left)) : undefined;
  return typeof word === "string" ? word : flagOf(node.kind === "Comparison" ? node.left : node);
}

/** Whether a program of a workflow that takes the deliveries has a word, so that it may leave pings out. */
function isKnownToUsers(word: string, intake: IntakeSymbol, { document: { text } }: Model): boolean {
  const own = new RegExp(`(?<![\\w-])${escapedPattern(word)}(?![\\w(-])`);
  return usersOf(intake).some(({ node }) => own.test(text.slice(node.start, node.end)));
}

/** The one answer that a case gives. */
function onlyAnswer(command: Command | undefined): Command | undefined {
  const [answer, ...others] = command === undefined ? [] : resultsOf(command);
  return answer?.key === "!respond" && others.length === 0 ? answer : undefined;
}

/** What nothing but a check of the URL is called. */
const pingWord =
  /^(?:(?:(?:web)?hook|endpoint|url|address|subscription|listener|callback|app|system)[._:/-])?(?:ping|challenge|handshake|(?:url|endpoint|address|webhook)[._-]?(?:check|verif\w+|validat\w+|ping|test))$/i;

/** What may be called so, where its case does the same as that for events. */
const quietWord = new RegExp(
  `${pingWord.source}|^(?:[a-z]{1,20}[._:/-]test|(?:[a-z]{1,20}[._:/-])?(?:keep[._-]?alive|heart[._-]?beat|no-?op|probe))$`,
  "i",
);

/** What else is, where it is answered with what came in. */
export const checkWord = new RegExp(`${pingWord.source}|^(?:check|test|verif\\w+|validat\\w+)$`, "i");

/** `.event == "ping"`, `.ping`. */
function asksForPing(given: Expression, words: RegExp): boolean {
  const node = bare(given);
  if (node.kind === "Logical" && node.operator === "and")
    return node.operands.some((operand) => asksForPing(operand, words));
  if (node.kind === "Comparison") {
    const word = constantOf(node.right) ?? constantOf(node.left);
    return node.operator === "==" && typeof word === "string" && words.test(word);
  }
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  return last?.kind === "Field" && last.key.kind === "Name" && words.test(last.key.text.replace(/^is_?/, ""));
}

const testName = /^(?:is_?)?test$/i;
/** A flag that may be of a customer, unless what isn't so is answered with something of itself. */
const trialName = /^(?:is_?)?(?:trial|probe)$/i;

/** `.body.test == true`: a flag, and no event that is called so. */
function asksForTest(given: Expression, names: RegExp): boolean {
  const node = bare(given);
  if (node.kind === "Comparison")
    return node.operator === "==" && constantOf(node.right) === true && asksForTest(node.left, names);
  return names.test(flagOf(node) ?? "");
}

/** `test` of `.body.test`. */
function flagOf(given: Expression): string | undefined {
  const node = bare(given);
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  return last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
}

/** Whether an answer has something in its body or its headers that isn't written there. */
export function echoesBelow({ argument }: Command): boolean {
  if (argument?.kind !== "object") return false;
  return [argument.get("body"), argument.get("headers")].some((part) => {
    if (part?.kind === "string") return part.value.includes("$");
    return (
      part?.kind === "object" &&
      part.members.some(({ value }) => value?.kind === "string" && value.value.includes("$"))
    );
  });
}

export function passes({ argument }: Command): boolean {
  const given = argument?.kind === "object" ? argument.get("process_payload") : undefined;
  return given?.kind === "boolean" && given.value === true;
}

export function isSuccess({ argument }: Command): boolean {
  const code = argument?.kind === "object" ? argument.get("code") : undefined;
  return code === undefined || (code.kind === "number" && code.value < 300);
}
