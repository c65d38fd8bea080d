import { type SecretStorage, type Uri, window, workspace } from "vscode";
import type { Credential } from "./run.ts";

interface Part {
  readonly name: string;
  readonly prompt: string;
  /** May stay empty. */
  readonly optional?: true;
  /** Asked only where that part was given. */
  readonly after?: string;
}

const account: readonly Part[] = [
  { name: "username", prompt: "User name" },
  { name: "password", prompt: "Password" },
];

/** What is asked for each type of auth (D27). */
const asked: Readonly<Record<string, readonly Part[]>> = {
  basic: account,
  session: account,
  token: [{ name: "token", prompt: "Token" }],
  oauth2: [
    { name: "access_token", prompt: "Access token" },
    {
      name: "refresh_token",
      prompt: "Refresh token (empty: the access token isn't renewed)",
      optional: true,
    },
    {
      name: "client_id",
      prompt: "Client id (empty: the config's)",
      optional: true,
      after: "refresh_token",
    },
    {
      name: "client_secret",
      prompt: "Client secret (empty: the config's)",
      optional: true,
      after: "refresh_token",
    },
  ],
};

/** Credentials of connections, by workspace folder and auth entry. They are nowhere but in the editor's secret storage. */
export class Secrets {
  readonly #storage: SecretStorage;
  /** Where a person chose to go on without, until the window is closed. */
  readonly #without = new Set<string>();

  constructor(storage: SecretStorage) {
    this.#storage = storage;
  }

  async read(uri: Uri, auth: string): Promise<Credential | undefined> {
    const text = await this.#storage.get(keyOf(uri, auth));
    return text === undefined ? undefined : (JSON.parse(text) as Credential);
  }

  async write(uri: Uri, auth: string, credential: Credential): Promise<void> {
    await this.#storage.store(keyOf(uri, auth), JSON.stringify(credential));
  }

  async forget(uri: Uri, auth: string): Promise<void> {
    await this.#storage.delete(keyOf(uri, auth));
  }

  /** The credentials of a run, from the storage or from a person. @returns undefined to run without */
  async forRun(
    uri: Uri,
    auth: { readonly name: string; readonly type: string } | undefined,
  ): Promise<Readonly<Record<string, Credential>> | undefined | "cancelled"> {
    if (auth === undefined) return undefined;
    const key = keyOf(uri, auth.name);
    const known = await this.read(uri, auth.name);
    if (known !== undefined) return { [auth.name]: known };
    if (this.#without.has(key)) return undefined;
    const picked = await window.showQuickPick(
      [
        {
          label: `Connect “${auth.name}”…`,
          detail: "kept in the editor's secret storage only",
          connect: true,
        },
        { label: "Run without credentials", detail: "until the window is closed", connect: false },
      ],
      { title: "Connection", placeHolder: `“${auth.name}” (${auth.type}) isn't connected` },
    );
    if (picked === undefined) return "cancelled";
    if (!picked.connect) {
      this.#without.add(key);
      return undefined;
    }
    const credential = await this.ask(uri, auth);
    return credential === undefined ? "cancelled" : { [auth.name]: credential };
  }

  /** Asks a person, each part hidden while it is typed. @returns undefined if they thought better of it */
  async ask(
    uri: Uri,
    auth: { readonly name: string; readonly type: string },
  ): Promise<Credential | undefined> {
    const parts: Record<string, string> = {};
    for (const { name, prompt, optional, after } of asked[auth.type] ?? asked["token"]!) {
      if (after !== undefined && parts[after] === undefined) continue;
      const value = await window.showInputBox({
        title: `Connect “${auth.name}” (${auth.type})`,
        prompt,
        password: name !== "username" && name !== "client_id",
        ignoreFocusOut: true,
      });
      if (value === undefined) return undefined;
      if (value !== "") parts[name] = value;
      else if (optional === undefined) return undefined;
    }
    const credential = parts as unknown as Credential;
    await this.write(uri, auth.name, credential);
    return credential;
  }
}

function keyOf(uri: Uri, auth: string): string {
  const folder = workspace.getWorkspaceFolder(uri)?.uri ?? uri;
  return `configc.credential:${JSON.stringify([folder.toString(), auth])}`;
}
