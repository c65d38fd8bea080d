import fc from "fast-check";
import {
  check,
  evaluate,
  includes,
  infer,
  type JqDiagnostic,
  JqError,
  type Json,
  nodesAt,
  type Program,
  printType,
  type Span,
} from "../../src/index.ts";
import { failureCodes } from "../../src/types/findings.ts";
import { typedRuns } from "../support/generate-typed.ts";

const budget = { steps: 500, size: 100_000 };

interface Run {
  readonly outputs: readonly Json[];
  /** Undefined for a run that came to its end. */
  readonly failure?: JqError;
}

function run(program: string, input: Json): Run {
  try {
    return { outputs: evaluate(program, input, { budget, clock: () => 0, timeZone: "UTC" }) };
  } catch (error) {
    if (!(error instanceof JqError)) throw error;
    return { outputs: error.outputsSoFar, failure: error };
  }
}

function printed(value: Json): string {
  try {
    return String(evaluate("tojson", value, { budget: { size: 10_000 } })[0]);
  } catch (error) {
    return `that can't be printed: ${String(error)}`;
  }
}

const stepCodes: ReadonlySet<string> = new Set([
  "cannot-index",
  "cannot-slice",
  "cannot-iterate",
  "missing-member",
]);

/** The expression that a finding is about: it is evaluated whenever what the finding points at is. */
function subject(program: Program, { code, start, end }: JqDiagnostic): Span | undefined {
  for (const node of nodesAt(program, start).toReversed()) {
    const isHere = node.start === start && node.end === end;
    if (node.kind === "Entry" && node.value === undefined) return undefined;
    if (
      stepCodes.has(code) &&
      node.kind === "Postfix" &&
      node.suffixes.some((suffix) => suffix.start === start && suffix.end === end)
    ) {
      return { start: node.start, end };
    }
    if (code === "operand-types" && node.kind === "Arithmetic" && node.start === start) return { start, end };
    if (code === "input-type" && node.kind === "Call" && node.name.start === start) return node;
    if (code === "argument-type" && node.kind === "Call") {
      if (node.arguments.some((argument) => argument.start === start && argument.end === end)) return node;
    }
    if (code === "key-type" && node.kind === "Object") return node;
    if (
      isHere &&
      (code === "cannot-negate" ||
        code === "never-equal" ||
        code === "no-such-value" ||
        code === "always-ordered" ||
        (code === "input-type" && node.kind === "Format"))
    )
      return node;
  }
  return undefined;
}

/** Ends a run for good, which no `try` catches: nothing of a program without its surroundings may halt. */
const alarm = "halt";

/** The program, giving alarm where an evaluation contradicts the finding. */
function withAlarm(text: string, { start, end }: Span, finding: JqDiagnostic): string {
  const constant = constantOf(finding);
  const test = failureCodes.has(finding.code) ? alarm : `if . == ${constant} then . else ${alarm} end`;
  const part = text.slice(start, end);
  // A choice of `IN` is evaluated with what it is compared with, which it never equals.
  const isChoice = finding.code === "no-such-value" && /^"[^"\\]*"$/.test(part);
  const watched = isChoice ? `if . == ${part} then ${alarm} else ${part} end` : `${part} | ${test}`;
  return `${text.slice(0, start)}(${watched})${text.slice(end)}`;
}

/** What an expression always gives, by a finding that says so. */
function constantOf({ code, args }: JqDiagnostic): string {
  if (code === "never-equal" || code === "no-such-value") return String(args.operator === "!=");
  return code === "always-ordered" ? String(args.result) : "null";
}

const expectedCounts: Readonly<Record<string, (count: number) => boolean>> = {
  none: (count) => count === 0,
  one: (count) => count === 1,
  maybe: (count) => count <= 1,
};

/** How often what is checked was reached: it must not be vacuous. */
export interface Reached {
  outputs: number;
  counted: number;
  fails: number;
  findings: number;
  alarms: number;
}

/**
 * That what is inferred for programs holds for what they do: every output is of the inferred type, there are as many as
 * was said, and what is said to fail certainly does.
 *
 * @param reached is counted up
 */
export function soundness(reached: Reached) {
  return fc.property(typedRuns, ({ program: text, type, inputs }) => {
    const { program, diagnostics } = check(text);
    fc.pre(diagnostics.length === 0);
    const inferred = infer(program, type);
    const alarmed = inferred.diagnostics.flatMap((finding) => {
      const span = subject(program, finding);
      return span === undefined ? [] : [{ finding, text: withAlarm(text, span, finding) }];
    });
    reached.findings += inferred.diagnostics.length;
    for (const input of inputs) {
      const { outputs, failure } = run(text, input);
      const shown = `${text}\n  input ${JSON.stringify(input)} of ${printType(type)}\n  inferred ${printType(inferred.type)}, ${inferred.cardinality}`;
      for (const output of outputs) {
        reached.outputs++;
        // A small value can have a text that nobody can write (`[., .]` again and again): only a failure prints it.
        if (!includes(inferred.type, output)) fail(`${shown}\n  output ${printed(output)}`);
      }
      const isExpected = expectedCounts[inferred.cardinality];
      if (failure === undefined && isExpected !== undefined) {
        reached.counted++;
        if (!isExpected(outputs.length)) fail(`${shown}\n  ${outputs.length} outputs`);
      }
      if (inferred.fails) {
        reached.fails++;
        if (failure === undefined) fail(`${shown}, which fails`);
      }
      for (const { finding, text: changed } of alarmed) {
        reached.alarms++;
        const message = `${shown}\n  finding ${finding.code} at ${text.slice(finding.start, finding.end)}: ${changed}`;
        if (run(changed, input).failure?.kind === "option") fail(message);
      }
    }
  });
}

function fail(message: string): never {
  throw new Error(message);
}
