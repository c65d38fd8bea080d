import type { Facts } from "./facts.ts";

/** What one registry wants from us, as files, and what only people can do there. */
export interface Entry {
  /** The name of its folder. */
  readonly id: string;
  /** What people know it as. */
  readonly name: string;
  /** Where the files go, in one sentence. */
  readonly goes: string;
  /** The files by path, in the registry's own layout. */
  files(facts: Facts): Readonly<Record<string, string>>;
  /** What is wrong with these files by the registry's own rules; empty if they hold. */
  problems(
    files: Readonly<Record<string, string>>,
    facts: Facts,
  ): readonly string[] | Promise<readonly string[]>;
  /** What has to be there before it can be published, and isn't. */
  missing(facts: Facts): readonly string[];
}

/** What nearly every registry shows of a project. */
export function missingAddresses({ homepage, repository }: Facts): string[] {
  const missing: string[] = [];
  if (repository === undefined) missing.push("the repository's address: `repository` in package.json");
  if (homepage === undefined) missing.push("the address of the documentation: `homepage` in package.json");
  return missing;
}
