import { type Observe, systemClock } from "@configc/host";
import { isPutOff, RunError } from "@configc/runtime";
import { type Api, failed, SpanTracer } from "./spans.ts";

const NAME = "configc";

/** Seconds: an SDK's own buckets are for milliseconds. From a short wait to a day late. */
const SECONDS = {
  unit: "s",
  advice: {
    explicitBucketBoundaries: [
      0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400,
    ],
  },
};

/**
 * Telemetry by OpenTelemetry's API: whoever runs the host chooses an SDK and where it sends to; without one this costs next to nothing.
 *
 * Metrics: `configc.runs`, `configc.run.duration` (s), `configc.lag` (s), `configc.due`, `configc.items`, `configc.failures`,
 * `configc.retries`, `configc.limit.wait` (s). Their attributes are app, job, outcome and kind, never a customer's.
 *
 * @param api the copy that the SDK was registered with
 */
export function telemetry(api: Api): Observe {
  const { context, metrics, trace } = api;
  const spans = trace.getTracer(NAME);
  const meter = metrics.getMeter(NAME);
  const runs = meter.createCounter("configc.runs", { description: "Runs that are over, by outcome" });
  const duration = meter.createHistogram("configc.run.duration", {
    ...SECONDS,
    description: "How long runs take",
  });
  const lag = meter.createHistogram("configc.lag", { ...SECONDS, description: "How late a run begins" });
  const due = meter.createGauge("configc.due", { description: "Installations for which something is due" });
  const items = meter.createCounter("configc.items", {
    description: "Items of runs, by what became of them",
  });
  const failures = meter.createCounter("configc.failures", { description: "Failed runs, by kind" });
  const retries = meter.createCounter("configc.retries", { description: "Requests that are made again" });
  const waits = meter.createHistogram("configc.limit.wait", {
    ...SECONDS,
    description: "Waiting for rate limits",
  });
  return {
    due: (app, jobs) => due.record(jobs, { app }),
    async run({ app, installation, job, version, late }, work) {
      const whose = { app, job };
      const begun = performance.now();
      if (late !== undefined) lag.record(late / 1_000, whose);
      const span = spans.startSpan(job, {
        attributes: { "configc.app": app, "configc.installation": installation, "configc.version": version },
      });
      const tracer = new SpanTracer(api, spans, span, systemClock, (reason, milliseconds) => {
        if (reason === "rate limit") waits.record(milliseconds / 1_000, { app });
        else retries.add(1, { app });
      });
      let outcome = "done";
      try {
        // What others measure in a run, the database's driver for example, is below it.
        const result = await context.with(trace.setSpan(context.active(), span), () => work(tracer));
        const counts = result as Readonly<Record<string, unknown>>;
        for (const became of ["delivered", "skipped", "failed"]) {
          const count = counts[became];
          if (typeof count === "number" && count > 0) items.add(count, { ...whose, became });
        }
        return result;
      } catch (error) {
        const kind = error instanceof RunError ? error.kind : "Error";
        outcome = isPutOff(error) ? "put off" : kind === "Cancelled" ? "ended" : "failed";
        if (outcome === "failed") {
          failures.add(1, { ...whose, kind });
          failed(api, span, error);
        } else span.setAttribute("configc.outcome", outcome);
        throw error;
      } finally {
        tracer.close();
        span.end();
        runs.add(1, { ...whose, outcome });
        duration.record((performance.now() - begun) / 1_000, whose);
      }
    },
  };
}
