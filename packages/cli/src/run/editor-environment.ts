import { embeddedPlatform, nodeEffects, type RecordedExchange, record, replayHttp } from "@configc/host";
import { dryRunHttp } from "@configc/host/internal";
import type { RunWorld } from "@configc/language-server";
import type { Http } from "@configc/runtime";
import { essential, urlMapper } from "../apptest/rewrite.ts";

/** What a run of the language server may do: as `configc run`, with the same guard on addresses. Nothing is written to a log. */
export const editorEnvironment: RunWorld = async ({
  app,
  settings: { resources },
  credentials,
  allowPrivateNetwork,
  baseUrl,
  subdomain,
  recorded,
  dryRun,
}) => {
  const { effects, recording } = record({
    ...nodeEffects({ allowPrivateNetwork }),
    log: { write: () => undefined },
    platform: embeddedPlatform({ resources }),
    credentials,
    ...(recorded === undefined ? {} : { http: answersAgain(recorded) }),
    ...(dryRun ? { http: dryRunHttp(() => undefined) } : {}),
  });
  const toConfig = urlMapper(app, baseUrl, subdomain);
  return {
    effects,
    exchanges: (redact) => recording(redact).http.map((exchange) => essential(exchange, toConfig)),
  };
};

/**
 * The same request gets the same answer however often it is made: choices are looked up again and again. What isn't as a test
 * file has it answers nothing.
 */
function answersAgain(recorded: readonly unknown[]): Http {
  return { request: (asked) => replayHttp(recorded as readonly RecordedExchange[]).request(asked) };
}
