import type { Source } from "../files/source.ts";
import type { SettingsFinder } from "../settings/finder.ts";
import type { RuleLevels } from "../settings/project-settings.ts";
import type { KnownResults } from "./known-results.ts";
import type { CompilerModules, LoadCompiler } from "./load-compiler.ts";
import type { Outcome } from "./outcome.ts";
import type { TaskOptions } from "./task-options.ts";

/** What is done for each file. */
interface FileOptions extends TaskOptions {
  readonly levels: RuleLevels;
}

/** Checks files one after another; those whose findings are known aren't checked again. */
export class FileChecker {
  /** How many files weren't known. */
  checked = 0;
  private readonly settings: SettingsFinder;
  private readonly options: FileOptions;
  private readonly known: KnownResults | undefined;
  private readonly load: LoadCompiler;
  private readonly tell: (text: string) => void;
  private loaded: Promise<Loaded> | undefined;

  /**
   * @param known what earlier runs have found, if that counts
   * @param load the compiler, where something isn't known
   * @param tell takes what is to be said of samples that can't be used
   */
  constructor(
    settings: SettingsFinder,
    options: FileOptions,
    known: KnownResults | undefined,
    load: LoadCompiler,
    tell: (text: string) => void,
  ) {
    this.settings = settings;
    this.options = options;
    this.known = known;
    this.load = load;
    this.tell = tell;
  }

  /** @throws UsageError if the command line names a rule that there isn't, or a settings file is wrong */
  async check(source: Source): Promise<Outcome> {
    const question = this.known?.ask(source, this.settings);
    const file = question && this.known?.recall(question, this.options);
    if (file !== undefined) return { file, original: file.text };
    const { checking, files } = await this.compiler();
    const [task] = await checking.tasksOf([source], this.settings, files);
    const outcome = checking.checkFile(task!, this.options, question?.content);
    if (question !== undefined && "file" in outcome)
      this.known?.keep(question, outcome.file, this.options, files.inputsOf(task!.samples));
    this.checked++;
    return outcome;
  }

  /** Loads the compiler. What is known was found with these levels, so only where something is new they have to be looked at. */
  compiler(): Promise<Loaded> {
    this.loaded ??= this.load().then(({ checking }) => {
      checking.requireKnownRules(this.options.levels, "check");
      return { checking, files: checking.sampleFiles(this.tell) };
    });
    return this.loaded;
  }
}

interface Loaded {
  readonly checking: CompilerModules["checking"];
  readonly files: ReturnType<CompilerModules["checking"]["sampleFiles"]>;
}
