import type { Owned } from "../intake/installed.ts";
import type { Services } from "../intake/services.ts";
import type { SaveScope } from "../step.ts";
import { idOf } from "../store/id.ts";

/**
 * An installation as far as the commands of a webhook may see it: what several share knows of no workflow's setup, and what all
 * customers share of no customer (D31). Such a webhook has the app's own credentials, which the host keeps for the connection
 * `APP/AUTH`; without them requests carry none.
 */
export async function inScope<T extends Owned>(
  { name, effects }: Services,
  scope: SaveScope,
  installed: T,
): Promise<T> {
  const { settings, owners, auth } = installed;
  const { connection, accountId } = settings;
  switch (scope) {
    case "workflow":
      return installed;
    case "connection":
      return {
        ...installed,
        settings: {
          customData: {},
          ...(connection === undefined ? {} : { connection }),
          ...(accountId === undefined ? {} : { accountId }),
        },
        owners: {
          application: owners.application,
          ...(owners.connection === undefined ? {} : { connection: owners.connection }),
        },
      };
    case "application": {
      const own = auth === undefined ? undefined : idOf(name, auth);
      const known = own === undefined ? undefined : await effects.credentials.read(own);
      return {
        ...installed,
        connection: undefined,
        settings: {
          customData: {},
          ...(own === undefined || known === undefined ? {} : { connection: own }),
        },
        owners: { application: owners.application },
      };
    }
  }
}
