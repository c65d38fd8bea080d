import type { Failure } from "./source.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "the permission to read it is missing",
  EPERM: "the permission to read it is missing",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file",
  ELOOP: "its symbolic links go round in a circle",
  EMFILE: "too many files are open",
  EFBIG: "it isn't a file, and gives more than 64 MiB",
  ENOSPC: "there is no space left",
  EADDRINUSE: "another program listens at that port; --port names another one",
  EROFS: "the file system is read-only",
};

/** Says why a file operation failed. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

export function failureOf(path: string, error: unknown): Failure {
  return { path, message: reasonOf(error) };
}
