import type { AppIntake } from "@configc/compiler";
import { RunError } from "../errors.ts";
import type { Installed } from "../intake/installed.ts";
import type { Services } from "../intake/services.ts";
import { idOf } from "../store/id.ts";
import type { Transaction } from "../store/store.ts";
import type { Member, Registration } from "../store/tables.ts";

/** The registration that an installation shares with others of its scope (D31): made if it isn't there. */
export async function registrationFor(
  { name }: Services,
  transaction: Transaction,
  installed: Installed,
  intake: AppIntake,
): Promise<Registration> {
  const scope = intake.scope ?? "workflow";
  const owner = ownerOf(name, installed, scope, intake);
  const id = idOf(name, intake.name, scope, owner);
  const known = await transaction.get("registrations", id);
  return known ?? { id, app: name, intake: intake.name, scope, owner };
}

function ownerOf(
  name: string,
  { installation, settings }: Installed,
  scope: Registration["scope"],
  intake: AppIntake,
): string {
  switch (scope) {
    case "workflow":
      return installation.id;
    case "application":
      return name;
    case "connection":
      if (settings.connection !== undefined) return settings.connection;
      throw new RunError(
        "DataError",
        `\`${intake.name}\` has one webhook for each connected account, and the installation has none.`,
        intake,
      );
  }
}

export function memberOf({ id: registration }: Registration, installation: string): Member {
  return { id: idOf(registration, installation), registration, installation };
}
