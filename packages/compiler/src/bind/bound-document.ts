import type { Samples } from "../options/samples.ts";
import type { Settings } from "../options/settings.ts";
import type { Document } from "../parse/document.ts";
import type { ApiSymbol } from "./bound-nodes.ts";
import type { Model } from "./model.ts";
import type { Memory, Part } from "./part.ts";

type Kind = Exclude<keyof Part, "item" | "derived">;

/**
 * The model of a document. Lists of all things of a kind are made when they are first asked for: after an edit, most that is asked is asked
 * of parts. A class for the sake of these; see `ParsedDocument`.
 */
export class BoundDocument implements Model {
  readonly document: Document;
  readonly settings: Settings;
  readonly samples: Samples;
  readonly api: ApiSymbol | undefined;
  readonly parts: readonly Part[];
  memory: Memory | undefined;
  readonly derived = new Map<unknown, unknown>();
  private readonly lists = new Map<Kind, readonly unknown[]>();

  constructor(
    { document, settings, samples, memory }: Pick<Model, "document" | "settings" | "samples" | "memory">,
    api: ApiSymbol | undefined,
    parts: readonly Part[],
  ) {
    this.document = document;
    this.settings = settings;
    this.samples = samples;
    this.memory = memory;
    this.api = api;
    this.parts = parts;
  }

  get auths() {
    return this.all("auths");
  }
  get intakes() {
    return this.all("intakes");
  }
  get workflows() {
    return this.all("workflows");
  }
  get objects() {
    return this.all("objects");
  }
  get commands() {
    return this.all("commands");
  }
  get expansions() {
    return this.all("expansions");
  }
  get templates() {
    return this.all("templates");
  }
  get inertTemplates() {
    return this.all("inertTemplates");
  }
  get programs() {
    return this.all("programs");
  }
  get structure() {
    return this.all("structure");
  }
  get extendedUses() {
    return this.all("extendedUses");
  }
  get suppressions() {
    return this.all("suppressions");
  }
  get unfinished() {
    return this.all("unfinished");
  }

  private all<K extends Kind>(kind: K): Readonly<Part[K]> {
    const known = this.lists.get(kind);
    if (known !== undefined) return known as Part[K];
    const found: Part[K][number][] = [];
    for (const part of this.parts) for (const thing of part[kind]) found.push(thing);
    this.lists.set(kind, found);
    return found as Part[K];
  }
}
