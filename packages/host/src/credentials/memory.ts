import type { Credential, Credentials } from "@configc/runtime";

/** Credentials that live as long as the process: those that are given, and what refreshing makes of them. */
export function credentialsInMemory(given: Readonly<Record<string, Credential>> = {}): Credentials {
  const known = new Map(Object.entries(given));
  const broken = new Set<string>();
  return {
    read: async (connection) => (broken.has(connection) ? undefined : known.get(connection)),
    async write(connection, credential) {
      known.set(connection, credential);
      broken.delete(connection);
    },
    markBroken: async (connection) => void broken.add(connection),
  };
}
