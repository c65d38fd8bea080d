import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The folder of all packages. */
export const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/** Where an exported name is declared. */
export interface Place {
  /** Absolute. */
  readonly file: string;
  /** What it is called there; undefined for a whole module that is exported under a name. */
  readonly local: string | undefined;
}

const sources = new Map<string, ts.SourceFile>();

/** The syntax tree of a file. */
export function sourceOf(file: string): ts.SourceFile {
  const parsed = sources.get(file);
  if (parsed !== undefined) return parsed;
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, false);
  sources.set(file, source);
  return source;
}

/** The file of a specifier: one beside it, or the entry of another library; undefined for what isn't ours. */
function fileOf(specifier: ts.Expression | undefined, from: string): string | undefined {
  if (specifier === undefined || !ts.isStringLiteral(specifier)) return undefined;
  const [, library, entry = "index"] = /^@configc\/([\w-]+)(?:\/(internal))?$/.exec(specifier.text) ?? [];
  if (library !== undefined) return resolve(packages, library, `src/${entry}.ts`);
  return specifier.text.startsWith(".") ? resolve(from, "..", specifier.text) : undefined;
}

const known = new Map<string, ReadonlyMap<string, Place>>();

/** Where the names are declared that a file exports: without types, so that it takes no time. */
export function exportsOf(file: string): ReadonlyMap<string, Place> {
  const before = known.get(file);
  if (before !== undefined) return before;
  const found = new Map<string, Place>();
  known.set(file, found);
  for (const statement of sourceOf(file).statements) {
    if (ts.isExportDeclaration(statement)) {
      const target = fileOf(statement.moduleSpecifier, file);
      const { exportClause } = statement;
      if (target !== undefined && exportClause === undefined)
        for (const [name, place] of exportsOf(target)) found.set(name, place);
      else if (target !== undefined && exportClause !== undefined && ts.isNamespaceExport(exportClause))
        found.set(exportClause.name.text, { file: target, local: undefined });
      else if (exportClause !== undefined && ts.isNamedExports(exportClause))
        for (const { name, propertyName } of exportClause.elements) {
          const inner = (propertyName ?? name).text;
          const place = target === undefined ? importOf(file, inner) : exportsOf(target).get(inner);
          if (place !== undefined) found.set(name.text, place);
        }
    } else if (isExported(statement)) {
      for (const local of namesOf(statement)) found.set(local, { file, local });
    }
  }
  return found;
}

/** A name that a file exports by itself: declared in it, or imported. */
function importOf(file: string, name: string): Place | undefined {
  for (const statement of sourceOf(file).statements) {
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const element = bindings.elements.find((each) => each.name.text === name);
    const target = fileOf((statement as ts.ImportDeclaration).moduleSpecifier, file);
    if (element !== undefined)
      return target === undefined
        ? undefined
        : exportsOf(target).get((element.propertyName ?? element.name).text);
  }
  return { file, local: name };
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  );
}

/** The names that a statement declares. */
export function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const { name } = statement as ts.DeclarationStatement;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}
