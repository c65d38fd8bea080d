import { type ApiDescription, readCandidates, webhookOf, writeCandidates } from "@configc/scaffold";

/** Whoever doesn't find it among so many names the request by hand later. */
const MOST_OFFERED = 8;

/** Where contacts may come from, and which requests may take one: the likeliest first. */
interface Candidates {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

export function candidatesOf(description: ApiDescription): Candidates {
  const lists = readCandidates(description).map(({ list }) => list.operation.source);
  const webhook = webhookOf(description)?.registration.register.source;
  const writes = writeCandidates(description).map(({ operation }) => operation.source);
  return {
    read: (webhook === undefined ? lists : [webhook, ...lists]).slice(0, MOST_OFFERED),
    write: writes.slice(0, MOST_OFFERED),
  };
}
