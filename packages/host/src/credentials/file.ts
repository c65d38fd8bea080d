import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Credential, Credentials } from "@configc/runtime";

/** A credentials file that can't be used; the message names no secret. */
export class CredentialsFileError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CredentialsFileError";
  }
}

/**
 * The credentials file of the command line: `{AUTH_NAME: {access_token, …} | {username, password} | {token}}`. A connection is
 * called by the name of its auth. Renewed tokens are written back before they are used (D30), readable by their owner only.
 *
 * @throws CredentialsFileError if a file that is there can't be read
 */
export async function credentialsFile(path: string): Promise<Credentials & { names(): string[] }> {
  const known = await read(path);
  let writing: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    // One after the other: two renewals at once must not leave out one of them.
    writing = writing.catch(() => undefined).then(() => write(path, known));
    return writing;
  };
  return {
    names: () => [...known.keys()],
    read: async (connection) => known.get(connection),
    async write(connection, credential) {
      known.set(connection, credential);
      await save();
    },
    // The file keeps what was refused: the person sees the error, and may know better.
    markBroken: async () => undefined,
  };
}

async function read(path: string): Promise<Map<string, Credential>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return new Map();
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
  for (const [name, credential] of Object.entries(value)) {
    if (!isCredential(credential)) throw wrongShape(path, `“${name}”`);
    known.set(name, withTime(credential));
  }
  return known;
}

function wrongShape(path: string, what: string): CredentialsFileError {
  return new CredentialsFileError(
    `In the credentials file ${path}, ${what} isn't as it must be: {AUTH_NAME: {"access_token", "refresh_token", "expires_at"} or {"username", "password"} or {"token"}}.`,
  );
}

function isCredential(value: unknown): value is Credential & { readonly expires_at?: number | string } {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: string): boolean => typeof (value as Record<string, unknown>)[name] === "string";
  return has("access_token") || has("token") || (has("username") && has("password"));
}

/** `expires_at` may be written as people write times. */
function withTime(credential: Credential & { readonly expires_at?: number | string }): Credential {
  const { expires_at } = credential;
  if (typeof expires_at !== "string") return credential as Credential;
  const time = Date.parse(expires_at);
  const { expires_at: _, ...rest } = credential;
  return (Number.isNaN(time) ? rest : { ...rest, expires_at: time }) as Credential;
}

async function write(path: string, known: ReadonlyMap<string, Credential>): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`, {
      mode: 0o600,
    });
    await chmod(temporary, 0o600);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
