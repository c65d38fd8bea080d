import { bind } from "./bind/binder.ts";
import type { Model } from "./bind/model.ts";
import { diagnose } from "./check/diagnose.ts";
import { type App, emit } from "./emit/emit.ts";
import type { Diagnostic } from "./findings/diagnostic.ts";
import { parseDocument } from "./parse/document.ts";
import { noSamples, type Samples } from "./samples/samples.ts";
import { defaultSettings, type Settings } from "./settings.ts";

export interface CompileOptions {
  /** Name of the document; only its ending counts: `.jsonc` allows comments and trailing commas. */
  readonly uri?: string;
  /** Absent members have their defaults. */
  readonly settings?: Partial<Settings>;
  /** Responses of the API; without any, nothing is known of what an `!http` gives. */
  readonly samples?: Partial<Samples>;
}

export interface Compilation {
  readonly model: Model;
  /** Made when first read. */
  readonly app: App;
  /** Found when first read: an editor's other questions don't wait for them. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles an integration app config: parse, bind, check, emit.
 *
 * Pure and synchronous. Model and app are there also when there are diagnostics. Never throws, whatever the text (D2).
 *
 * @param source the document's text, or its bytes
 */
export function compile(source: string | Uint8Array, options: CompileOptions = {}): Compilation {
  const document = parseDocument(source, options.uri ?? "");
  const model = bind(
    document,
    { ...defaultSettings, ...options.settings },
    { ...noSamples, ...options.samples },
  );
  return new CompiledDocument(model);
}

/** A class for the sake of `app`; see `ParsedDocument`. */
class CompiledDocument implements Compilation {
  readonly model: Model;
  private checked: readonly Diagnostic[] | undefined = undefined;
  private emitted: App | undefined = undefined;

  constructor(model: Model) {
    this.model = model;
  }

  get diagnostics(): readonly Diagnostic[] {
    this.checked ??= diagnose(this.model);
    return this.checked;
  }

  get app(): App {
    this.emitted ??= emit(this.model);
    return this.emitted;
  }
}
