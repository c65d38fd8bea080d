import { constantOf, literalText } from "../constant.ts";
import { diagnostic, type JqDiagnostic, type ModuleProblem, renderMessage } from "../diagnostics.ts";
import type { Json } from "../json.ts";
import { type GivenNames, type ImportedNames, type Resolution, resolve } from "../resolve/resolve.ts";
import { parseModule } from "../syntax/parser.ts";
import type { Definition, ModuleDirective, Program, Span, VariablePattern } from "../syntax-tree.ts";
import type { ModuleResolver } from "./module.ts";

/** A module as it was found, with all that its names mean. */
interface LinkedModule {
  readonly name: string;
  /** Its first offset: the offsets of a module begin behind those of the program and of all modules before it. */
  readonly start: number;
  /** In source order. */
  readonly definitions: readonly Definition[];
  readonly imported: ImportedNames;
}

/** A variable of a module with data. */
export interface LinkedData {
  readonly variable: VariablePattern;
  readonly value: Json;
}

/** A program and all modules that it needs. */
export interface Linked {
  readonly imported: ImportedNames;
  /** Each behind those that it imports. */
  readonly modules: readonly LinkedModule[];
  readonly data: readonly LinkedData[];
  /** Of the program and of all modules. Its diagnostics are those of the program. */
  readonly resolution: Resolution;
}

/** The program alone, as if modules couldn't be had. */
function alone(program: Program, given: GivenNames): Linked {
  const imported: ImportedNames = { functions: new Map(), variables: new Map() };
  return { imported, modules: [], data: [], resolution: resolve(program, given) };
}

/**
 * Finds and reads the modules of a program, and connects the names of all of them with what they mean.
 * @param given what the caller binds, which modules see too
 * @param find without it, the program stands alone
 */
export function link(program: Program, given: GivenNames, find: ModuleResolver | undefined): Linked {
  if (find === undefined || program.directives.length === 0) return alone(program, given);
  return new Linker(given, find, program.end + 1).link(program);
}

/** A resolver may make up a module for whatever it is asked for, and each of them may import another. */
const MOST_MODULES = 1_000;
const MOST_NESTED = 100;

class Linker {
  private readonly given: GivenNames;
  private readonly find: ModuleResolver;
  /** Where the offsets of the next module begin. */
  private offset: number;
  private readonly modules = new Map<string, LinkedModule>();
  private readonly data = new Map<string, LinkedData>();
  /** Names of modules that are being linked. */
  private readonly open = new Set<string>();
  private readonly resolutions: Resolution[] = [];

  constructor(given: GivenNames, find: ModuleResolver, offset: number) {
    this.given = given;
    this.find = find;
    this.offset = offset;
  }

  link(program: Program): Linked {
    const found: JqDiagnostic[] = [];
    const imported = this.importedBy(program, undefined, found);
    const own = resolve(program, this.given, imported);
    const all = [...this.resolutions, own];
    return {
      imported,
      modules: [...this.modules.values()],
      data: [...this.data.values()],
      resolution: {
        functions: new Map(all.flatMap(({ functions }) => [...functions])),
        variables: new Map(all.flatMap(({ variables }) => [...variables])),
        labels: new Map(all.flatMap(({ labels }) => [...labels])),
        diagnostics: [...found, ...own.diagnostics],
      },
    };
  }

  private importedBy(
    { directives }: Program,
    from: string | undefined,
    found: JqDiagnostic[],
  ): ImportedNames {
    const functions = new Map<string, Definition>();
    const variables = new Map<string, VariablePattern>();
    for (const directive of directives) {
      const { metadata, alias, path } = directive;
      const values = metadata === undefined ? {} : constantOf(metadata);
      if (values === null || typeof values !== "object" || Array.isArray(values)) {
        found.push(problem(metadata!, "", "metadata"));
        continue;
      }
      if (directive.directive === "module") continue;
      const name = path === undefined ? undefined : literalText(path);
      // What is missing was reported by the parser.
      if (path === undefined || (directive.directive === "import" && alias === undefined)) continue;
      if (name === undefined) {
        found.push(problem(path, "", "path"));
        continue;
      }
      const { search } = values as { readonly search?: Json };
      const isData = alias?.text.startsWith("$") === true;
      const target = this.find({ path: name, isData, search, from });
      if (target === undefined || (isData ? target.data : target.text) === undefined) {
        found.push(problem(path, name, "missing"));
      } else if (isData) {
        const short = alias.text.slice(1);
        const { variable } = this.dataOf(target.name, target.data!, alias);
        variables.set(short, variable).set(`${short}::${short}`, variable);
      } else {
        const prefix = alias === undefined ? "" : `${alias.text}::`;
        const module = this.moduleOf(target.name, target.text!, directive, name, found);
        for (const definition of module?.definitions ?? []) {
          functions.set(`${prefix}${definition.name.text}/${definition.parameters.length}`, definition);
        }
      }
    }
    return { functions, variables };
  }

  private dataOf(name: string, value: Json, alias: { readonly text: string } & Span): LinkedData {
    const known = this.data.get(name);
    if (known !== undefined) return known;
    const { text, start, end } = alias;
    const made: LinkedData = {
      variable: { kind: "VariablePattern", name: text.slice(1), start, end },
      value,
    };
    this.data.set(name, made);
    return made;
  }

  private moduleOf(
    name: string,
    text: string,
    place: ModuleDirective,
    path: string,
    found: JqDiagnostic[],
  ): LinkedModule | undefined {
    const known = this.modules.get(name);
    if (known !== undefined) return known;
    if (this.open.has(name)) {
      found.push(problem(place.path!, path, "cycle"));
      return undefined;
    }
    if (this.open.size >= MOST_NESTED || this.modules.size + this.open.size >= MOST_MODULES) {
      found.push(problem(place.path!, path, "limit"));
      return undefined;
    }
    this.open.add(name);
    const { program, diagnostics } = parseModule(text);
    const mistakes = diagnostics.filter(({ code }) => code !== "module-directive");
    const start = this.offset;
    this.offset += text.length + 1;
    move(program, start, name);
    const imported = this.importedBy(program, name, mistakes);
    const own = resolve(program, this.given, imported);
    this.resolutions.push(own);
    mistakes.push(...own.diagnostics.filter(({ code }) => code !== "unknown-format"));
    this.open.delete(name);
    const [first] = mistakes;
    if (first !== undefined) {
      // The parser's were made before the tree was moved.
      const at = first.start >= start ? first.start - start : first.start;
      const line = text.slice(0, at).split("\n").length;
      found.push(problem(place.path!, path, "mistake", `line ${line}: ${renderMessage(first)}`));
    }
    const stages = program.body.kind === "Pipeline" ? program.body.stages : [];
    const module: LinkedModule = {
      name,
      start,
      definitions: stages.filter((stage) => stage.kind === "Definition"),
      imported,
    };
    this.modules.set(name, module);
    return module;
  }
}

function problem(place: Span, path: string, what: ModuleProblem, detail?: string): JqDiagnostic {
  return diagnostic("module-problem", place, {
    path,
    problem: what,
    ...(detail === undefined ? {} : { detail }),
  });
}

/** Moves a tree that nobody else has behind other texts, and tells its places which module they are in. */
function move(tree: object, offset: number, module: string): void {
  const parts: object[] = [tree];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if ("start" in part && "end" in part) {
      const span = part as { start: number; end: number };
      span.start += offset;
      span.end += offset;
    }
    if ("kind" in part && part.kind === "SourceLocation") Object.assign(part, { file: module });
    for (const value of Object.values(part))
      if (typeof value === "object" && value !== null) parts.push(value);
  }
}
