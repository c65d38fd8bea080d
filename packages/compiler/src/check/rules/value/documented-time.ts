import { children, type Expression, type Node, type Stage } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isAsItCame, unitOf, unitsAround } from "../../../flow/counted.ts";
import { documentedDate } from "../../../flow/documented-dates.ts";
import { commentsNaming } from "../../../flow/documented-everywhere.ts";
import { type DocumentedSample, documentedSample, sampleOfUnit } from "../../../flow/documented-samples.ts";
import type { DocumentedUnit } from "../../../flow/documented-units.ts";
import { hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { partAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { definitionOf } from "../../../flow/protocol/dependence.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { RuleModule } from "../../checks.ts";
import { problemOf, type TimeProblem } from "./time-forms.ts";

const documentedTime = defineRule<{ text: string; sample: string; problem: TimeProblem }>({
  id: "value/documented-time",
  severity: "warning",
  summary: "A time is read in another form than a comment shows",
  why: "A comment shows how the service writes a time. Read as seconds, milliseconds are a day in the year 58,000. Read in another format, every record fails.",
  guards: ["D3", "D23"],
  message: ({ text, sample, problem }) => {
    const [what, but] = said[problem](text);
    // A comment that names the unit alone shows no time.
    const shown = isUnit(sample) ? `says that it is in ${sample}` : `shows \`${sample}\`, which ${what}`;
    return `A comment ${shown}${but === undefined ? "" : `, ${but}`}.`;
  },
  because: ({ sample, problem, text }) => [
    isUnit(sample) ? `a comment says ${sample}` : `a comment shows \`${sample}\``,
    says[problem](text),
  ],
  help: ({ problem }) => cures[problem],
  examples: [
    {
      title: "Milliseconds",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/data_pipeline/_comment": '"A form: {email, sent_at: 1740851990123}"' },
      bad: '{"!jq": "{email: .email, day: (.sent_at | «strftime(\\"%F\\")»)}"}',
      good: '{"!jq": "{email: .email, day: (.sent_at / 1000 | strftime(\\"%F\\"))}"}',
    },
    {
      title: "A time with an offset",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment": '"A form: {email, sent_at: \\"2025-03-03T18:00:00+01:00\\"}"',
      },
      bad: '{"!jq": "{email: .email, day: (.sent_at | «fromdate» | strftime(\\"%F\\"))}"}',
      good: '{"!jq": "{email: .email, day: .sent_at[:10]}"}',
    },
  ],
});

const isUnit = (sample: string): boolean => /^(?:(?:milli)?seconds|minutes|hours|days)$/.test(sample);

const ofUnit = (said: DocumentedUnit | undefined): DocumentedSample | undefined =>
  said === undefined ? undefined : sampleOfUnit(said);

/**
 * What is shown, and what it meets.
 *
 * @param text the function; empty beside another time, which is in seconds
 */
const said: Readonly<Record<TimeProblem, (text: string) => readonly [what: string, but?: string]>> = {
  milliseconds: (text) => ["is in milliseconds", `but ${takes(text)} seconds`],
  unit: (text) => ["isn't in seconds", `but ${takes(text)} seconds`],
  divided: (text) => ["is in seconds already", `so what \`${text}\` gets is a time in 1970`],
  text: (text) => ["is a text", `but ${takes(text)} ${text === "" ? "seconds" : "a number"}`],
  number: (text) => ["is a number", `but ${takes(text)} a text`],
  format: (text) => [`\`${text}\` can't read`],
};

const takes = (text: string): string => (text === "" ? "the time beside it is in" : `\`${text}\` takes`);

const says: Readonly<Record<TimeProblem, (text: string) => string>> = {
  milliseconds: () => "taken for seconds, it is tens of thousands of years away",
  unit: () => "taken for seconds, it is in January 1970",
  divided: () => "divided by 1,000, it is in January 1970",
  text: (text) => (text === "" ? "the other one is a number" : `\`${text}\` fails on a text`),
  number: (text) => `\`${text}\` fails on a number`,
  format: (text) => `\`${text}\` fails on it`,
};

const cures: Readonly<Record<TimeProblem, string>> = {
  milliseconds: "Divide by 1000 first.",
  unit: "Multiply it to seconds first.",
  divided: "Leave the division out.",
  text: "Read the text first, with `fromdate` or `strptime`.",
  number: "Use `todate` or `strftime` for a number.",
  format: "Read it in the format that the comment shows, or correct the comment.",
};

const module: RuleModule = {
  rules: [documentedTime],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!hasComments(model) || !timeFunctions.test(program.node.value)) return;
      if (program.diagnostics.length > 0) return;
      const intakes = intakesAround(program.command.unit);
      const units = unitsAround(program.command, model);
      const known = new Map<string, DocumentedSample | undefined>();
      const sampleOf = (name: string, node: Expression): DocumentedSample | undefined => {
        if (!known.has(name))
          known.set(
            name,
            documentedSample(name, program.node, intakes) ??
              ofUnit(units?.(name)) ??
              dayElsewhere(name, model),
          );
        const sample = known.get(name);
        return sample !== undefined && isAsItCame(trailsOf(flowOf(model), program, node))
          ? sample
          : undefined;
      };
      for (const { node, shown, problem, isValue } of new Reading(program, sampleOf).found) {
        const text = isValue ? "" : program.node.value.slice(node.start, node.end);
        report(
          documentedTime,
          partAt(program, node),
          { text, sample: shown.unit ?? shown.shown ?? `${shown.value}`, problem },
          [{ message: "the comment", at: shown.comment }],
        );
      }
    },
  },
};
export default module;

/** The day that comments of other workflows show of a member: `valid_to is a day, 2027-08-31`. */
function dayElsewhere(name: string, model: Model): DocumentedSample | undefined {
  const comments = commentsNaming(name, model);
  const day = comments.length === 0 ? undefined : documentedDate(name, comments);
  return day === undefined
    ? undefined
    : { value: day.sample, unit: undefined, shown: day.shown, comment: day.comment };
}

const timeFunctions = /\b(?:now|fromdate|fromdateiso8601|strptime|todate|todateiso8601|strftime|gmtime)\b/;

/** What a documented member has become on its way to a function. */
interface Known {
  readonly value: string | number;
  readonly shown: DocumentedSample;
}

interface Told {
  readonly node: Node;
  readonly shown: DocumentedSample;
  readonly problem: TimeProblem;
  /** Whether it is the value itself, beside one in seconds. */
  readonly isValue?: true;
}

/** So many calls of definitions are followed in a program. */
const DEFINITIONS = 100;

/** Follows what comments show through a program, as far as it is only converted. */
class Reading {
  readonly found: Told[] = [];
  private readonly bound = new Map<string, Known | undefined>();
  /** Definitions that are being read. */
  private readonly within = new Set<Expression>();
  private definitions = 0;

  private readonly program: JqProgram;
  private readonly sampleOf: (name: string, node: Expression) => DocumentedSample | undefined;

  constructor(
    program: JqProgram,
    sampleOf: (name: string, node: Expression) => DocumentedSample | undefined,
  ) {
    this.program = program;
    this.sampleOf = sampleOf;
    this.read(program.tree.body, undefined);
  }

  /** @returns what the node gives, where it is a documented value */
  private read(node: Stage, input: Known | undefined): Known | undefined {
    switch (node.kind) {
      case "Identity":
        return input;
      case "Group":
      case "Try":
        return this.read(node.body, input);
      case "Pipeline":
        return node.stages.reduce((known: Known | undefined, stage) => this.stage(stage, known), input);
      case "If": {
        const given = node.branches.map(({ condition, body }) => {
          this.read(condition, input);
          return this.read(body, input);
        });
        return [...given, node.otherwise && this.read(node.otherwise, input)].find(
          (each) => each !== undefined,
        );
      }
      case "Arithmetic":
        return this.reckoned(node, input);
      case "Comparison":
        return this.beside(node.left, node.right, input, node.operator !== "==" && node.operator !== "!=");
      case "Alternative":
        return node.operands.map((operand) => this.read(operand, input))[0];
      case "Hole":
        return this.member(node);
      case "Variable":
        return this.bound.has(node.name) ? this.bound.get(node.name) : this.member(node);
      case "Call":
        return this.call(node, input);
      case "Postfix":
        // `tonumber?`
        if (node.suffixes.every(({ kind }) => kind === "Optional")) return this.read(node.head, input);
        return this.member(node) ?? this.around(node, input);
      default:
        return this.around(node, input);
    }
  }

  private stage(stage: Stage, input: Known | undefined): Known | undefined {
    if (stage.kind !== "Binding") return this.read(stage, input);
    const given = this.read(stage.source, input);
    const [pattern, ...others] = stage.patterns;
    if (pattern?.kind === "VariablePattern" && others.length === 0) this.bound.set(pattern.name, given);
    return input;
  }

  private around(node: Node, input: Known | undefined): undefined {
    for (const child of children(node)) this.read(child as Stage, isReading(node) ? undefined : input);
    return undefined;
  }

  private member(node: Expression): Known | undefined {
    const name = nameRead(node, this.program);
    const shown = name === undefined ? undefined : this.sampleOf(name, node);
    return shown === undefined ? undefined : { value: shown.value, shown };
  }

  private reckoned(
    { first, rest }: Expression & { kind: "Arithmetic" },
    input: Known | undefined,
  ): Known | undefined {
    const [step, ...others] = rest;
    if (step?.operator === "-" && others.length === 0 && typeof constantOf(step.operand) !== "number")
      return this.beside(first, step.operand, input, true);
    let known = this.read(first, input);
    for (const { operator, operand } of rest) {
      const by = constantOf(operand);
      if (typeof by !== "number") this.read(operand, input);
      const value = known?.value;
      const isScaled = typeof value === "number" && typeof by === "number" && /^[*/]$/.test(operator);
      known = isScaled ? { ...known!, value: operator === "/" ? value / by : value * by } : undefined;
    }
    return known;
  }

  /** Of two times of which one is in seconds, the other must be too. */
  private beside(left: Expression, right: Expression, input: Known | undefined, isOrder: boolean): undefined {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const known = this.read(one, input);
      if (!isOrder || known === undefined || unitOf(other, this.program)?.unit !== "seconds") continue;
      const problem =
        typeof known.value === "string" ? "text" : known.value > 1e11 ? "milliseconds" : undefined;
      if (problem !== undefined) this.found.push({ node: one, shown: known.shown, problem, isValue: true });
    }
    return undefined;
  }

  /** What a definition does with a value is told where it is called. */
  private defined(body: Expression, call: Expression, input: Known): Known | undefined {
    this.definitions += 1;
    if (this.within.has(body) || this.definitions > DEFINITIONS) return undefined;
    const before = this.found.length;
    this.within.add(body);
    const given = this.read(body, input);
    this.within.delete(body);
    const inside = this.found.splice(before);
    this.found.push(...inside.map((told) => ({ ...told, node: call })));
    return given;
  }

  private call(node: Expression & { kind: "Call" }, input: Known | undefined): Known | undefined {
    const { text } = node.name;
    for (const argument of node.arguments) this.read(argument, text === "select" ? input : undefined);
    if (input === undefined) return undefined;
    const definition = definitionOf(this.program, node);
    if (definition !== undefined) return this.defined(definition.body, node, input);
    if (text === "select" || text === "floor" || text === "round") return input;
    if (text === "tonumber") return { ...input, value: Number(input.value) };
    const problem = problemOf(text, node.arguments[0], input.value, input.shown.value);
    if (problem !== undefined) this.found.push({ node, shown: input.shown, problem });
    return undefined;
  }
}

/** Whether what stands inside has another input. */
const isReading = ({ kind }: Node): boolean =>
  kind === "Reduce" ||
  kind === "Foreach" ||
  kind === "Definition" ||
  kind === "Postfix" ||
  kind === "Assignment";
