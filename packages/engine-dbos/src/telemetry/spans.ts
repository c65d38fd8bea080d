import { type Clock, createTracer, RunError, type Traced, type Tracer } from "@configc/runtime";
import type { Attributes, Context, Span, SpanKind, Tracer as SpanMaker } from "@opentelemetry/api";

/** OpenTelemetry's API as a value: it needn't be installed. */
export type Api = typeof import("@opentelemetry/api");

/** Where log lines belong, by the names that logs have for it. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

/** Told of each wait: for a rate limit, or before a request is made again. */
type OnWait = (reason: string, milliseconds: number) => void;

/**
 * Spans as a view of a run's trace events: one for each command, with its place in the config, and one for each request. Inputs, outputs,
 * headers and bodies stay out of telemetry.
 */
export class SpanTracer implements Tracer {
  readonly listening = true;
  /** Of the run; undefined if nobody traces it. */
  readonly ids: TraceIds | undefined;
  readonly #api: Api;
  readonly #spans: SpanMaker;
  readonly #root: Context;
  readonly #onWait: OnWait;
  readonly #recording: boolean;
  /** Keeps the secrets; it listens to nothing. */
  readonly #redactor: Tracer;
  /** What isn't over, by event. */
  readonly #open = new Map<number, { readonly span: Span; readonly context: Context }>();
  #last = 0;

  constructor(api: Api, spans: SpanMaker, run: Span, clock: Clock, onWait: OnWait) {
    this.#api = api;
    this.#spans = spans;
    this.#root = api.trace.setSpan(api.context.active(), run);
    const { traceId, spanId } = run.spanContext();
    this.ids = api.isSpanContextValid(run.spanContext()) ? { trace_id: traceId, span_id: spanId } : undefined;
    this.#recording = run.isRecording();
    this.#redactor = createTracer(clock);
    this.#onWait = onWait;
  }

  event(parent: number, node: string, ...[kind, data]: Traced): number {
    const id = ++this.#last;
    if (kind === "wait") this.#onWait(data.reason, data.milliseconds);
    if (!this.#recording) return id;
    switch (kind) {
      case "step":
        this.#begin(id, parent, data.key, this.#api.SpanKind.INTERNAL, { "configc.pointer": node });
        break;
      case "request":
        this.#begin(id, parent, data.method, this.#api.SpanKind.CLIENT, {
          "configc.pointer": node,
          "http.request.method": data.method,
          ...this.#addressed(this.redact(data.url)),
        });
        break;
      case "end": {
        const { error } = data;
        if (error !== undefined)
          this.#failed(
            parent,
            error instanceof RunError ? error.kind : "Error",
            error instanceof Error ? error.message : String(error),
          );
        this.#end(parent);
        break;
      }
      case "response": {
        const { status, failure, message = failure } = data;
        if (status !== undefined)
          this.#open.get(parent)?.span.setAttribute("http.response.status_code", status);
        if (failure !== undefined) this.#failed(parent, failure, message);
        else if (status !== undefined && status >= 400) this.#failed(parent, String(status));
        this.#end(parent);
        break;
      }
      case "wait":
        this.#open.get(parent)?.span.addEvent("wait", { ...data });
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

  #begin(id: number, parent: number, name: string, kind: SpanKind, attributes: Attributes): void {
    const around = this.#open.get(parent)?.context ?? this.#root;
    const span = this.#spans.startSpan(name, { kind, attributes }, around);
    this.#open.set(id, { span, context: this.#api.trace.setSpan(around, span) });
  }

  #end(id: number): void {
    this.#open.get(id)?.span.end();
    this.#open.delete(id);
  }

  /** @param message what its type doesn't say */
  #failed(id: number, type: string, message?: string): void {
    const span = this.#open.get(id)?.span;
    const code = this.#api.SpanStatusCode.ERROR;
    span?.setStatus(message === undefined ? { code } : { code, message: this.redact(message) });
    span?.setAttribute("error.type", type);
  }

  /** @param url without its secrets */
  #addressed(url: string): Attributes {
    if (!URL.canParse(url)) return { "url.full": url };
    const { hostname, port, protocol } = new URL(url);
    return {
      "url.full": url,
      // An address of IPv6 has brackets in URLs only.
      "server.address": hostname.replace(/^\[|\]$/g, ""),
      "server.port": Number(port) || (protocol === "http:" ? 80 : 443),
    };
  }
}

/** What failed, for a span: the runtime has taken the secrets out of it. */
export function failed(api: Api, span: Span, error: unknown): void {
  const { message, kind, pointer } =
    error instanceof RunError ? error : { message: String(error), kind: "Error", pointer: "" };
  span.setStatus({ code: api.SpanStatusCode.ERROR, message });
  span.setAttribute("error.type", kind);
  if (pointer !== "") span.setAttribute("configc.pointer", pointer);
}
