import {
  type BegunRun,
  type Clock,
  capture,
  createTracer,
  type Json,
  printExact,
  RunError,
  type Traced,
  type Tracer,
} from "@configc/runtime";
import { isPutOff } from "@configc/runtime/internal";
import type { Story, StoryCommand, StoryRequest } from "./story.ts";

/** Of a story: commands, and requests of one. Half of them are the first ones, half the last. */
const MOST_COMMANDS = 40;
const MOST_REQUESTS = 20;
/** UTF-16 units. */
const LONGEST_URL = 400;
const LONGEST_STATE = 2_000;
const LONGEST_FAILURE = 300;

type Noted<T> = { -readonly [K in keyof T]: T[K] };
interface NotedCommand extends Noted<Omit<StoryCommand, "requests">> {
  requests: Noted<StoryRequest>[];
}

/**
 * Looks on at one run and notes what its story is made of. It holds no body, and copies nothing until the story is wanted: a run that found nothing to
 * do costs some references.
 */
export class Teller implements Tracer {
  readonly listening = true;
  readonly #clock: Clock;
  readonly #outer: Tracer;
  readonly #begun: number;
  readonly #commands: NotedCommand[] = [];
  /** Requests that wait for their answer, by event. */
  readonly #open = new Map<number, Noted<StoryRequest>>();
  #left = 0;
  #current: NotedCommand | undefined;
  #waited: StoryRequest["waited"];
  #before: Json | undefined;
  #after: Json | undefined;
  #last = 0;

  /** @param outer is told everything too, and keeps the secrets */
  constructor(clock: Clock, outer: Tracer = createTracer(clock)) {
    this.#clock = clock;
    this.#outer = outer;
    this.#begun = clock.now();
  }

  event(parent: number, node: string, ...traced: Traced): number {
    const id = this.#outer.listening ? this.#outer.event(parent, node, ...traced) : ++this.#last;
    const command = this.#current;
    if (command === undefined) return id;
    const [kind, data] = traced;
    switch (kind) {
      case "request": {
        const { method, url } = data;
        const request: Noted<StoryRequest> = { method, url };
        if (this.#waited !== undefined) request.waited = this.#waited;
        this.#waited = undefined;
        this.#open.set(id, request);
        if (keepEnds(command.requests, request, MOST_REQUESTS)) command.left = (command.left ?? 0) + 1;
        break;
      }
      case "response": {
        const request = this.#open.get(parent);
        this.#open.delete(parent);
        if (request === undefined) break;
        const { status, failure, message, milliseconds, body } = data;
        if (status !== undefined) request.status = status;
        if (failure !== undefined) request.failure = message ?? failure;
        request.milliseconds = milliseconds;
        if (body !== undefined) request.length = body.length;
        break;
      }
      case "wait":
        this.#waited = { milliseconds: data.milliseconds, reason: data.reason };
        break;
      case "note": {
        const { saved, keys } = data;
        if (typeof saved === "string" && Array.isArray(keys) && (command.saved?.length ?? 0) < MOST_REQUESTS)
          command.saved = [...(command.saved ?? []), `${saved}: ${keys.join(", ").slice(0, LONGEST_URL)}`];
        break;
      }
      default:
        break;
    }
    return id;
  }

  secret(text: string): void {
    this.#outer.secret(text);
  }

  redact(text: string, longest?: number): string {
    return this.#outer.redact(text, longest);
  }

  /** Is around each command of the run. */
  async command({ node, given }: BegunRun, work: () => Promise<Json>): Promise<Json> {
    const { idempotencyKey: item, context } = given;
    const state = context.polling_state as Json | undefined;
    if (state !== undefined) this.#before ??= state;
    const command: NotedCommand = {
      node,
      ...(item === undefined ? {} : { item }),
      at: this.#clock.now(),
      milliseconds: 0,
      requests: [],
    };
    const around = this.#current;
    this.#current = command;
    try {
      const output = await work();
      if (state !== undefined) this.#after = stateIn(output) ?? this.#after;
      return output;
    } catch (error) {
      const { kind } = error instanceof RunError ? error : { kind: "Error" };
      command.failure = `${kind}: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    } finally {
      command.milliseconds = this.#clock.now() - command.at;
      this.#current = around;
      const quiet =
        command.requests.length === 0 && command.failure === undefined && command.saved === undefined;
      if (!quiet && keepEnds(this.#commands, command, MOST_COMMANDS)) this.#left++;
    }
  }

  /** @param error what the run ended with; undefined: it came to its end */
  story(worker: string, error?: unknown): Story {
    const text = (whole: string, longest: number): string => {
      const safe = this.redact(whole);
      return safe.length > longest ? `${safe.slice(0, longest)}…` : safe;
    };
    const stateText = (state: Json): string =>
      text(printExact(capture(state, (one) => this.redact(one)).value as Json), LONGEST_STATE);
    const [before, after] = [this.#before, this.#after].map((state) =>
      state === undefined ? undefined : stateText(state),
    );
    return {
      worker,
      begun: this.#begun,
      ended: this.#clock.now(),
      outcome: outcomeOf(error),
      commands: this.#commands.map(({ requests, failure, saved, ...command }) => ({
        ...command,
        requests: requests.map(({ url, failure: why, ...request }) => ({
          ...request,
          url: text(url, LONGEST_URL),
          ...(why === undefined ? {} : { failure: text(why, LONGEST_FAILURE) }),
        })),
        ...(saved === undefined ? {} : { saved: saved.map((one) => this.redact(one)) }),
        ...(failure === undefined ? {} : { failure: text(failure, LONGEST_FAILURE) }),
      })),
      ...(this.#left === 0 ? {} : { left: this.#left }),
      ...(before === undefined
        ? {}
        : { state: { before, ...(after === undefined || after === before ? {} : { after }) } }),
    };
  }
}

/** Adds to a list of which the first half and the newest are kept. @returns whether one had to go */
function keepEnds<T>(list: T[], one: T, most: number): boolean {
  list.push(one);
  if (list.length <= most) return false;
  list.splice(most / 2, 1);
  return true;
}

function stateIn(output: Json): Json | undefined {
  if (typeof output !== "object" || output === null || Array.isArray(output)) return undefined;
  return Object.hasOwn(output, "polling_state")
    ? (output as Readonly<Record<string, Json>>)["polling_state"]
    : undefined;
}

function outcomeOf(error: unknown): Story["outcome"] {
  if (error === undefined) return "done";
  if (isPutOff(error)) return "put off";
  return error instanceof RunError && error.kind === "Cancelled" ? "ended" : "failed";
}
