import type { AppNode } from "@configc/compiler";
import { type Json, parseExact, printExact } from "@configc/jq";
import { RunError } from "../errors.ts";
import type { AnsweredRequest, Journal } from "../journal.ts";
import type { Vault } from "../store/vault.ts";

/** A request of a run; without a body it was begun only. */
type Entry = AnsweredRequest;

/**
 * The requests of one `create` or `update`, in their order, and what they were answered. Commands are deterministic between their effects, so
 * a run that is repeated with it comes to the same place without asking twice (D32).
 */
export class RequestJournal implements Journal {
  readonly #entries: Entry[];
  readonly #keep: (text: string) => Promise<void>;
  #next = 0;

  private constructor(entries: Entry[], keep: (text: string) => Promise<void>) {
    this.#entries = entries;
    this.#keep = keep;
  }

  /**
   * @param written as `keep` was given it
   * @param label what it belongs to, for the vault
   */
  static async open(
    written: string | undefined,
    label: string,
    vault: Vault | undefined,
    keep: (text: string) => Promise<void>,
  ): Promise<RequestJournal> {
    const text = written === undefined || vault === undefined ? written : await vault.open(written, label);
    const entries = text === undefined ? [] : (parseExact(text) as unknown as Entry[]);
    return new RequestJournal([...entries], async (plain) =>
      keep(vault === undefined ? plain : await vault.seal(plain, label)),
    );
  }

  /** A request that changes something was sent, and nobody knows whether it was done. */
  get unknown(): boolean {
    const last = this.#entries.at(-1);
    return last?.write === true && last.body === undefined;
  }

  /** A request that changes something was answered. */
  get written(): boolean {
    return this.#entries.some((entry) => entry.write && entry.body !== undefined);
  }

  get ahead(): readonly AnsweredRequest[] {
    const rest = this.#entries.slice(this.#next);
    const end = rest.findIndex(({ body }) => body === undefined);
    return end < 0 ? rest : rest.slice(0, end);
  }

  async step({ pointer }: AppNode, write: boolean, work: () => Promise<Json>): Promise<Json> {
    const index = this.#next++;
    const known = this.#entries[index];
    if (known?.pointer === pointer && known.body !== undefined) return known.body;
    this.#entries.length = index;
    if (write) await this.#add({ pointer, write });
    let body: Json;
    try {
      body = await work();
    } catch (error) {
      if (isRefusal(error)) {
        this.#entries.length = index;
        await this.#save();
      }
      throw error;
    }
    this.#entries.length = index;
    await this.#add({ pointer, write, body });
    return body;
  }

  async #add(entry: Entry): Promise<void> {
    this.#entries.push(entry);
    await this.#save();
  }

  #save(): Promise<void> {
    return this.#keep(printExact(this.#entries as unknown as Json));
  }
}

/** The third party says that it did nothing. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof RunError)) return false;
  if (error.kind === "AuthError" || error.kind === "DataError") return true;
  const { kind, status = 0 } = error;
  return kind === "HttpError" && status >= 300 && status < 500;
}
