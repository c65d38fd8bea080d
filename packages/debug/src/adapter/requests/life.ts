import type { DebugProtocol } from "@vscode/debugprotocol";
import { capabilities } from "../capabilities.ts";
import { type ClientSession, type Configuration, THREAD } from "../client-session.ts";
import type { Handlers } from "./handlers.ts";

/** The beginning and the end of a session. */
export function lifeRequests(session: ClientSession): Handlers {
  return {
    initialize: (bases: Partial<DebugProtocol.InitializeRequestArguments>) => {
      session.positions.use(bases);
      return capabilities;
    },
    launch: (configuration: Configuration) => session.launch(configuration, false),
    attach: (configuration: Configuration) => session.launch(configuration, true),
    configurationDone: () => {
      session.isConfigured = true;
    },
    threads: () => ({ threads: [{ id: THREAD, name: session.title }] }),
    restart: () => session.restart(),
    cancel: () => ({}),
    terminate: async () => {
      await session.run?.end();
      session.event("terminated");
    },
    disconnect: () => session.run?.end(),
  };
}
