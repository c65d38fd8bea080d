import { unobserved } from "@configc/host/internal";
import type { Meter } from "@opentelemetry/api";
import type { AnyMeter, Telemetry } from "./looking-on.ts";
import { telemetry } from "./telemetry.ts";

/** Without the API nobody looks on. */
const nobody: Telemetry = { ...unobserved, watch() {} };

/** Where every copy of OpenTelemetry's API of the major version 1 looks for the SDK that was registered. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/**
 * Telemetry by the process's `@opentelemetry/api`, to whatever SDK was registered before (E43). Without the API nobody looks on; without
 * an SDK that costs next to nothing.
 *
 * @param warn told why nothing will arrive although an SDK was registered
 * @param meters what measures besides that SDK, such as that of `loadPrometheus`
 * @returns what `observe` of a host takes; a package that can't be loaded is no error
 */
export async function loadTelemetry(
  warn: (message: string) => void = () => undefined,
  ...meters: readonly AnyMeter[]
): Promise<Telemetry> {
  const sdk = (globalThis as { [REGISTERED]?: { readonly version: string; readonly trace?: unknown } })[
    REGISTERED
  ];
  const api = await import("@opentelemetry/api").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
  });
  if (api === undefined) {
    if (sdk !== undefined)
      warn(
        "An OpenTelemetry SDK runs, but @opentelemetry/api can't be found, so it gets nothing. Install it beside @configc/engine-dbos.",
      );
    return nobody;
  }
  if (sdk?.trace !== undefined && api.trace.getTracerProvider() !== sdk.trace)
    warn(
      `An OpenTelemetry SDK runs with @opentelemetry/api ${sdk.version}, but @configc/engine-dbos found a newer copy, so the SDK gets nothing. Have one copy: \`npm ls @opentelemetry/api\` shows where they come from.`,
    );
  return telemetry(api, ...(meters as readonly Meter[]));
}
