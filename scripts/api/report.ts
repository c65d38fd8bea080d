import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { exportsOf, namesOf, type Place, packages, sourceOf } from "./exports.ts";

/** The libraries whose surface is for others. */
export const libraries = [
  "jq",
  "compiler",
  "runtime",
  "simulate",
  "debug",
  "scaffold",
  "host",
  "engine-dbos",
  "language-server",
] as const;

/**
 * All that a library exports, entry by entry: declarations in the order of their names, without comments and bodies. It is kept in the
 * repository, so that a review sees each change of the surface.
 *
 * Types that the compiler of TypeScript infers aren't in it: a constant without one is shown with its value.
 *
 * @param library name of its folder in `packages`
 */
export function apiReport(library: string): string {
  const entries = entriesOf(library).map(({ name, file }) => {
    const declarations = [...exportsOf(file)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([exported, place]) => declarationOf(exported, place));
    return `// ${name}\n\n${declarations.join("\n")}`;
  });
  return `// What the package exports. Written by npm run docs; don't edit it.\n\n${entries.join("\n")}`;
}

/** The names that a package can be imported by, with their sources. */
function entriesOf(library: string): { readonly name: string; readonly file: string }[] {
  const manifest = JSON.parse(readFileSync(resolve(packages, library, "package.json"), "utf8")) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.entries(manifest.exports).flatMap(([path, target]) => {
    // What only our packages use is no surface.
    if (typeof target === "string" || path === "./internal") return [];
    const source = target.types.replace(/^\.\/dist\//, "src/").replace(/\.d\.ts$/, ".ts");
    return [{ name: manifest.name + path.slice(1), file: resolve(packages, library, source) }];
  });
}

function declarationOf(exported: string, { file, local }: Place): string {
  if (local === undefined) return `namespace ${exported} {\n${membersOf(file)}}\n`;
  const declared = sourceOf(file).statements.filter((statement) => namesOf(statement).includes(local));
  // Of an overloaded function, the last one is no part of the surface.
  const shown = declared.length > 1 ? declared.filter((each) => !isImplementation(each, declared)) : declared;
  const text = shown.map((statement) => print(withoutBodies(statement, local), file)).join("\n");
  return `${text}${exported === local ? "" : ` // as ${exported}`}\n`;
}

/** The names that a module has, for one that is exported as a whole. */
function membersOf(file: string): string {
  return [...exportsOf(file).keys()]
    .sort()
    .map((name) => `    ${name}\n`)
    .join("");
}

function isImplementation(statement: ts.Statement, all: readonly ts.Statement[]): boolean {
  return (
    ts.isFunctionDeclaration(statement) &&
    statement.body !== undefined &&
    all.some((each) => ts.isFunctionDeclaration(each) && each.body === undefined)
  );
}

function withoutBodies(statement: ts.Statement, name: string): ts.Node {
  const { factory } = ts;
  if (ts.isFunctionDeclaration(statement)) {
    const { asteriskToken, typeParameters, parameters, type } = statement;
    return factory.createFunctionDeclaration(
      undefined,
      asteriskToken,
      name,
      typeParameters,
      parameters,
      type,
      undefined,
    );
  }
  if (ts.isClassDeclaration(statement)) {
    const { typeParameters, heritageClauses, members } = statement;
    const own = members.filter(isPublic).map(withoutBody);
    return factory.createClassDeclaration(undefined, name, typeParameters, heritageClauses, own);
  }
  if (ts.isInterfaceDeclaration(statement)) {
    const { typeParameters, heritageClauses, members } = statement;
    return factory.createInterfaceDeclaration(undefined, name, typeParameters, heritageClauses, members);
  }
  if (ts.isTypeAliasDeclaration(statement))
    return factory.createTypeAliasDeclaration(undefined, name, statement.typeParameters, statement.type);
  if (ts.isVariableStatement(statement)) {
    const found = statement.declarationList.declarations.find(
      (each) => ts.isIdentifier(each.name) && each.name.text === name,
    )!;
    const value = found.type === undefined ? found.initializer : undefined;
    const declaration = factory.createVariableDeclaration(name, undefined, found.type, value);
    return factory.createVariableStatement(
      undefined,
      factory.createVariableDeclarationList([declaration], ts.NodeFlags.Const),
    );
  }
  return statement;
}

function isPublic(member: ts.ClassElement): boolean {
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return false;
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  return !modifiers.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
}

function withoutBody(member: ts.ClassElement): ts.ClassElement {
  const { factory } = ts;
  if (ts.isMethodDeclaration(member)) {
    const { modifiers, asteriskToken, name, questionToken, typeParameters, parameters, type } = member;
    return factory.createMethodDeclaration(
      modifiers?.filter(({ kind }) => kind !== ts.SyntaxKind.AsyncKeyword),
      asteriskToken,
      name,
      questionToken,
      typeParameters,
      parameters,
      type,
      undefined,
    );
  }
  if (ts.isConstructorDeclaration(member))
    return factory.createConstructorDeclaration(member.modifiers, member.parameters, undefined);
  if (ts.isGetAccessorDeclaration(member))
    return factory.createGetAccessorDeclaration(
      member.modifiers,
      member.name,
      member.parameters,
      member.type,
      undefined,
    );
  if (ts.isPropertyDeclaration(member) && member.type !== undefined)
    return factory.createPropertyDeclaration(
      member.modifiers,
      member.name,
      member.questionToken ?? member.exclamationToken,
      member.type,
      undefined,
    );
  return member;
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

function print(node: ts.Node, file: string): string {
  return printer.printNode(ts.EmitHint.Unspecified, node, sourceOf(file));
}
