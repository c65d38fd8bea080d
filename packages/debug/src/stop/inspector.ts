import type { App } from "@configc/compiler";
import { type Json, printExact } from "@configc/runtime";
import { redactedValue } from "@configc/runtime/internal";
import { type EditTarget, withValueAt } from "../look/edit-target.ts";
import { evaluateExpression, type Surroundings } from "../look/expressions.ts";
import { type Frame, framesAt } from "../look/frames.ts";
import { exchangeOf, scopesOf, stepOf } from "../look/scopes.ts";
import { type NamedValue, readValue, type ShownValue, Values } from "../look/values.ts";
import { bodyOf, inputOf, variablesOf } from "../look/variables.ts";
import type { Edit } from "../run/edit.ts";
import type { Position } from "./position.ts";
import type { Timeline } from "./timeline.ts";

/** A line of the stack, for whoever shows it. */
export interface ShownFrame {
  readonly name: string;
  readonly pointer: string;
  readonly inProgram?: { readonly start: number; readonly end: number };
  /** UTF-16 offsets in the config, of an expansion. */
  readonly inConfig?: { readonly start: number; readonly end: number };
  /** Whether the run can begin anew there. */
  readonly restartable: boolean;
}

export interface ShownScope {
  readonly name: string;
  readonly reference: number;
  readonly expensive: boolean;
}

/** A value beside the place that it belongs to. */
export interface InlineValue {
  readonly pointer: string;
  /** UTF-16 offsets in the program of the command; undefined: the command itself. */
  readonly inProgram?: { readonly start: number; readonly end: number };
  readonly text: string;
}

/** Characters of a value in one line. */
const SUMMARY = 500;

/** What a person sees where a run stands. Nothing is made into text before somebody asks for it, and secrets never are. */
export class Inspector {
  private readonly app: App;
  private readonly timeline: Timeline;
  private readonly redact: (text: string, longest?: number) => string;
  private readonly values: Values;
  private frames: readonly Frame[] = [];
  private now: Position = { event: 0 };
  private masked = new WeakMap<object, Json>();

  constructor(app: App, timeline: Timeline, redact: (text: string, longest?: number) => string) {
    this.app = app;
    this.timeline = timeline;
    this.redact = redact;
    this.values = new Values(redact);
  }

  /** To be told where the run stands now: what was seen before is of no use any more. */
  moved(now: Position): void {
    this.now = now;
    this.frames = framesAt(this.app, this.timeline, now);
    this.values.forget();
    this.masked = new WeakMap();
  }

  stack(): readonly ShownFrame[] {
    return this.frames.map(({ name, pointer, inProgram, inConfig, event }) => ({
      name: this.redact(name),
      pointer,
      ...(inProgram === undefined ? {} : { inProgram }),
      ...(inConfig === undefined ? {} : { inConfig }),
      restartable: event.run !== undefined,
    }));
  }

  /** The event at which a frame began. */
  beginningOf(frame: number): Position | undefined {
    const event = this.frames[frame]?.event;
    const step = event === undefined ? undefined : stepOf(this.timeline, event);
    return step === undefined ? undefined : { event: step.id };
  }

  scopes(frame: number): readonly ShownScope[] {
    const at = this.frames[frame];
    if (at === undefined) return [];
    return scopesOf(this.timeline, at, this.now).map(({ name, expensive, named }) => ({
      name,
      expensive,
      reference: this.values.keep(named),
    }));
  }

  /** What is to be seen at a place, in one line: the value that comes to it, or what was sent or answered. */
  summary({ event: id, stage }: Position): string {
    const event = this.timeline.history.get(id);
    if (event === undefined) return "";
    const { kind, data } = event;
    if (data.error !== undefined)
      return `✗ ${this.redact(String((data.error as Error).message ?? data.error))}`;
    const stop = stage === undefined ? undefined : this.timeline.programs.stopAt(event, stage);
    if (stop?.failure !== undefined) return `✗ ${this.redact(stop.failure)}`;
    const value = stop === undefined ? inputOf(event) : stop.value;
    const arrow =
      kind === "end" || kind === "over" || (stop !== undefined && stop.stage === undefined) ? "→" : "←";
    return kind === "part" && data.input === undefined ? "" : `${arrow} ${this.values.whole(value, SUMMARY)}`;
  }

  /** All values of a frame as text, by scope. */
  everything(
    frame: number,
  ): readonly { readonly name: string; readonly values: readonly { name: string; text: string }[] }[] {
    const at = this.frames[frame];
    if (at === undefined) return [];
    return scopesOf(this.timeline, at, this.now).map(({ name, named }) => ({
      name,
      values: named().map((each) => ({ name: each.name, text: this.values.whole(each.value) })),
    }));
  }

  variables(reference: number, start?: number, count?: number): readonly ShownValue[] {
    return this.values.children(reference, start, count);
  }

  /**
   * Evaluates an expression in a frame. It reads masked values: so no part of a secret can be taken out of it.
   *
   * @param whole the value as text, exact, for the console and the clipboard
   * @throws ExpressionError
   */
  evaluate(text: string, frame: number, whole: boolean): ShownValue {
    const outputs = evaluateExpression(text, this.surroundings(frame));
    const [only = null] = outputs;
    const value = outputs.length === 1 ? only : [...outputs];
    const shown = this.values.shown({
      name: text,
      value,
      // What is in it can be watched too.
      expression: outputs.length === 1 && isPath(text) ? text : undefined,
    } as NamedValue);
    if (outputs.length === 0) return { ...shown, text: "no output", reference: 0 };
    return whole ? { ...shown, text: this.values.whole(value) } : shown;
  }

  /** What another value in the place of a shown one changes in the run. @throws Error where none can be put */
  editOf(reference: number, name: string, text: string): Edit {
    const child = this.values.child(reference, name);
    if (child?.target === undefined) throw new Error(`${name} can't be changed.`);
    return this.edit(child.target, readValue(text));
  }

  private edit({ kind, event: id, root, path }: EditTarget, value: Json): Edit {
    const event = this.timeline.history.get(id);
    if (event === undefined) throw new Error("The value to change is no longer kept.");
    if (kind === "root") {
      const whole =
        root === undefined
          ? null
          : ((root === "mapping" || root === "contact"
              ? event.run?.context[root]
              : this.timeline.roots.rootAt(event, root)) ?? null);
      return {
        kind,
        event: id,
        root: root as NonNullable<typeof root>,
        value: withValueAt(whole, path, value),
      };
    }
    if (kind === "answer") {
      const [member, ...rest] = path;
      const request = this.timeline.history.around(event);
      const { status = 200, body } = event.data;
      const changed = member === "body" ? withValueAt(bodyOf(body), rest, value) : undefined;
      const isText = typeof bodyOf(body) === "string" && typeof changed === "string";
      return {
        kind,
        event: id,
        exchange: request?.exchanges ?? 0,
        status: member === "status" ? Number(value) : status,
        body: changed === undefined ? (body ?? "") : isText ? changed : printExact(changed),
      };
    }
    const whole = (kind === "input" ? event.data.input : event.data.output) ?? null;
    return { kind, event: id, value: withValueAt(whole, path, value) };
  }

  /** Values to be shown in the text: what came to each stage that was passed, what the command takes. */
  inlineValues(frame: number): readonly InlineValue[] {
    const at = this.frames[frame];
    if (at === undefined) return [];
    const { event, ordinal } = at;
    const values: InlineValue[] = [];
    const short = (value: Json): string => this.values.shown({ name: "", value }).text;
    if (event.kind === "step" && event.data.input !== undefined)
      values.push({ pointer: event.node, text: `input: ${short(event.data.input)}` });
    if (ordinal !== undefined) {
      const seen = new Set<number>();
      for (let number = ordinal; number >= 0 && number > ordinal - 200; number--) {
        const stop = this.timeline.programs.stopAt(event, number);
        const { stage } = stop ?? {};
        if (stop === undefined || stage === undefined || seen.has(stage.index)) continue;
        seen.add(stage.index);
        values.push({
          pointer: event.node,
          inProgram: { start: stage.start, end: stage.end },
          text: `. = ${short(stop.value)}`,
        });
      }
    }
    return values;
  }

  private surroundings(frame: number): Surroundings {
    const at = this.frames[frame];
    if (at === undefined) throw new Error("The run stands nowhere.");
    const step = stepOf(this.timeline, at.event);
    const end = step === undefined ? undefined : this.timeline.endOf(step, this.now.event);
    const around = variablesOf(
      this.timeline.roots,
      at.event,
      at.stop,
      (value) => this.mask(value),
      end?.data.output,
    );
    const { request, response } = exchangeOf(this.timeline, step, this.now);
    const more: Record<string, () => Json> = {};
    if (request !== undefined)
      more["request"] = () =>
        this.mask({ ...request.data, body: bodyOf(request.data.body) } as unknown as Json);
    if (response !== undefined)
      more["answer"] = () =>
        this.mask({ ...response.data, body: bodyOf(response.data.body) } as unknown as Json);
    return {
      get input() {
        return around.input;
      },
      expand: around.expand,
      variables: { ...around.variables, ...more },
    };
  }

  /** A value without secrets, made once while the run stands. */
  private mask(value: Json): Json {
    if (typeof value !== "object" || value === null)
      return redactedValue(value, (text) => this.redact(text)) as Json;
    let known = this.masked.get(value);
    if (known === undefined) {
      known = redactedValue(value, (text) => this.redact(text)) as Json;
      this.masked.set(value, known);
    }
    return known;
  }
}

function isPath(text: string): boolean {
  return /^(?:\.|\$\w+)(?:\.?\w+|\[\d+\]|\["[^"\\]*"\])*$/.test(text);
}
