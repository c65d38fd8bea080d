import type { Feature } from "../feature.ts";
import { refusal } from "../run/environment.ts";
import {
  PROPOSE_CONFIG,
  type ProposeConfigParams,
  WRITE_CONFIG,
  type WriteConfigParams,
} from "./protocol.ts";

/** `configc/proposeConfig`, `configc/writeConfig`: from what describes an API to a config. */
export const scaffold: Feature = {
  capabilities: {},
  register({ connection, options: { scaffolder } }) {
    const told = async <T>(work: (by: NonNullable<typeof scaffolder>) => Promise<T>): Promise<T> => {
      if (scaffolder === undefined)
        throw refusal(
          "This server can't read descriptions of APIs. `configc init --from` on the command line does.",
        );
      try {
        return await work(scaffolder);
      } catch (error) {
        throw refusal(error instanceof Error ? error.message : String(error));
      }
    };
    connection.onRequest(PROPOSE_CONFIG, (params: ProposeConfigParams) => told((by) => by.propose(params)));
    connection.onRequest(WRITE_CONFIG, (params: WriteConfigParams) => told((by) => by.write(params)));
  },
};
