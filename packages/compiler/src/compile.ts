import { bind, rebind } from "./bind/binder.ts";
import type { Model } from "./bind/model.ts";
import { holdModel } from "./bind/resolve.ts";
import { remember } from "./check/by-part.ts";
import { diagnose } from "./check/diagnose.ts";
import { type App, emit } from "./emit/emit.ts";
import type { Diagnostic } from "./findings/diagnostic.ts";
import { noSamples, type Samples } from "./options/samples.ts";
import { defaultSettings, type Settings } from "./options/settings.ts";
import { parseDocument } from "./parse/document.ts";
import { reparse } from "./parse/reparse.ts";

/** What `compile` takes besides the text. */
export interface CompileOptions {
  /** Name of the document; only its ending counts: `.jsonc` allows comments and trailing commas. */
  readonly uri?: string;
  /** Absent members have their defaults. */
  readonly settings?: Partial<Settings>;
  /** Responses of the API; without any, nothing is known of what an `!http` gives. */
  readonly samples?: Partial<Samples>;
}

/** A compiled document: the model for checks and editors, the app for the runtime, and what is to be said of it. */
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
  return new CompiledDocument(bind(document, settingsOf(options), samplesOf(options)));
}

/**
 * Compiles another version of a document: gives what `compile` gives, in a time that depends on what changed. Intakes and workflows
 * whose text stayed the same are taken over from the version before, and so are the findings in them as long as nothing changed
 * that they rest on.
 *
 * The version before stays usable. But models share what didn't change: one that was asked for before has to be asked for again
 * (`previous.model`) before it is read on.
 *
 * @param options of the new version; other settings or samples than before mean that everything is compiled anew
 */
export function recompile(previous: Compilation, text: string, options: CompileOptions = {}): Compilation {
  const before = previous.model;
  const { document } = before;
  const [settings, samples] = [settingsOf(options), samplesOf(options)];
  const isSameTask =
    document.uri === (options.uri ?? "") &&
    JSON.stringify(settings) === JSON.stringify(before.settings) &&
    samplesKinds.every((kind) => samples[kind] === before.samples[kind]);
  if (!isSameTask) return compile(text, options);
  if (text === document.text) return previous;
  remember(before);
  return new CompiledDocument(rebind(reparse(document, text), before));
}

const samplesKinds = Object.keys(noSamples) as (keyof Samples)[];

function settingsOf({ settings }: CompileOptions): Settings {
  return { ...defaultSettings, ...settings };
}

function samplesOf({ samples }: CompileOptions): Samples {
  return { ...noSamples, ...samples };
}

/** A class for the sake of `app`; see `ParsedDocument`. */
class CompiledDocument implements Compilation {
  private readonly bound: Model;
  private checked: readonly Diagnostic[] | undefined = undefined;
  private emitted: App | undefined = undefined;

  constructor(model: Model) {
    this.bound = model;
  }

  get model(): Model {
    holdModel(this.bound);
    return this.bound;
  }

  get diagnostics(): readonly Diagnostic[] {
    const { model } = this;
    this.checked ??= diagnose(model);
    return this.checked;
  }

  get app(): App {
    this.emitted ??= emit(this.model);
    return this.emitted;
  }
}
