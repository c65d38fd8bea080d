import { systemClock } from "@configc/host";
import { RunError, type RunErrorKind } from "@configc/runtime";
import { isPutOff } from "@configc/runtime/internal";
import type { Meter } from "@opentelemetry/api";
import { tellLevels } from "./fleet-levels.ts";
import { Instruments, type Level } from "./instruments.ts";
import type { Telemetry } from "./looking-on.ts";
import { type Api, failed, SpanTracer } from "./spans.ts";

const NAME = "configc";

/** As what runs fail. */
const KINDS: readonly RunErrorKind[] = [
  "HttpError",
  "NetworkError",
  "AuthError",
  "JqError",
  "DataError",
  "LimitError",
  "MemoryError",
  "PlatformError",
  "StoreError",
  "NotFound",
];

/**
 * Telemetry by OpenTelemetry's API: whoever runs the host chooses an SDK and where it sends to; without one this costs next to nothing.
 *
 * Metrics: `configc.runs`, `configc.run.duration` (s), `configc.lag` (s), `configc.due`, `configc.items`, `configc.cycles`, `configc.webhooks`, `configc.failures`,
 * `configc.retries`, `configc.limit.wait` (s), and what `tellLevels` has. Their attributes are app, job, outcome and kind, never a customer's: there
 * are no more series with more customers.
 *
 * @param api the copy that the SDK was registered with
 * @param meters what measures besides that SDK
 */
export function telemetry(api: Api, ...meters: readonly Meter[]): Telemetry {
  const { context, metrics, trace } = api;
  const spans = trace.getTracer(NAME);
  const instruments = new Instruments([metrics.getMeter(NAME), ...meters]);
  const runs = instruments.counter("configc.runs", "Runs that are over, by outcome");
  const duration = instruments.histogram("configc.run.duration", "How long runs take");
  const lag = instruments.histogram("configc.lag", "How late a run begins");
  const items = instruments.counter("configc.items", "Items of runs, by what became of them");
  const cycles = instruments.counter(
    "configc.cycles",
    "Polling cycles that came to their end, by why they did",
  );
  const webhooks = instruments.counter("configc.webhooks", "Requests to webhooks, by what became of them");
  const failures = instruments.counter("configc.failures", "Failed runs, by kind");
  const retries = instruments.counter("configc.retries", "Requests that are made again");
  const waits = instruments.histogram("configc.limit.wait", "Waiting for rate limits");
  const found = new Map<string, number>();
  const met = new Set<string>();
  /** A series that begins with its first failure hasn't grown: what an alert asks for by its growth is there before, at 0. */
  const meet = (app: string): void => {
    if (met.has(app)) return;
    met.add(app);
    for (const job of ["poll", "deliver"]) for (const kind of KINDS) failures(0, { app, job, kind });
  };
  /** Of a fleet, whichever worker looked last; a host of one process has looked itself. */
  let due = async (): Promise<readonly Level[]> =>
    [...found].map(([app, value]) => ({ value, attributes: { app } }));
  instruments.level("configc.due", "Jobs that were due at the last look", () => due());
  return {
    watch(fleet, apps = []) {
      for (const app of apps) meet(app);
      due = tellLevels(instruments, () => fleet.level());
    },
    due: (app, jobs) => void found.set(app, jobs),
    received: (app, outcome) => webhooks(1, { app, outcome }),
    async run({ app, installation, job, version, late }, work) {
      const whose = { app, job };
      meet(app);
      const begun = performance.now();
      if (late !== undefined) lag(late / 1_000, whose);
      const span = spans.startSpan(job, {
        attributes: { "configc.app": app, "configc.installation": installation, "configc.version": version },
      });
      const tracer = new SpanTracer(api, spans, span, systemClock, (reason, milliseconds) => {
        if (reason === "rate limit") waits(milliseconds / 1_000, { app });
        else retries(1, { app });
      });
      let outcome = "done";
      try {
        // What others measure in a run, the database's driver for example, is below it.
        const result = await context.with(trace.setSpan(context.active(), span), () => work(tracer));
        const counts = result as Readonly<Record<string, unknown>>;
        for (const became of ["delivered", "skipped", "failed"]) {
          const count = counts[became];
          if (typeof count === "number" && count > 0) items(count, { ...whose, became });
        }
        if (typeof counts["reason"] === "string") cycles(1, { app, outcome: counts["reason"] });
        return result;
      } catch (error) {
        const kind = error instanceof RunError ? error.kind : "Error";
        outcome = isPutOff(error) ? "put off" : kind === "Cancelled" ? "ended" : "failed";
        if (outcome === "failed") {
          failures(1, { ...whose, kind });
          failed(api, span, error);
        } else span.setAttribute("configc.outcome", outcome);
        throw error;
      } finally {
        tracer.close();
        span.end();
        runs(1, { ...whose, outcome });
        duration((performance.now() - begun) / 1_000, whose);
      }
    },
  };
}
