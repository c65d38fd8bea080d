import { type SecretStorage, type Uri, workspace } from "vscode";
import type { Credential } from "./run.ts";

/** Credentials of connections, by workspace folder and auth entry. They are nowhere but in the editor's secret storage. */
export class Secrets {
  readonly #storage: SecretStorage;

  constructor(storage: SecretStorage) {
    this.#storage = storage;
  }

  async read(config: Uri, auth: string): Promise<Credential | undefined> {
    const text = await this.#storage.get(keyOf(config, auth));
    return text === undefined ? undefined : (JSON.parse(text) as Credential);
  }

  async write(config: Uri, auth: string, credential: Credential): Promise<void> {
    await this.#storage.store(keyOf(config, auth), JSON.stringify(credential));
  }

  async forget(config: Uri, auth: string): Promise<void> {
    await this.#storage.delete(keyOf(config, auth));
  }
}

function keyOf(config: Uri, auth: string): string {
  const folder = workspace.getWorkspaceFolder(config)?.uri ?? config;
  return `configc.credential:${JSON.stringify([folder.toString(), auth])}`;
}
