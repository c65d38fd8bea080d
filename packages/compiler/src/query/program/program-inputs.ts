import { compile, type Json, type JsonObject } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { workflowsOf } from "../../bind/resolve.ts";
import { flowOf } from "../../flow/flow.ts";
import { rootsInput } from "../../flow/roots.ts";
import type { TypeFlow } from "../../flow/type-flow.ts";
import { learnedPayloads } from "../../samples/payloads.ts";
import { learnedResponses } from "../../samples/responses.ts";
import { exampleValue } from "./example-value.ts";

/** What a program can be tried on. */
export interface ProgramInput {
  /** Where it is from, for a menu. */
  readonly label: string;
  /** What the program takes; a response is the body alone (D20). */
  readonly input: Json;
  /** Whether the input is what an `!http` gives. */
  readonly isResponse: boolean;
  /** The values of expansions, by root: `piped_content` is a list. */
  readonly context: JsonObject;
}

/** Samples of one request or webhook that are offered. */
const SAMPLES = 5;
/** A step that goes on for longer is worth its type only. */
const budget = { steps: 100_000, milliseconds: 50 };

/**
 * What a program can be tried on: each sample of the nearest request or webhook before it, and values that are made up of types. The
 * steps in between are evaluated.
 */
export function programInputs(model: Model, program: JqProgram): readonly ProgramInput[] {
  const { command } = program;
  const source = sampledBefore(model, command);
  const own = source?.names.slice(0, SAMPLES) ?? [];
  const tries = [
    ...own.map((name, index) => ({ label: `Sample: ${name}`, at: index })),
    {
      label: source === undefined ? "Made up from types" : "Made up, and from samples of other requests",
      at: -1,
    },
  ];
  return tries.map(({ label, at }) => {
    const stand = new StandIn(model, source, at);
    return { label, ...stand.of(command) };
  });
}

interface Sampled {
  readonly command: Command | undefined;
  readonly names: readonly string[];
  readonly values: readonly Json[];
}

/** The last request before a command whose answers are known; else the webhook whose payload it is about. */
function sampledBefore(model: Model, command: Command): Sampled | undefined {
  const responses = learnedResponses(model);
  for (let at: Command | undefined = command; at?.pipe !== undefined; at = at.pipe) {
    for (let index = at.stepsRun - 1; index >= 0; index--) {
      const step = at.pipe.children[index];
      const learned = step === undefined ? undefined : responses.get(step);
      if (learned === undefined) continue;
      const { samples } = learned;
      return {
        command: step,
        names: samples.map(({ name }) => name),
        values: samples.map(({ body }) => body),
      };
    }
  }
  const intakes = workflowsOf(command.unit).flatMap(({ intake }) => intake?.target ?? []);
  const learned = intakes.flatMap((intake) => learnedPayloads(model).get(intake) ?? [])[0];
  if (learned === undefined) return undefined;
  const { samples } = learned;
  return {
    command: undefined,
    names: samples.map(({ name }) => name),
    values: samples.map(({ payload }) => payload),
  };
}

/** Values that stand in for those of a run. */
class StandIn {
  private readonly model: Model;
  private readonly flow: TypeFlow;
  private readonly source: Sampled | undefined;
  private readonly chosen: number;

  constructor(model: Model, source: Sampled | undefined, chosen: number) {
    this.model = model;
    this.flow = flowOf(model);
    this.source = source;
    this.chosen = chosen;
  }

  of(command: Command): Omit<ProgramInput, "label"> {
    const { pipe, stepsRun } = command;
    const before = pipe === undefined ? undefined : pipe.children[stepsRun - 1];
    return {
      input: this.input(command),
      isResponse: before !== undefined && this.givesResponse(before),
      context: this.context(command),
    };
  }

  private givesResponse({ key, pipe, stepsRun }: Command): boolean {
    if (key !== "!save" && key !== "!print_c") return key === "!http";
    const before = pipe?.children[stepsRun - 1];
    return before !== undefined && this.givesResponse(before);
  }

  private input(command: Command): Json {
    const { pipe, stepsRun } = command;
    if (pipe !== undefined) return this.piped(pipe, stepsRun);
    let outermost = command;
    while (outermost.parent !== undefined) outermost = outermost.parent;
    const { input } = outermost.place;
    if (input === "roots") return this.context(outermost);
    const payload = input === "payload" && this.source?.command === undefined ? this.sample() : undefined;
    return payload ?? exampleValue(this.flow.input(outermost));
  }

  /** The sample that was chosen, if one was. */
  private sample(): Json | undefined {
    return this.chosen < 0 ? undefined : this.source?.values[this.chosen];
  }

  /** What a pipe has at a number: its input, or what a step gives. */
  private piped(pipe: Command, index: number): Json {
    const step = index === 0 ? undefined : pipe.children[index - 1];
    return step === undefined ? this.input(pipe) : this.output(step);
  }

  private output(step: Command): Json {
    switch (step.key) {
      case "!http":
        return this.response(step);
      case "!save":
      case "!print_c":
        return this.input(step);
      case "!jq":
        return (step.program && this.evaluated(step.program)) ?? exampleValue(this.flow.output(step));
      default:
        return exampleValue(this.flow.output(step));
    }
  }

  private response(step: Command): Json {
    const chosen = this.source?.command === step ? this.sample() : undefined;
    const body = chosen ?? learnedResponses(this.model).get(step)?.samples[0]?.body;
    if (body === undefined) return exampleValue(this.flow.output(step));
    const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
    return isObject ? body : { body };
  }

  /** Undefined where the program fails on what stands in. */
  private evaluated(program: JqProgram): Json | undefined {
    const { filter } = compile(program.node.value, {
      holes: program.holes.map(({ syntax: { start, end } }) => ({ start, end })),
    });
    const context = this.context(program.command);
    const holes = program.holes.map((hole) => valueAt(context, hole) ?? null);
    try {
      return filter?.first(this.input(program.command), { bindings: { holes }, budget }) ?? null;
    } catch {
      return undefined;
    }
  }

  private context(command: Command): JsonObject {
    let outermost = command;
    while (outermost.parent !== undefined) outermost = outermost.parent;
    const roots = exampleValue(rootsInput(outermost, this.flow, () => true));
    const piped =
      command.pipe === undefined
        ? outermost === command && !command.place.roots.includes("piped_content")
          ? {}
          : { piped_content: [this.outermostInput(outermost)] }
        : { piped_content: this.all(command.pipe, command.stepsRun) };
    return { ...(roots as JsonObject), ...piped, subdomain: "example" };
  }

  private outermostInput(outermost: Command): Json {
    return outermost.place.input === "roots" ? {} : this.input(outermost);
  }

  private all(pipe: Command, stepsRun: number): Json[] {
    return Array.from({ length: stepsRun + 1 }, (_, index) => this.piped(pipe, index));
  }
}

/** What an expansion names in a context; undefined where it is missing and has no default. */
function valueAt(context: JsonObject, { syntax }: Expansion): Json | undefined {
  let value: Json | undefined = context;
  for (const { text } of syntax.path) {
    if (Array.isArray(value)) value = value[Number(text)];
    else if (typeof value === "object" && value !== null && Object.hasOwn(value, text))
      value = (value as JsonObject)[text];
    else return syntax.filters[0]?.argument?.text ?? (syntax.filters.length > 0 ? "" : undefined);
  }
  return value;
}
