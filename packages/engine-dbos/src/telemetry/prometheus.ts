import type { IncomingMessage, ServerResponse } from "node:http";
import type { IMetricReader } from "@opentelemetry/sdk-metrics";
import type { AnyMeter } from "./looking-on.ts";

/** What was measured, for whoever asks for it in Prometheus' format. */
export interface Prometheus {
  readonly meter: AnyMeter;
  /** Answers with all that was measured since the start. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/** What we use of the exporter: whoever doesn't install it has no types of it either. */
interface Exporters {
  readonly PrometheusExporter: new (options: {
    readonly preventServerStart: boolean;
    readonly withoutScopeInfo: boolean;
    readonly withoutTargetInfo: boolean;
  }) => IMetricReader & {
    getMetricsRequestHandler(request: IncomingMessage, response: ServerResponse): void;
  };
}

const EXPORTER: string = "@opentelemetry/exporter-prometheus";

/** What has to be installed beside us for it. */
const PACKAGES = ["@opentelemetry/api", EXPORTER, "@opentelemetry/sdk-metrics"];

/**
 * OpenTelemetry's exporter for Prometheus on a provider of its own: whatever SDK the process has goes on sending to its own place.
 *
 * @throws Error that says what to install, if it can't be found
 */
export async function loadPrometheus(): Promise<Prometheus> {
  const [exporters, sdk] = await Promise.all([
    import(EXPORTER) as Promise<Exporters>,
    import("@opentelemetry/sdk-metrics"),
  ]).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(
      `Metrics for Prometheus need packages that aren't there: npm install ${PACKAGES.join(" ")}`,
    );
  });
  // Names of the scope and the resource would be further labels of each series, the same for all.
  const exporter = new exporters.PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const provider = new sdk.MeterProvider({ readers: [exporter] });
  return {
    meter: provider.getMeter("configc"),
    answer: (request, response) => exporter.getMetricsRequestHandler(request, response),
    close: () => provider.shutdown(),
  };
}
