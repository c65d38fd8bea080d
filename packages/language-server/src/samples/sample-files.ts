import { readFileSync, statSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import {
  type ApiDocument,
  noSamples,
  type PayloadSample,
  readSamples,
  type Sample,
  type Samples,
} from "@configc/compiler";
import { filesOf, foldersOf, jsonFilesIn, nearestFolder } from "./glob.ts";

/** Where the samples of a config are, besides in its own folder. */
export interface SampleSources {
  /** Of the settings file, from which patterns are meant. */
  readonly folder: string;
  /** The setting `samples`: sample files, folders of them, OpenAPI documents; globs of these. */
  readonly patterns: readonly string[];
}

/** The content of a file, as it was when it was read. */
type Content =
  | {
      readonly kind: "samples";
      readonly samples: readonly Sample[];
      readonly payloads: readonly PayloadSample[];
    }
  | { readonly kind: "document"; readonly path: string }
  | { readonly kind: "problem"; readonly problem: string };

interface ReadDocument {
  /** Its files: itself, and those that it refers to. */
  readonly files: ReadonlySet<string>;
  /** Of all of them. */
  readonly state: string;
  readonly document?: ApiDocument;
}

/**
 * Reads samples from disk: those in `NAME.samples/` beside a config `NAME.app.json`, and what the settings name. Files are read
 * again when they have changed. OpenAPI documents are read by `load`; until then nothing is known of them.
 */
export class SampleFiles {
  private readonly contents = new Map<string, { readonly state: string; readonly content: Content }>();
  private readonly documents = new Map<string, ReadDocument>();
  private readonly latest = new Map<string, Samples>();
  private readonly versions = new WeakMap<Samples, number>();
  private lastVersion = 0;
  private readonly told = new Set<string>();
  private readonly report: (path: string, problem: string) => void;

  /** @param report called once for each file that can't be used, with the reason as the end of a sentence */
  constructor(report: (path: string, problem: string) => void) {
    this.report = report;
  }

  /**
   * What is known for a config: the same object as before while nothing has changed.
   *
   * @param config its absolute path; it need not exist
   */
  of(config: string, sources: SampleSources | undefined): Samples {
    const files = this.files(config, sources);
    if (files.length === 0) return noSamples;
    const contents = files.map((path) => this.read(path));
    const responses = contents.flatMap((content) => (content.kind === "samples" ? content.samples : []));
    const payloads = contents.flatMap((content) => (content.kind === "samples" ? content.payloads : []));
    const documents = contents.flatMap((content) => {
      const document = content.kind === "document" ? this.documents.get(content.path)?.document : undefined;
      return document ?? [];
    });
    const known = this.latest.get(config);
    if (
      known !== undefined &&
      same(known.responses, responses) &&
      same(known.payloads, payloads) &&
      same(known.documents, documents)
    )
      return known;
    const samples = { responses, payloads, documents };
    this.latest.set(config, samples);
    return samples;
  }

  /** Differs between samples that aren't the same. */
  version(samples: Samples): number {
    if (samples === noSamples) return 0;
    const known = this.versions.get(samples) ?? ++this.lastVersion;
    this.versions.set(samples, known);
    return known;
  }

  /**
   * Reads the OpenAPI documents that the settings name, as far as they are new or changed.
   *
   * @returns whether any was read
   */
  async load(config: string, sources: SampleSources | undefined): Promise<boolean> {
    const wanted = this.files(config, sources).filter((path) => this.read(path).kind === "document");
    const changed = wanted.filter((path) => {
      const known = this.documents.get(path);
      return known === undefined || known.state !== stateOfAll(known.files);
    });
    for (const path of changed) {
      // So that it isn't read twice at the same time.
      this.documents.set(path, { files: new Set([path]), state: stateOf(path) });
      const files = new Set<string>();
      // A file that changes while it is read is read again.
      const states: string[] = [];
      const { readOpenApi } = await import("./openapi.ts");
      const part = (file: string): void => {
        if (files.has(file)) return;
        files.add(file);
        states.push(stateOf(file));
      };
      part(path);
      try {
        const document = { name: basename(path), content: await readOpenApi(path, part) };
        this.documents.set(path, { files, state: states.join("\n"), document });
      } catch (error) {
        this.documents.set(path, { files, state: states.join("\n") });
        this.tell(path, firstLine(error));
      }
    }
    return changed.length > 0;
  }

  /** The folders in which something may change what is known for a config; all of them exist. */
  folders(config: string, sources: SampleSources | undefined): string[] {
    const { folder = "", patterns = [] } = sources ?? {};
    const named = patterns.flatMap((pattern) => foldersOf(folder, pattern));
    const parts = this.files(config, sources).flatMap((path) => [...(this.documents.get(path)?.files ?? [])]);
    const others = [samplesFolder(config), ...parts.map((path) => dirname(path))].map(nearestFolder);
    return [...new Set([...named, ...others])];
  }

  private files(config: string, sources: SampleSources | undefined): string[] {
    const own = jsonFilesIn(samplesFolder(config));
    if (sources === undefined || sources.patterns.length === 0) return own;
    return [...new Set([...own, ...sources.patterns.flatMap((pattern) => filesOf(sources.folder, pattern))])];
  }

  private read(path: string): Content {
    const state = stateOf(path);
    const known = this.contents.get(path);
    if (known?.state === state) return known.content;
    const content = contentOf(path);
    this.contents.set(path, { state, content });
    if (content.kind === "problem") this.tell(path, content.problem);
    return content;
  }

  private tell(path: string, problem: string): void {
    const text = `${path} ${problem}`;
    if (!this.told.has(text)) this.report(relative("", path) || path, problem);
    this.told.add(text);
  }
}

function same<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((each, index) => each === others[index]);
}

/** The folder with the samples of a config: `NAME.samples` for `NAME.app.json`. */
export function samplesFolder(config: string): string {
  return `${config.replace(/(?:\.app)?\.jsonc?$/, "")}.samples`;
}

function contentOf(path: string): Content {
  if (/\.ya?ml$/i.test(path)) return { kind: "document", path };
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "openapi"))
      return { kind: "document", path };
    const read = readSamples(basename(path), value);
    return "samples" in read ? { kind: "samples", ...read } : { kind: "problem", ...read };
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return { kind: "problem", problem: missing ? "there is no such file or folder" : firstLine(error) };
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0]!.replace(/\.$/, "");
}

function stateOfAll(paths: ReadonlySet<string>): string {
  return [...paths].map(stateOf).join("\n");
}

function stateOf(path: string): string {
  try {
    const { size, mtimeMs, ino } = statSync(path);
    return `${size} ${mtimeMs} ${ino}`;
  } catch {
    return "";
  }
}
