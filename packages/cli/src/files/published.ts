import { spawnSync } from "node:child_process";
import { dirname, relative, resolve, sep } from "node:path";
import { UsageError } from "../command-line/usage-error.ts";
import { readNamedFile } from "./read.ts";

/** A config as it was published: a file, or what git keeps. */
interface PublishedFile {
  /** How messages call it. */
  readonly name: string;
  readonly content: Uint8Array;
}

/** What a version of a config may weigh at most in git: far beyond any config, far below what hurts. */
const LIMIT = 256 * 1024 * 1024;

/**
 * Reads the published version of a config.
 *
 * @param from a path, `git:REF:PATH` (PATH from the repository's root, or from the current folder if it begins with `./`), or
 *   `git:REF` for the file's own path at that ref
 * @param file the new version, which says the repository that is meant
 * @param verb whose help is named in messages
 * @throws UsageError if it can't be read, with what to do
 */
export function readPublished(from: string, file: string, verb: string): PublishedFile {
  if (!from.startsWith("git:")) return { name: from, content: readNamedFile(from, verb) };
  const [, ref = "", path = `./${relative("", resolve(file))}`] = /^git:([^:]*)(?::(.*))?$/s.exec(from) ?? [];
  // A name that begins with a dash would be an option of git.
  if (ref === "" || ref.startsWith("-") || path === "")
    throw new UsageError(
      `--against is a file, git:REF:PATH, or git:REF for the same path, not “${from}”.`,
      verb,
    );
  const folder = dirname(resolve(file));
  return { name: `${ref}:${path}`, content: show(ref, pathIn(folder, path), { folder, verb, path }) };
}

/** A path from the current folder as git wants it in another one. */
function pathIn(folder: string, path: string): string {
  if (!/^\.\.?[/\\]/.test(path)) return path;
  return `./${relative(folder, resolve(path)).split(sep).join("/")}`;
}

function show(
  ref: string,
  asked: string,
  { folder, verb, path }: { readonly folder: string; readonly verb: string; readonly path: string },
): Uint8Array {
  const git = (args: readonly string[]) => gitIn(folder, args);
  const { stdout, stderr, status, error } = git(["show", "--no-textconv", `${ref}:${asked}`]);
  if (status === 0) {
    // Of a folder git shows what is in it.
    if (!stdout.toString("latin1", 0, 5).startsWith("tree ") || !isFolder(git, ref, asked)) return stdout;
    throw new UsageError(`${path} is a folder in ${ref}: name the config in it.`, verb);
  }
  if (error !== undefined) {
    const missing = "code" in error && error.code === "ENOENT";
    throw new UsageError(
      missing ? "git isn't installed here: give the published version as a file." : error.message,
      verb,
    );
  }
  if (git(["rev-parse", "--git-dir"]).status !== 0)
    throw new UsageError(
      `${relative("", folder) || "this folder"} is in no git repository: give the published version as a file.`,
      verb,
    );
  if (git(["rev-parse", "--verify", "--quiet", `${ref}^{commit}`]).status !== 0) {
    const advice = isShallow(folder)
      ? ` The repository was cloned without its history: fetch it, in GitHub's checkout by “fetch-depth: 0”.`
      : " “git branch --all” and “git tag” list what there is.";
    throw new UsageError(`git knows no “${ref}”.${advice}`, verb);
  }
  if (/exists on disk, but not in|does not exist in|path .* exists, but not/.test(stderr.toString()))
    throw new UsageError(
      `there is no ${path} in ${ref}. A config that isn't published breaks nothing; one that was moved is named by its old path, git:${ref}:PATH, from the repository's root.`,
      verb,
    );
  throw new UsageError(`git can't show ${ref}:${path}: ${stderr.toString().trim()}`, verb);
}

function isFolder(
  git: (args: readonly string[]) => ReturnType<typeof gitIn>,
  ref: string,
  path: string,
): boolean {
  return (
    git(["cat-file", "-t", `${ref}:${path}`])
      .stdout.toString()
      .trim() === "tree"
  );
}

function isShallow(folder: string): boolean {
  return gitIn(folder, ["rev-parse", "--is-shallow-repository"]).stdout.toString().trim() === "true";
}

function gitIn(folder: string, args: readonly string[]) {
  // Messages are recognised: they must be in English.
  return spawnSync("git", args, { cwd: folder, maxBuffer: LIMIT, env: { ...process.env, LC_ALL: "C" } });
}
