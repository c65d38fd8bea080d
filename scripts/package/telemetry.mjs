// Telemetry from what is published: installed by npm beside an SDK, as whoever runs a host would have it.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { node, npm, root } from "./run.mjs";

const { devDependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const sdks = ["@opentelemetry/sdk-trace-base", "@opentelemetry/sdk-metrics"];

/** Observes one run with one request. */
const observed = `
  const warnings = [];
  const observe = await loadTelemetry((message) => warnings.push(message));
  const run = { app: "people", installation: "i1", job: "poll", version: "1", late: 1_500 };
  let traced = false;
  const result = await observe.run(run, async (trace) => {
    traced = trace !== undefined;
    if (traced) {
      const request = trace.event(0, "/request", "request", { method: "GET", url: "https://api.example/people" });
      trace.event(request, "/request", "response", { status: 200, milliseconds: 1 });
    }
    return { delivered: 2 };
  });
  assert.deepEqual(result, { delivered: 2 });
  assert.deepEqual(warnings, []);
`;

const withoutSdk = `
  import assert from "node:assert/strict";
  import { loadTelemetry } from "@configc/engine-dbos/telemetry";
  ${observed}
  assert.equal(traced, false);
  await assert.rejects(import("@opentelemetry/api"), { code: "ERR_MODULE_NOT_FOUND" });
`;

const withSdk = `
  import assert from "node:assert/strict";
  import { loadTelemetry } from "@configc/engine-dbos/telemetry";
  import { metrics, trace } from "@opentelemetry/api";
  import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
  import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  ${observed}
  assert.equal(traced, true);
  await reader.forceFlush();
  assert.deepEqual(spans.getFinishedSpans().map(({ name }) => name), ["GET", "poll"]);
  const names = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics.map(({ descriptor }) => descriptor.name)));
  for (const name of ["configc.runs", "configc.items", "configc.lag", "configc.run.duration"]) assert.ok(names.includes(name), name);
  await reader.shutdown();
`;

/**
 * A run is observed without OpenTelemetry, and with the SDK that the tests use, which brings the one copy of the API.
 *
 * @param {{ name: string, tarball: string }[]} packed
 * @param {string} folder a folder with the packages and without OpenTelemetry
 * @param {string} empty
 * @returns {string} what was shown
 */
export function useTelemetry(packed, folder, empty) {
  writeFileSync(join(folder, "without-sdk.mjs"), withoutSdk);
  node(["without-sdk.mjs"], { cwd: folder });
  const needed = packed.filter(({ name }) => name !== "@configc/language-server");
  writeFileSync(join(empty, "package.json"), '{ "private": true, "type": "module" }');
  npm(
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--prefer-offline",
      ...needed.map(({ tarball }) => tarball),
      ...sdks.map((name) => `${name}@${devDependencies[name]}`),
    ],
    { cwd: empty },
  );
  writeFileSync(join(empty, "with-sdk.mjs"), withSdk);
  node(["with-sdk.mjs"], { cwd: empty });
  return `spans and metrics arrive at ${sdks.join(" and ")} ${devDependencies[sdks[0]]}; without OpenTelemetry runs go on`;
}
