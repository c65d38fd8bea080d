import { Listener } from "@configc/host";
import { loadPrometheus, type Prometheus } from "../telemetry/index.ts";
import { listen } from "./listen.ts";
import { UsageError } from "./usage.ts";

/** What was measured, at a port of its own: it is nothing for those who send webhooks. */
interface Metrics {
  readonly meter: Prometheus["meter"];
  readonly port: number;
  close(): Promise<void>;
}

/** @throws UsageError if the port is taken, or what it takes isn't installed */
export async function openMetrics(port: number, failed: (error: unknown) => void): Promise<Metrics> {
  const prometheus = await loadPrometheus().catch((error: unknown) => {
    throw new UsageError((error as Error).message);
  });
  const listener = new Listener({
    failed,
    answer(request, response, { pathname }) {
      if (pathname === "/metrics") return prometheus.answer(request, response);
      response.writeHead(404, { "content-type": "text/plain" }).end("GET /metrics\n");
    },
  });
  try {
    await listen(listener, port, "METRICS_PORT");
  } catch (error) {
    await prometheus.close();
    throw error;
  }
  return {
    meter: prometheus.meter,
    port: listener.port,
    async close() {
      await listener.close(0);
      await prometheus.close();
    },
  };
}
