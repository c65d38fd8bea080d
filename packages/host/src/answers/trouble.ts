import { createHash } from "node:crypto";
import type { App } from "@configc/compiler";
import type {
  Connection,
  Delivery,
  Failure,
  Installation,
  PollingRecord,
  SourcePlace,
} from "@configc/runtime";
import { placeInSource } from "@configc/runtime/internal";

/** What of an installation fails (E145). Times are in milliseconds since 1970. */
export interface Trouble {
  /** A cycle, an item that keeps others waiting, a change of status, or the connection. */
  readonly what: "poll" | "deliver" | "change" | "connect";
  /** When the first of the failures in a row happened; absent where nobody wrote it down. */
  readonly since?: number;
  /** When it was tried last. */
  readonly at?: number;
  readonly tries?: number;
  readonly kind: string;
  readonly status?: number;
  readonly message: string;
  /** JSON Pointer into the config of that version. */
  readonly pointer: string;
  readonly version?: string;
  /** The same for what failed in the same way at the same place. */
  readonly fingerprint: string;
}

/** What the rows of one installation tell of its failures: the same one in two rows is told once. */
export function troublesOf({
  installation,
  connection,
  records,
  waiting,
}: {
  readonly installation: Pick<Installation, "failure" | "status">;
  readonly connection: Pick<Connection, "auth" | "broken"> | undefined;
  readonly records: readonly PollingRecord[];
  /** The first in the line. */
  readonly waiting: Delivery | undefined;
}): readonly Trouble[] {
  const found: Trouble[] = [];
  const add = (trouble: Trouble): void => {
    // A broken connection says all of what failed for it.
    if (connection?.broken !== undefined && trouble.kind === "AuthError" && trouble.what !== "connect")
      return;
    if (!found.some(({ fingerprint }) => fingerprint === trouble.fingerprint)) found.push(trouble);
  };
  if (connection?.broken !== undefined) {
    const pointer = `/auth/${connection.auth.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const kind = "AuthError";
    const fingerprint = fingerprintOf({ kind, pointer });
    add({ what: "connect", kind, message: connection.broken, pointer, fingerprint });
  }
  for (const { failure, failingSince, failures } of records)
    if (failure !== undefined) add(troubleOf("poll", failure, failingSince, failures));
  if (waiting?.failure !== undefined)
    add(troubleOf("deliver", waiting.failure, waiting.failingSince, waiting.attempts));
  const { failure, status } = installation;
  if (failure !== undefined && status !== "removed") add(troubleOf("change", failure, undefined, undefined));
  return found;
}

function troubleOf(
  what: Trouble["what"],
  failure: Failure,
  since: number | undefined,
  tries: number | undefined,
): Trouble {
  return {
    what,
    since: since ?? failure.at,
    ...(tries === undefined ? {} : { tries }),
    ...failure,
    fingerprint: fingerprintOf(failure),
  };
}

/** As the database of a fleet makes it, too. */
export function fingerprintOf({
  kind,
  status,
  pointer,
}: Pick<Failure, "kind" | "status" | "pointer">): string {
  const text = [kind, status, pointer].filter((part) => part !== undefined).join(" ");
  return createHash("md5").update(text).digest("hex").slice(0, 12);
}

/**
 * Where in the config a pointer leads: to the command, intake, workflow or auth entry that is nearest above.
 *
 * @param app with its source map; undefined is returned without one
 */
export function placeOf(app: App, pointer: string): SourcePlace | undefined {
  const nodes = [...app.intakes, ...app.workflows, ...Object.values(app.auth)];
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const node = Object.hasOwn(app.commands, at)
      ? app.commands[at]
      : nodes.find((each) => each.pointer === at);
    if (node !== undefined) return placeInSource(app, { pointer: at, span: node.span, offset: undefined });
  }
  return undefined;
}
