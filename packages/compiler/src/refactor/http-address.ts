import { renameMember, replaceInString } from "../check/edits.ts";
import { textOf } from "../parse/syntax-tree.ts";
import { parseTemplate } from "../parse/template.ts";
import { maskValues, readUrl } from "../parse/url.ts";
import type { Refactor } from "./refactoring.ts";

/** Writes the address of a request as `path` below `api.base_url`, or as a whole `url` (D17). */
export const httpAddress: Refactor = ({ model, command }) => {
  const { document, api } = model;
  const { argument, key } = command;
  const base = textOf(api?.node, "base_url")?.replace(/\/+$/, "");
  if (key !== "!http" || argument?.kind !== "object" || base === undefined || !isPlain(base)) return [];
  // Another target has an address, or credentials, of its own.
  if ((textOf(argument, "target") ?? "connection") !== "connection") return [];
  const [path, url] = [argument.member("path"), argument.member("url")];
  if (path !== undefined && url !== undefined) return [];
  if (url?.value?.kind === "string") {
    const { value } = url.value;
    const rest = value.slice(base.length);
    if (!value.startsWith(`${base}/`) || rest.startsWith("//")) return [];
    const edits = [renameMember(url, "path"), replaceInString(document, url.value, 0, base.length, "")];
    return [{ title: "Write as a `path` below `api.base_url`", kind: "rewrite", edits }];
  }
  if (path?.value?.kind === "string") {
    const { value } = path.value;
    // What is empty is the base itself, and a whole URL is taken as it is.
    if (
      value === "" ||
      value.startsWith("//") ||
      /^[?#\s$]/.test(value) ||
      /^[A-Za-z][\w+.-]*:\/\//.test(value)
    )
      return [];
    const prefix = value.startsWith("/") ? base : `${base}/`;
    const edits = [renameMember(path, "url"), replaceInString(document, path.value, 0, 0, prefix)];
    return [{ title: "Write as a whole `url`", kind: "rewrite", edits }];
  }
  return [];
};

/** An address that others can be joined to, and whose origin is there for who reads it. */
function isPlain(base: string): boolean {
  const url = readUrl(maskValues(base, parseTemplate(base)));
  return url !== undefined && url.query === undefined && url.fragment === undefined && !base.startsWith("$");
}
