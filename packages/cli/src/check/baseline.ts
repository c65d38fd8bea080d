import { existsSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { isObject } from "@configc/jq/internal";
import { readWhole } from "@configc/language-server/samples";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { writeAtomically } from "../files/write.ts";
import type { CheckedFile } from "./report.ts";

/**
 * Findings that are known and accepted. Kept by fingerprint, which survives changes elsewhere in the document, with how often
 * each occurs: one more of the same is new.
 */
export interface BaselineFile {
  readonly version: 1;
  /** By path from the baseline's folder, then by fingerprint. */
  readonly files: Readonly<Record<string, Readonly<Record<string, KnownFinding>>>>;
}

interface KnownFinding {
  readonly count: number;
  /** For people who read the file. */
  readonly rule: string;
  readonly message: string;
}

interface Compared {
  readonly files: readonly CheckedFile[];
  /** Findings that the baseline hides. */
  readonly known: number;
  /** Findings of the baseline, in the files that were checked, that don't occur any more. */
  readonly gone: number;
}

/** @throws UsageError if the file can't be read or isn't a baseline */
export function readBaseline(path: string): BaselineFile {
  let text: string;
  try {
    text = readWhole(path).toString("utf8");
  } catch (error) {
    const advice = existsSync(path) ? "" : " --update-baseline writes it.";
    throw new UsageError(`The baseline ${path} can't be opened: ${reasonOf(error)}.${advice}`);
  }
  try {
    const baseline: unknown = JSON.parse(text);
    if (isBaseline(baseline)) return baseline;
  } catch {
    // Not even JSON: the same message.
  }
  throw new UsageError(`${path} isn't a baseline: write it anew by --update-baseline.`);
}

/**
 * Takes the known findings out. Of several with one fingerprint, the first ones are the known ones. A file that was renamed or
 * moved keeps what is recorded of it.
 */
export function withoutKnown(path: string, baseline: BaselineFile, files: readonly CheckedFile[]): Compared {
  let known = 0;
  let recorded = 0;
  const moved = new MovedFiles(path, baseline);
  const remaining = files.map((file) => {
    const key = keyOf(path, file.path);
    const own = new Map(Object.entries(entryOf(baseline, key) ?? moved.entryFor(file) ?? {}));
    const left = new Map([...own].map(([fingerprint, { count }]) => [fingerprint, count]));
    for (const count of left.values()) recorded += count;
    const diagnostics = file.diagnostics.filter(({ fingerprint }) => {
      const count = left.get(fingerprint) ?? 0;
      if (count === 0) return true;
      left.set(fingerprint, count - 1);
      known++;
      return false;
    });
    return { ...file, diagnostics };
  });
  return { files: remaining, known, gone: recorded - known };
}

/**
 * Records the findings of the files. What is recorded of files that weren't checked stays, unless they don't exist any more.
 *
 * @returns what is recorded now
 */
export function updateBaseline(path: string, files: readonly CheckedFile[]): BaselineFile {
  const kept = existsSync(path) ? readBaseline(path).files : {};
  const entries = new Map(Object.entries(kept).filter(([key]) => existsSync(resolve(dirname(path), key))));
  for (const file of files) {
    const key = keyOf(path, file.path);
    const found = new Map<string, KnownFinding>();
    for (const { fingerprint, rule, message } of file.diagnostics) {
      found.set(fingerprint, { count: (found.get(fingerprint)?.count ?? 0) + 1, rule, message });
    }
    if (found.size === 0) entries.delete(key);
    else entries.set(key, Object.fromEntries([...found].sort(byKey)));
  }
  const baseline: BaselineFile = { version: 1, files: Object.fromEntries([...entries].sort(byKey)) };
  writeAtomically(path, `${JSON.stringify(baseline, null, 2)}\n`);
  return baseline;
}

/** Sorted, so that two versions of the file can be compared. */
function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** The same whatever folder the command runs in. */
function keyOf(baseline: string, file: string): string {
  return relative(resolve(dirname(baseline)), resolve(file))
    .split(sep)
    .join("/");
}

type Entry = Readonly<Record<string, KnownFinding>>;

function entryOf(baseline: BaselineFile, key: string): Entry | undefined {
  return Object.hasOwn(baseline.files, key) ? baseline.files[key] : undefined;
}

/** What is recorded of files that don't exist any more: each may stand somewhere else now. */
class MovedFiles {
  private readonly path: string;
  private readonly baseline: BaselineFile;
  private left: Set<Entry> | undefined = undefined;

  constructor(path: string, baseline: BaselineFile) {
    this.path = path;
    this.baseline = baseline;
  }

  /** The one of which a file has the most findings, and half of them at least: a few are alike in many files. */
  entryFor({ diagnostics }: CheckedFile): Entry | undefined {
    if (diagnostics.length === 0) return undefined;
    this.left ??= this.vanished();
    const found = new Set(diagnostics.map(({ fingerprint }) => fingerprint));
    let best: Entry | undefined;
    let most = 0;
    for (const entry of this.left) {
      const fingerprints = Object.keys(entry);
      const shared = fingerprints.filter((each) => found.has(each)).length;
      if (shared <= most || shared * 2 < fingerprints.length) continue;
      best = entry;
      most = shared;
    }
    if (best !== undefined) this.left.delete(best);
    return best;
  }

  private vanished(): Set<Entry> {
    const folder = dirname(this.path);
    const gone = Object.entries(this.baseline.files).filter(([key]) => !existsSync(resolve(folder, key)));
    return new Set(gone.map(([, entry]) => entry));
  }
}

function isBaseline(value: unknown): value is BaselineFile {
  if (!isObject(value) || value["version"] !== 1 || !isObject(value["files"])) return false;
  return Object.values(value["files"]).every(
    (file) =>
      isObject(file) &&
      Object.values(file).every((entry) => isObject(entry) && typeof entry["count"] === "number"),
  );
}
