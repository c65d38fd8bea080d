import { createHash } from "node:crypto";
import type { RenderedDiagnostic } from "@configc/compiler";
import {
  fileOnDisk,
  hashOf,
  type Input,
  inputsDigest,
  readWhole,
  sampleFilesOf,
} from "@configc/language-server/samples";
import { buildId } from "../cache/build-id.ts";
import { type CacheEntries, CacheFile } from "../cache/cache-file.ts";
import { cacheFolder } from "../cache/folder.ts";
import type { Source } from "../files/source.ts";
import { isAboutSecret } from "../formats/mask.ts";
import type { SettingsFinder } from "../settings/finder.ts";
import type { SettingsFile } from "../settings/project-settings.ts";
import type { ParsedSettings } from "../settings/read.ts";
import type { CheckedFile } from "./report.ts";
import type { TaskOptions } from "./task-options.ts";

/** A file whose findings may be known, with all that they rest on. */
interface Question {
  readonly source: Source;
  readonly content: Uint8Array;
  /** Stands for all that is read for this file besides its samples. */
  readonly base: string;
  /** The digest of its samples. */
  readonly samples: string;
}

interface KnownFile {
  readonly diagnostics: readonly RenderedDiagnostic[];
  /** What they carry, which takes time to work out. */
  readonly fixes: boolean;
  readonly because: boolean;
}

/** Settings that haven't been read before: whether they are right is for the compiler to say. */
export class UnknownSettings extends Error {}

/**
 * What earlier runs of `check` have found in a folder, kept between runs. Findings are known for the bytes of a file, whether
 * it may have comments, the settings that hold for it with the levels of the command line, paths and bytes of its samples and OpenAPI documents,
 * and the build of the command: whatever else is asked is checked anew. Of equal files that have no samples, one is checked.
 */
export class KnownResults {
  private readonly file: CacheFile;
  private readonly settingsKeys = new Map<object, string>();
  /** Files that samples are in, which many configs may share. */
  private readonly hashes = new Map<string, string | undefined>();

  private constructor(file: CacheFile) {
    this.file = file;
  }

  /** @returns undefined if nothing can be kept here */
  static open(): KnownResults | undefined {
    const folder = cacheFolder();
    const build = buildId();
    if (folder === undefined || build === undefined) return undefined;
    return new KnownResults(new CacheFile(folder, process.cwd(), build));
  }

  /** Whether no earlier run has left anything. */
  get isNew(): boolean {
    return this.file.isNew;
  }

  /** @throws UnknownSettings */
  settings(text: string): ParsedSettings {
    const settings = this.file.get(settingsKey(text)) as SettingsFile | undefined;
    if (settings === undefined) throw new UnknownSettings();
    return { settings, mistakes: [] };
  }

  keepSettings(text: string, { settings, mistakes }: ParsedSettings): void {
    if (mistakes.length === 0) this.file.set(settingsKey(text), settings);
  }

  /**
   * Reads a file, and all that its findings rest on.
   *
   * @returns undefined if it can't be read, or isn't a file: standard input is what is being edited
   */
  ask(source: Source, finder: SettingsFinder): Question | undefined {
    const { path, absolute } = source;
    if (source.content !== undefined) return undefined;
    let content: Uint8Array;
    try {
      content = readWhole(absolute);
    } catch {
      return undefined;
    }
    const hash = createHash("sha256");
    // Of its name, only the ending says something to the compiler.
    const format = path.endsWith(".jsonc");
    hash.update(JSON.stringify([format, this.settingsHash(finder.ofFile(absolute))])).update(content);
    const inputs = sampleFilesOf(absolute, finder.samplesOf(absolute)).map((path) => this.input(path));
    return { source, content, base: hash.digest("base64"), samples: inputsDigest(inputs) };
  }

  /** What is known of a file; undefined if that is nothing, or less than is wanted. */
  recall({ source, content, base, samples }: Question, wanted: TaskOptions): CheckedFile | undefined {
    const known = this.file.get(resultKey(base, samples)) as KnownFile | undefined;
    if (known === undefined || (wanted.fixes && !known.fixes) || (wanted.because && !known.because))
      return undefined;
    const { diagnostics } = known;
    // Without findings nobody looks at the text.
    const text =
      diagnostics.length === 0 ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
    return { path: source.path, text, diagnostics, fixed: 0 };
  }

  /**
   * Keeps what was found in a file.
   *
   * @param inputs the samples that it was checked with; undefined if some couldn't be used, which has to be said each time
   */
  keep(
    { base }: Question,
    { diagnostics }: CheckedFile,
    { fixes, because }: TaskOptions,
    inputs: readonly Input[] | undefined,
  ): void {
    // What is found around a secret may quote it, which no file of ours should (D29).
    if (inputs === undefined || diagnostics.some(isAboutSecret)) return;
    for (const { path, parts } of inputs)
      if (parts.length > 0)
        this.file.set(
          partsKey(path),
          parts.map((part) => part.path),
        );
    const known: KnownFile = { diagnostics, fixes, because };
    this.file.set(resultKey(base, inputsDigest(inputs)), known);
  }

  /** What this thread has asked for or kept since it was asked last. */
  takeUsed(): CacheEntries {
    return this.file.takeUsed();
  }

  /** Takes over what another thread has asked for or kept. */
  use(entries: CacheEntries): void {
    this.file.use(entries);
  }

  save(): void {
    this.file.save();
  }

  /** The same text for the same settings. */
  private settingsHash(settings: object): string {
    let key = this.settingsKeys.get(settings);
    if (key === undefined) {
      key = JSON.stringify(settings);
      this.settingsKeys.set(settings, key);
    }
    return key;
  }

  /** A sample or document as it is now, with the parts that it had when it was read last: the same content has the same parts. */
  private input(path: string): Input {
    const parts = (this.file.get(partsKey(path)) ?? []) as readonly string[];
    return { ...this.onDisk(path), parts: parts.map((part) => this.onDisk(part)) };
  }

  private onDisk(path: string): { path: string; hash: string | undefined } {
    if (!this.hashes.has(path)) this.hashes.set(path, fileOnDisk(path).hash);
    return { path, hash: this.hashes.get(path) };
  }
}

function settingsKey(text: string): string {
  return `settings:${hashOf(Buffer.from(text))}`;
}

function partsKey(path: string): string {
  return `parts:${hashOf(Buffer.from(path))}`;
}

function resultKey(base: string, samples: string): string {
  return `result:${base}:${samples}`;
}
