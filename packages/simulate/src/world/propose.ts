import type { App, IntakeWorld, WorldFile } from "@configc/compiler";
import { subjectOf } from "../subject.ts";

/** A world file that says of each polling intake what is supposed anyway, for an author to correct by the service's documentation. */
export function proposeWorld(app: App): WorldFile {
  const intakes: Record<string, IntakeWorld> = {};
  for (const workflow of app.workflows) {
    const subject = subjectOf(app, workflow);
    if ("reason" in subject) continue;
    const { protocol } = subject;
    intakes[protocol.intake.name] ??= {
      because:
        "Say where the service's documentation tells this, and take away what it doesn't tell: that is tried both ways.",
      pages: "moving",
      bounds: "inclusive",
      times: "second",
      order: protocol.order.direction === "ascending" ? "oldest-first" : "newest-first",
      lag: 0,
      changes: protocol.isImmutable ? ["create", "delete"] : ["create", "update", "delete"],
      parameters: Object.fromEntries(
        protocol.roles.flatMap(({ parameter, role }) =>
          role.kind === "filter" ? [] : [[parameter.path.join("."), role.kind]],
        ),
      ),
    };
  }
  return { intakes };
}
