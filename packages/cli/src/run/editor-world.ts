import { embeddedPlatform, nodeEffects, type RecordedExchange, record, replayHttp } from "@configc/host";
import type { RunWorld } from "@configc/language-server";
import { essential, urlMapper } from "../apptest/rewrite.ts";

/** What a run of the language server may do: as `configc run`, with the same guard on addresses. Nothing is written to a log. */
export const editorWorld: RunWorld = async ({
  app,
  settings: { resources },
  credentials,
  allowPrivateNetwork,
  baseUrl,
  subdomain,
  recorded,
}) => {
  const { effects, recording } = record({
    ...nodeEffects({ allowPrivateNetwork }),
    log: { write: () => undefined },
    platform: embeddedPlatform({ resources }),
    credentials,
    // Their shape is that of a test file, and what isn't so answers nothing.
    ...(recorded === undefined ? {} : { http: replayHttp(recorded as readonly RecordedExchange[]) }),
  });
  const toConfig = urlMapper(app, baseUrl, subdomain);
  return {
    effects,
    exchanges: (redact) => recording(redact).http.map((exchange) => essential(exchange, toConfig)),
  };
};
