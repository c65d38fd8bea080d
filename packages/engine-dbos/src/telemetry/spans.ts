import { type Clock, createTracer, RunError, type TraceKind, type Tracer } from "@configc/runtime";
import {
  type Context,
  context,
  type Span,
  SpanKind,
  type Tracer as SpanMaker,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

/** Told of each wait: for a rate limit, or before a request is made again. */
export type OnWait = (reason: string, milliseconds: number) => void;

/**
 * Spans as a view of a run's trace events: one for each command, with its place in the config, and one for each request. Inputs, outputs,
 * headers and bodies stay out of telemetry.
 */
export class SpanTracer implements Tracer {
  readonly listening = true;
  readonly #spans: SpanMaker;
  readonly #root: Context;
  readonly #onWait: OnWait;
  readonly #recording: boolean;
  /** Keeps the secrets; it listens to nothing. */
  readonly #redactor: Tracer;
  /** What isn't over, by event. */
  readonly #open = new Map<number, { readonly span: Span; readonly context: Context }>();
  #last = 0;

  constructor(spans: SpanMaker, run: Span, clock: Clock, onWait: OnWait) {
    this.#spans = spans;
    this.#root = trace.setSpan(context.active(), run);
    this.#recording = run.isRecording();
    this.#redactor = createTracer(clock);
    this.#onWait = onWait;
  }

  event(parent: number, node: string, kind: TraceKind, data: unknown): number {
    const id = ++this.#last;
    const { key, method, url, status, failure, error, reason, milliseconds } = data as Shown;
    if (kind === "wait") this.#onWait(String(reason), Number(milliseconds));
    if (!this.#recording) return id;
    switch (kind) {
      case "step":
        this.#begin(id, parent, String(key), SpanKind.INTERNAL, { "configc.pointer": node });
        break;
      case "request":
        this.#begin(id, parent, String(method), SpanKind.CLIENT, {
          "configc.pointer": node,
          "http.request.method": String(method),
          "url.full": this.redact(String(url)),
        });
        break;
      case "end":
        this.#end(
          parent,
          error === undefined
            ? undefined
            : this.redact(error instanceof Error ? error.message : String(error)),
        );
        break;
      case "response":
        if (status !== undefined)
          this.#open.get(parent)?.span.setAttribute("http.response.status_code", Number(status));
        this.#end(parent, failure === undefined ? undefined : this.redact(String(failure)));
        break;
      case "wait":
        this.#open
          .get(parent)
          ?.span.addEvent("wait", { reason: String(reason), milliseconds: Number(milliseconds) });
        break;
      default:
        break;
    }
    return id;
  }

  secret(text: string): void {
    this.#redactor.secret(text);
  }

  redact(text: string, longest?: number): string {
    return this.#redactor.redact(text, longest);
  }

  /** Ends what was cut off in the middle. */
  close(): void {
    for (const { span } of this.#open.values()) span.end();
    this.#open.clear();
  }

  #begin(id: number, parent: number, name: string, kind: SpanKind, attributes: Record<string, string>): void {
    const around = this.#open.get(parent)?.context ?? this.#root;
    const span = this.#spans.startSpan(name, { kind, attributes }, around);
    this.#open.set(id, { span, context: trace.setSpan(around, span) });
  }

  #end(id: number, failure: string | undefined): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    if (failure !== undefined) open.span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
    open.span.end();
    this.#open.delete(id);
  }
}

/** What is looked at of the data of any event; each kind has some of it. */
interface Shown {
  readonly key?: unknown;
  readonly method?: unknown;
  readonly url?: unknown;
  readonly status?: unknown;
  readonly failure?: unknown;
  readonly error?: unknown;
  readonly reason?: unknown;
  readonly milliseconds?: unknown;
}

/** What failed, for a span: the runtime has taken the secrets out of it. */
export function failed(span: Span, error: unknown): void {
  const { message, kind, pointer } =
    error instanceof RunError ? error : { message: String(error), kind: "Error", pointer: "" };
  span.setStatus({ code: SpanStatusCode.ERROR, message });
  span.setAttribute("error.type", kind);
  if (pointer !== "") span.setAttribute("configc.pointer", pointer);
}
