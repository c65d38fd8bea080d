import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Credential, Credentials } from "@configc/runtime";
import { isCredential } from "@configc/runtime/internal";

/** A credentials file that can't be used; the message names no secret. */
export class CredentialsFileError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CredentialsFileError";
  }
}

/** What a service knows the app by, where the config has placeholders. */
interface Client {
  readonly client_id?: string;
  readonly client_secret?: string;
}

interface Content {
  readonly known: Map<string, Credential>;
  readonly clients: Map<string, Client>;
}

/** Credentials that are kept in a file (`design.md`, "CLI"): tokens that were renewed are written back. */
export interface CredentialsFile extends Credentials {
  /** Auth entries that there are credentials for. */
  names(): string[];
  /** The client's id and secret for a login; absent ones stand in the config. */
  client(name: string): { readonly clientId?: string; readonly clientSecret?: string };
}

/**
 * The credentials file of the command line: `{AUTH_NAME: {access_token, …} | {username, password} | {token}}`. A connection is
 * called by the name of its auth. Renewed tokens are written back before they are used (D30), readable by their owner only.
 *
 * @throws CredentialsFileError if a file that is there can't be read
 */
export async function credentialsFile(path: string): Promise<CredentialsFile> {
  const { known, clients } = await read(path);
  let writing: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    // One after the other: two renewals at once must not leave out one of them.
    writing = writing
      .catch(() => undefined)
      .then(() => write(path, new Map<string, Credential | Client>([...clients, ...known])));
    return writing;
  };
  return {
    names: () => [...known.keys()],
    client(name) {
      const { client_id: clientId, client_secret: clientSecret } = {
        ...clients.get(name),
        ...(known.get(name) as Client | undefined),
      };
      return {
        ...(clientId === undefined ? {} : { clientId }),
        ...(clientSecret === undefined ? {} : { clientSecret }),
      };
    },
    read: async (connection) => known.get(connection),
    async write(connection, credential) {
      known.set(connection, credential);
      await save();
    },
    // The file keeps what was refused: the person sees the error, and may know better.
    markBroken: async () => undefined,
  };
}

async function read(path: string): Promise<Content> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { known: new Map(), clients: new Map() };
    throw new CredentialsFileError(`The credentials file ${path} can't be read.`, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Its message would quote the text, which is secret.
    throw new CredentialsFileError(`The credentials file ${path} isn't JSON.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrongShape(path, "the whole");
  const known = new Map<string, Credential>();
  const clients = new Map<string, Client>();
  for (const [name, credential] of Object.entries(value)) {
    if (isClient(credential)) {
      clients.set(name, credential);
      continue;
    }
    if (!isCredential(credential)) throw wrongShape(path, `“${name}”`);
    known.set(name, withTime(credential));
  }
  return { known, clients };
}

/** Before the first login there are only the client's own. */
function isClient(value: unknown): value is Client {
  if (typeof value !== "object" || value === null) return false;
  const names = Object.keys(value);
  return (
    names.length > 0 &&
    names.every((name) => name === "client_id" || name === "client_secret") &&
    Object.values(value).every((each) => typeof each === "string")
  );
}

function wrongShape(path: string, what: string): CredentialsFileError {
  return new CredentialsFileError(
    `In the credentials file ${path}, ${what} isn't as it must be: {AUTH_NAME: {"access_token", "refresh_token", "expires_at"} or {"username", "password"} or {"token"}; before a login {"client_id", "client_secret"}}.`,
  );
}

/** `expires_at` may be written as people write times. */
function withTime(credential: Credential & { readonly expires_at?: number | string }): Credential {
  const { expires_at } = credential;
  if (typeof expires_at !== "string") return credential as Credential;
  const time = Date.parse(expires_at);
  const { expires_at: _, ...rest } = credential;
  return (Number.isNaN(time) ? rest : { ...rest, expires_at: time }) as Credential;
}

async function write(path: string, known: ReadonlyMap<string, Credential | Client>): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`, {
      mode: 0o600,
      // Not through what somebody has put there.
      flag: "wx",
    });
    await chmod(temporary, 0o600);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
