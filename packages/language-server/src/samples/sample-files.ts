import { existsSync, statSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type ApiDocument,
  noSamples,
  type PayloadSample,
  readWorldFile,
  type Sample,
  type Samples,
  type WorldFile,
} from "@configc/compiler";
import { readSamples } from "@configc/compiler/internal";
import { reasonOfBadJson } from "./bad-json.ts";
import { samplesFolder } from "./folder.ts";
import { foldersOf, nearestFolder } from "./glob.ts";
import { hashOf, type Input } from "./inputs.ts";
import { operationLine } from "./operation-line.ts";
import { readWhole } from "./read-whole.ts";
import { type SampleSources, sampleFilesOf } from "./sources.ts";

const NO_FILE = "there is no such file or folder";

/** Instead of the hash of a part that was read twice and wasn't the same. */
const CHANGING = "changing";

/** The content of a file, as it was when it was read. */
type Content = { readonly hash: string | undefined } & (
  | {
      readonly kind: "samples";
      readonly samples: readonly Sample[];
      readonly payloads: readonly PayloadSample[];
    }
  | { readonly kind: "document"; readonly path: string }
  | { readonly kind: "world"; readonly world: WorldFile }
  | { readonly kind: "problem"; readonly problem: string }
);

interface ReadDocument {
  /** Its files: itself, and those that it refers to. */
  readonly files: ReadonlySet<string>;
  /** Of all of them. */
  readonly state: string;
  /** The hash of what was read of each; undefined if it can't be read. */
  readonly hashes: ReadonlyMap<string, string | undefined>;
  readonly document?: ApiDocument;
}

/**
 * Reads samples from disk: those in `NAME.samples/` beside a config `NAME.app.json`, what the settings name, and `NAME.world.json`. Files are
 * read again when they have changed. OpenAPI documents are read by `load`; until then nothing is known of them.
 */
export class SampleFiles {
  private readonly contents = new Map<string, { readonly state: string; readonly content: Content }>();
  private readonly documents = new Map<string, ReadDocument>();
  private readonly latest = new Map<string, Samples>();
  private readonly versions = new WeakMap<Samples, number>();
  private readonly inputs = new WeakMap<Samples, readonly Input[] | undefined>();
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
    const files = sampleFilesOf(config, sources);
    if (files.length === 0) return noSamples;
    const contents = files.map((path) => this.read(path));
    const inputs = this.inputsFrom(files, contents);
    const responses = contents.flatMap((content) => (content.kind === "samples" ? content.samples : []));
    const payloads = contents.flatMap((content) => (content.kind === "samples" ? content.payloads : []));
    const folder = samplesFolder(config);
    const own = contents.flatMap((content, index) =>
      content.kind === "samples" && dirname(files[index]!) === folder
        ? [...content.samples, ...content.payloads].map(({ name }) => name)
        : [],
    );
    const documents = contents.flatMap((content) => {
      const document = content.kind === "document" ? this.documents.get(content.path)?.document : undefined;
      return document ?? [];
    });
    const [world] = contents.flatMap((content) => (content.kind === "world" ? content.world : []));
    const known = this.latest.get(config);
    if (
      known !== undefined &&
      same(known.responses, responses) &&
      same(known.payloads, payloads) &&
      same(known.documents, documents) &&
      same(known.own, own) &&
      known.world === world
    ) {
      this.inputs.set(known, inputs);
      return known;
    }
    const samples = { responses, payloads, documents, own, world };
    this.latest.set(config, samples);
    this.inputs.set(samples, inputs);
    return samples;
  }

  /**
   * The files that samples were read from, as they were when they were read (`inputsDigest`).
   *
   * @param samples given by `of`
   * @returns undefined if one of them couldn't be used
   */
  inputsOf(samples: Samples): readonly Input[] | undefined {
    return samples === noSamples ? [] : this.inputs.get(samples);
  }

  private inputsFrom(files: readonly string[], contents: readonly Content[]): readonly Input[] | undefined {
    const inputs: Input[] = [];
    for (const [index, path] of files.entries()) {
      const content = contents[index]!;
      if (content.kind === "problem") return undefined;
      const read = content.kind === "document" ? this.documents.get(path) : undefined;
      if (content.kind === "document" && read?.document === undefined) return undefined;
      const parts = [...(read?.hashes ?? [])].map(([part, hash]) => ({ path: part, hash }));
      // It changed while it was read.
      if (parts.some((part) => part.hash === CHANGING || (part.path === path && part.hash !== content.hash)))
        return undefined;
      inputs.push({ path, hash: content.hash, parts: parts.filter((part) => part.path !== path) });
    }
    return inputs;
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
    const wanted = sampleFilesOf(config, sources).filter((path) => this.read(path).kind === "document");
    const changed = wanted.filter((path) => {
      const known = this.documents.get(path);
      return known === undefined || known.state !== stateOfAll(known.files);
    });
    for (const path of changed) {
      // So that it isn't read twice at the same time.
      this.documents.set(path, { files: new Set([path]), state: stateOf(path), hashes: new Map() });
      const files = new Set<string>();
      // A file that changes while it is read is read again.
      const states: string[] = [];
      const hashes = new Map<string, string | undefined>();
      const { readOpenApi } = await import("./openapi.ts");
      const asked = (file: string): void => {
        if (files.has(file)) return;
        files.add(file);
        states.push(stateOf(file));
      };
      asked(path);
      const read = (file: string, content: Uint8Array | undefined): void => {
        const hash = content && hashOf(content);
        hashes.set(file, hashes.has(file) && hashes.get(file) !== hash ? CHANGING : hash);
      };
      try {
        const content = await readOpenApi(path, { asked, read });
        const problem = documentProblem(content);
        if (problem !== undefined) throw new Error(problem);
        const document = {
          name: basename(path),
          content,
          uri: pathToFileURL(path).href,
          lineOf: (of: string, method: string) => operationLine(path, of, method),
        };
        this.documents.set(path, { files, state: states.join("\n"), hashes, document });
      } catch (error) {
        this.documents.set(path, { files, state: states.join("\n"), hashes });
        this.tell(path, existsSync(path) ? firstLine(error) : NO_FILE);
      }
    }
    return changed.length > 0;
  }

  /** The folders, besides the config's own, in which something may change what is known for a config; all of them exist. */
  folders(config: string, sources: SampleSources | undefined): string[] {
    const { folder = "", patterns = [] } = sources ?? {};
    const named = patterns.flatMap((pattern) => foldersOf(folder, pattern.replace(/^!/, "")));
    const parts = sampleFilesOf(config, sources).flatMap((path) => [
      ...(this.documents.get(path)?.files ?? []),
    ]);
    const others = [samplesFolder(config), ...parts.map((path) => dirname(path))].map(nearestFolder);
    return [...new Set([...named, ...others])];
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

/** Members that tell what describes an API from samples. */
const documentKinds = ["openapi", "swagger"];

/** Why a document can't be used; undefined for one of OpenAPI 3. */
function documentProblem(content: unknown): string | undefined {
  const root: Readonly<Record<string, unknown>> =
    typeof content === "object" && content !== null ? { ...content } : {};
  const { openapi, swagger } = root;
  // A version without quotes is a number in YAML.
  if (/^3(?:\.|$)/.test(String(openapi))) return undefined;
  if (swagger !== undefined)
    return `it is a document of Swagger ${String(swagger)}, which isn't read (Swagger 2.0 and OpenAPI 3 are)`;
  return "it is no OpenAPI 3 document: it has no `openapi: 3.…`";
}

function contentOf(path: string): Content {
  let hash: string | undefined;
  try {
    const bytes = readWhole(path);
    hash = hashOf(bytes);
    if (/\.ya?ml$/i.test(path)) return { kind: "document", path, hash };
    const value: unknown = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
    if (
      typeof value === "object" &&
      value !== null &&
      documentKinds.some((kind) => Object.hasOwn(value, kind))
    )
      return { kind: "document", path, hash };
    if (path.endsWith(".world.json")) return { ...worldOf(value), hash };
    const read = readSamples(basename(path), value);
    if ("problem" in read) return { kind: "problem", ...read, hash };
    const { href: uri } = pathToFileURL(path);
    return {
      kind: "samples",
      samples: read.samples.map((sample) => ({ ...sample, uri })),
      payloads: read.payloads.map((payload) => ({ ...payload, uri })),
      hash,
    };
  } catch (error) {
    // One in YAML that can't be read is mentioned by whoever parses it.
    if (hash === undefined && /\.ya?ml$/i.test(path)) return { kind: "document", path, hash };
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return { kind: "problem", problem: missing ? NO_FILE : firstLine(error), hash };
  }
}

/** The names of intakes are left to who has the app: a config that is being edited may not have them yet. */
function worldOf(
  value: unknown,
):
  | { readonly kind: "world"; readonly world: WorldFile }
  | { readonly kind: "problem"; readonly problem: string } {
  const { file, problems } = readWorldFile(value);
  const [problem] = problems;
  return problem === undefined
    ? { kind: "world", world: file }
    : { kind: "problem", problem: problem.replace(/\.$/, "") };
}

function firstLine(error: unknown): string {
  if (error instanceof SyntaxError) return reasonOfBadJson(error);
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
