import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";

/** Entries and files that weren't used for so long are dropped. */
const KEPT_DAYS = 30;
/** Of several entries, the ones used last are kept up to this size, in characters. */
const SIZE_LIMIT = 16_000_000;
const DAY_MS = 86_400_000;
const NAME = /^[0-9a-f]{32}(?:\.[0-9a-f]{12}\.tmp)?$/;

interface Entry {
  /** When it was used last, in days since 1970. */
  readonly day: number;
  /** JSON. */
  readonly text: string;
}

/** Entries by key, as one thread hands them to another. */
export type CacheEntries = readonly (readonly [key: string, entry: Entry])[];

/**
 * Values by key, in a file that may be lost at any time: one that can't be read, was damaged or was written by another version is as
 * good as none, and one that can't be written is no failure. Nobody but the user can read it.
 *
 * A line for each entry, so that those that aren't asked for aren't parsed, below a line with the version and a hash of the others.
 */
export class CacheFile {
  private readonly folder: string;
  private readonly path: string;
  private readonly version: string;
  private readonly today = Math.floor(Date.now() / DAY_MS);
  private readonly entries: Map<string, Entry>;
  /** The keys that were asked for or set. */
  private readonly used = new Map<string, Entry>();
  private changed = false;

  /**
   * Reads a file; never throws.
   *
   * @param folder that all such files are in
   * @param subject what the file is about, such as a path: each has a file of its own
   * @param version of what writes the values; those of another one are ignored
   */
  constructor(folder: string, subject: string, version: string) {
    this.folder = folder;
    this.path = join(folder, sha256(subject).slice(0, 32));
    this.version = version;
    this.entries = this.read();
  }

  /** Whether no earlier run has left anything. */
  get isNew(): boolean {
    return this.entries.size === 0;
  }

  /** The value of a key, undefined if there is none. */
  get(key: string): unknown {
    const entry = this.used.get(key) ?? this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.day !== this.today) this.changed = true;
    this.used.set(key, { ...entry, day: this.today });
    return JSON.parse(entry.text) as unknown;
  }

  /** @param value what JSON can hold */
  set(key: string, value: unknown): void {
    this.used.set(key, { day: this.today, text: JSON.stringify(value) });
    this.changed = true;
  }

  /** The entries that were asked for or set since this was called last. */
  takeUsed(): CacheEntries {
    const taken = [...this.used];
    for (const [key, entry] of taken) this.entries.set(key, entry);
    this.used.clear();
    return taken;
  }

  /** Takes over what another reader of the same file has asked for or set. */
  use(entries: CacheEntries): void {
    for (const [key, entry] of entries) {
      const old = this.entries.get(key);
      if (old?.day !== entry.day || old.text !== entry.text) this.changed = true;
      this.used.set(key, entry);
    }
  }

  /** Writes the file if it would differ; never throws. */
  save(): void {
    if (!this.changed) return;
    const temporary = `${this.path}.${randomBytes(6).toString("hex")}.tmp`;
    try {
      makeFolder(this.folder, 0o700);
      // What other processes have added meanwhile is kept.
      const lines = this.linesOf(new Map([...this.read(), ...this.used]));
      writeFileSync(temporary, `${this.header(lines)}\n${lines}`, { mode: 0o600, flag: "wx" });
      renameSync(temporary, this.path);
      this.changed = false;
      this.dropOldFiles();
    } catch {
      rmQuietly(temporary);
    }
  }

  private read(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    const text = readOwn(this.path);
    if (text === undefined) return entries;
    const end = text.indexOf("\n");
    const lines = text.slice(end + 1);
    if (end < 0 || text.slice(0, end) !== this.header(lines)) return entries;
    for (const line of lines.split("\n")) {
      const [key, day] = line.split(" ", 2);
      if (key === undefined || day === undefined) continue;
      entries.set(key, { day: Number(day), text: line.slice(key.length + day.length + 2) });
    }
    return entries;
  }

  private header(lines: string): string {
    return `configc-cache 1 ${this.version} ${sha256(lines)}`;
  }

  private linesOf(entries: ReadonlyMap<string, Entry>): string {
    const lines: string[] = [];
    let size = 0;
    for (const [key, { day, text }] of [...entries].sort(([, a], [, b]) => b.day - a.day)) {
      const line = `${key} ${day} ${text}`;
      size += line.length + 1;
      if (day <= this.today - KEPT_DAYS || size > SIZE_LIMIT) break;
      lines.push(line);
    }
    return lines.join("\n");
  }

  /** Files about folders that nobody works in any more, and what was left by a process that was killed. */
  private dropOldFiles(): void {
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      if (path === this.path || !NAME.test(name)) continue;
      if (statSync(path).mtimeMs < Date.now() - KEPT_DAYS * DAY_MS) rmQuietly(path);
    }
  }
}

/** The text of a file, if it is the user's own: somebody else's could say what it likes. */
function readOwn(path: string): string | undefined {
  let file: number | undefined;
  try {
    // Not blocking, should it be a pipe.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    if (!stat.isFile() || (process.getuid !== undefined && stat.uid !== process.getuid())) return undefined;
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function rmQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays until somebody may remove it.
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
