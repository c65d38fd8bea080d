import { userInfo } from "node:os";
import { Listener, systemClock } from "@configc/host";
import { Ending } from "@configc/host/internal";
import { type Access, adminHandler, everybody, withToken } from "../admin/index.ts";
import { Runs } from "../runs/runs.ts";
import { postgresStore } from "../store/index.ts";
import { withDatabase } from "./answers/database.ts";
import { jsonLog, levelOf } from "./log.ts";
import { printLine } from "./output.ts";
import { type Arguments, type Environment, UsageError } from "./usage.ts";

/** Characters of a token: fewer can be tried out. */
const LEAST = 16;
const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/** Serves the pages and the API of operators until SIGTERM or SIGINT. */
export async function runAdmin(args: Arguments, environment: Environment): Promise<number> {
  const ending = new Ending();
  try {
    return await withDatabase(args, environment, async ({ database, configuration, vault, apps }) => {
      const { adminHost = "127.0.0.1", adminPort = 8081, savedRuns } = configuration;
      const access = accessOf(environment, adminHost);
      const log = jsonLog(levelOf(environment["LOG_LEVEL"]), printLine);
      const runs = await Runs.open(database.url, database);
      const store = await postgresStore({ url: database.url, connections: 4 });
      const context = { database, store, runs, vault, apps, savedRuns, now: () => systemClock.now() };
      const failed = (error: unknown): void =>
        log.write("error", "a request failed", { error: String(error) });
      const local = !access.asksForToken;
      const listener = new Listener({ answer: adminHandler({ context, access, local, failed }), failed });
      try {
        await listener.listen(adminPort, adminHost).catch((error: unknown) => {
          throw new UsageError(
            `${adminHost}:${adminPort} can't be listened at: ${(error as Error).message}. Set ADMIN_PORT.`,
          );
        });
        log.write("info", "ready", { port: listener.port, host: adminHost, token: access.asksForToken });
        return await ending.ended;
      } finally {
        await listener.close(2_000);
        await store.close();
        await runs.close();
        log.write("info", "ended");
      }
    });
  } finally {
    ending.close();
  }
}

/** @throws UsageError where others could reach it without a token */
function accessOf(environment: Environment, host: string): Access {
  const token = environment["ADMIN_TOKEN"];
  const name = environment["CONFIGC_OPERATOR"] ?? userInfo().username;
  if (token !== undefined && token !== "") {
    if (token.length < LEAST)
      throw new UsageError(`ADMIN_TOKEN needs at least ${LEAST} characters (\`openssl rand -base64 32\`).`);
    return withToken(token, name);
  }
  if (!LOOPBACK.has(host))
    throw new UsageError(
      `Whoever reaches ${host} could act here: set ADMIN_TOKEN (\`openssl rand -base64 32\`), or leave ADMIN_HOST at 127.0.0.1.`,
    );
  return everybody(name);
}
