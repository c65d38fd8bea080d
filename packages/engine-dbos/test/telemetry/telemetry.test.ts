import { createHost } from "@configc/host";
import { metrics, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { Api } from "../../../../test/api/api.ts";
import { peopleApp } from "../../../../test/api/config.ts";
import { status } from "../../../../test/api/faults.ts";
import { connect } from "../../../../test/flows/service.ts";
import { jsonLog, observeLogged, reportJob } from "../../src/command/log.ts";
import { loadTelemetry } from "../../src/telemetry/index.ts";

const spanExporter = new InMemorySpanExporter();
const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({
  exporter: metricExporter,
  exportIntervalMillis: 3_600_000,
});

beforeAll(() => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] }),
  );
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
});
afterAll(() => {
  trace.disable();
  metrics.disable();
});

/** Sums and counts of what was measured, by name and the attributes that are looked at. */
async function measured(): Promise<Map<string, number>> {
  await reader.forceFlush();
  const found = new Map<string, number>();
  for (const { metrics: all } of metricExporter.getMetrics().at(-1)?.scopeMetrics ?? [])
    for (const { descriptor, dataPoints } of all)
      for (const { attributes, value } of dataPoints) {
        const { outcome, became, kind, job } = attributes;
        const key = [descriptor.name, job, outcome ?? became ?? kind]
          .filter((part) => part !== undefined)
          .join(" ");
        found.set(key, typeof value === "number" ? value : value.count);
      }
  return found;
}

function boundariesOf(name: string): readonly number[] {
  const all =
    metricExporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
  const value = all.find(({ descriptor }) => descriptor.name === name)?.dataPoints[0]?.value;
  return typeof value === "object" && "buckets" in value ? value.buckets.boundaries : [];
}

test("spans per run, command and request with places in the config; metrics of what became of them", async () => {
  const api = await Api.start({ people: 3 });
  onTestFinished(() => api.close());
  const app = peopleApp(api.origin, { rateLimit: { user: { read: { requests: 1, period: 3 } } } });
  const lines: Record<string, unknown>[] = [];
  const log = jsonLog("info", (text) => lines.push(JSON.parse(text)));
  const observe = observeLogged(await loadTelemetry((message) => expect.fail(message)));
  const host = await createHost({
    apps: { people: app },
    key: new Uint8Array(32),
    allowPrivateNetwork: true,
    schedule: { interval: 3_600 },
    report: (report) => reportJob(log, report),
    observe,
  });
  onTestFinished(() => host.close());
  const { access_token } = api.oauth.issue();
  await connect(host, { access_token });
  await host.store.transaction((transaction) =>
    transaction.put("installations", {
      id: "poll",
      app: "people",
      workflow: "import-people",
      status: "active",
      settings: { connection: "c1", accountId: "c-1", customData: {} },
      createdAt: 1,
      changedAt: 1,
    }),
  );
  // Answered 500 once, which is tried again; then the limit has to be waited for.
  api.fault("/people-by-cursor", status(500));
  await host.start();
  await host.idle();

  const spans = spanExporter.getFinishedSpans();
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const parentOf = (span: ReadableSpan): ReadableSpan | undefined =>
    byId.get(span.parentSpanContext?.spanId ?? "");
  const run = spans.find(({ name }) => name === "poll");
  expect(run?.attributes).toMatchObject({ "configc.app": "people", "configc.installation": "poll" });
  const requests = spans.filter(({ attributes }) => "url.full" in attributes);
  expect(requests.map(({ attributes }) => attributes["http.response.status_code"])).toEqual([500, 200]);
  const [request, again] = requests;
  const { hostname, port } = new URL(api.origin);
  const server = {
    "http.request.method": "GET",
    "server.address": hostname,
    "server.port": Number(port),
  };
  expect(request).toMatchObject({
    attributes: { ...server, "error.type": "500" },
    status: { code: SpanStatusCode.ERROR },
  });
  expect(again).toMatchObject({ attributes: server, status: { code: SpanStatusCode.UNSET } });
  expect(again?.attributes).not.toHaveProperty("error.type");
  const { traceId, spanId } = run!.spanContext();
  expect(lines).toContainEqual(
    expect.objectContaining({ message: "poll done", trace_id: traceId, span_id: spanId }),
  );
  const command = parentOf(request!);
  expect(command).toMatchObject({ name: "!http" });
  expect(command?.attributes["configc.pointer"]).toBe("/data_intake/0/request/!pipe/0");
  const pipe = parentOf(command!);
  expect(pipe?.attributes["configc.pointer"]).toBe("/data_intake/0/request");
  expect(parentOf(pipe!)).toBe(run);
  expect(spans.some(({ attributes }) => `${attributes["configc.pointer"]}`.includes("data_pipeline"))).toBe(
    true,
  );
  expect(
    JSON.stringify(spans.map(({ attributes, events, name }) => ({ attributes, events, name }))),
  ).not.toContain(access_token);

  const found = await measured();
  expect(found.get("configc.runs poll done")).toBe(1);
  expect(found.get("configc.items poll delivered")).toBe(3);
  expect(found.get("configc.retries")).toBe(1);
  expect(found.get("configc.limit.wait")).toBeGreaterThan(0);
  expect(found.get("configc.due")).toBe(1);

  expect(boundariesOf("configc.limit.wait")).toEqual(expect.arrayContaining([0.1, 1, 60, 3_600]));

  // What fails: the run's span says why and where.
  spanExporter.reset();
  api.fault("/people-by-cursor", status(400));
  await expect(
    observe.run({ app: "people", installation: "poll", job: "poll", version: "", late: 2_000 }, (trace) =>
      host.runtime("people")!.poll("poll", trace === undefined ? {} : { trace }),
    ),
  ).rejects.toThrow("400");
  const failed = spanExporter.getFinishedSpans().find(({ name }) => name === "poll");
  expect(failed?.status.code).toBe(SpanStatusCode.ERROR);
  expect(failed?.attributes).toMatchObject({
    "error.type": "HttpError",
    "configc.pointer": "/data_intake/0/request/!pipe/0",
  });
  const after = await measured();
  expect(after.get("configc.failures poll HttpError")).toBe(1);
  expect(after.get("configc.lag poll")).toBe(1);
});

test("an SDK of another copy of the API, which sees nothing, is told of", async () => {
  const registered = Symbol.for("opentelemetry.js.api.1");
  const copies = globalThis as unknown as Record<symbol, unknown>;
  const before = copies[registered];
  onTestFinished(() => {
    copies[registered] = before;
  });
  // What an older copy leaves there: ours takes nothing of it.
  copies[registered] = { version: "1.0.0", trace: {} };
  const warnings: string[] = [];
  await loadTelemetry((message) => warnings.push(message));
  expect(warnings).toEqual([expect.stringContaining("npm ls @opentelemetry/api")]);
});
