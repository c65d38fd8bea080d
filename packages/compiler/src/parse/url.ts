import type { Span } from "./syntax-tree.ts";
import type { Template } from "./template.ts";

/**
 * URLs as they are written, with expansions in them. All offsets are UTF-16 units in the decoded string.
 *
 * Nothing is resolved or normalised beyond what a comparison of origins needs (D18): the document's own characters are what a
 * finding points at.
 */
export interface UrlSyntax {
  /** In lower case, without `:`. */
  readonly scheme: string;
  /** `user:password`, without `@`. */
  readonly userinfo: Span | undefined;
  /** Without the port; an IPv6 address with its brackets. */
  readonly host: Span;
  /** Without `:`. */
  readonly port: Span | undefined;
  readonly path: Span;
  /** Without `?`. */
  readonly query: Span | undefined;
  /** Without `#`. */
  readonly fragment: Span | undefined;
}

/** What stands for an expansion while a URL is read: a character of names, which separates nothing. */
const STAND_IN = "x";
const PLACEHOLDER = /<[A-Za-z][\w -]*>/g;
const ABSOLUTE = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/\\?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s;

/** The text with its expansions and `<PLACEHOLDERS>` made into plain letters, of the same length. */
export function maskValues(text: string, template: Template | undefined): string {
  let masked = "";
  let at = 0;
  for (const { start, end } of template?.expansions ?? []) {
    masked += text.slice(at, start) + STAND_IN.repeat(end - start);
    at = end;
  }
  masked += text.slice(at);
  return masked.includes("<")
    ? masked.replace(PLACEHOLDER, (found) => STAND_IN.repeat(found.length))
    : masked;
}

/**
 * The parts of an absolute URL.
 *
 * @param masked from `maskValues`
 * @returns undefined where there is no `scheme://`
 */
export function readUrl(masked: string): UrlSyntax | undefined {
  const found = ABSOLUTE.exec(masked);
  if (found === null) return undefined;
  const [, scheme = "", authority = "", path = "", query, fragment] = found;
  const start = scheme.length + 3;
  const end = start + authority.length;
  const at = authority.lastIndexOf("@");
  const hostStart = start + at + 1;
  const host = authority.slice(at + 1);
  // The colons of an IPv6 address stand in brackets; without the closing one, all of it is the (wrong) host.
  const bracket = host.startsWith("[") ? host.indexOf("]") : 0;
  const portColon = bracket < 0 ? -1 : host.indexOf(":", bracket);
  const hostEnd = portColon < 0 ? end : hostStart + portColon;
  const pathEnd = end + path.length;
  const queryEnd = pathEnd + (query?.length ?? 0);
  return {
    scheme: scheme.toLowerCase(),
    userinfo: at < 0 ? undefined : { start, end: start + at },
    host: { start: hostStart, end: hostEnd },
    port: portColon < 0 ? undefined : { start: hostEnd + 1, end },
    path: { start: end, end: pathEnd },
    query: query === undefined ? undefined : { start: pathEnd + 1, end: queryEnd },
    fragment: fragment === undefined ? undefined : { start: queryEnd + 1, end: masked.length },
  };
}

/** The path, query and fragment of what isn't an absolute URL: the value of `path`. */
export function readPath(masked: string): Pick<UrlSyntax, "path" | "query" | "fragment"> {
  const hash = masked.indexOf("#");
  const end = hash < 0 ? masked.length : hash;
  const mark = masked.slice(0, end).indexOf("?");
  return {
    path: { start: 0, end: mark < 0 ? end : mark },
    query: mark < 0 ? undefined : { start: mark + 1, end },
    fragment: hash < 0 ? undefined : { start: hash + 1, end: masked.length },
  };
}

export type UrlProblemKind = "blank" | "relative" | "scheme" | "host" | "port";

interface UrlProblem extends Span {
  readonly kind: UrlProblemKind;
}

/** The first reason why a text can't be the URL of an HTTP request; undefined if it can. */
export function urlProblem(masked: string): UrlProblem | undefined {
  const leading = masked.length - masked.trimStart().length;
  if (leading > 0) return { kind: "blank", start: 0, end: leading };
  const trailing = masked.trimEnd().length;
  if (trailing < masked.length) return { kind: "blank", start: trailing, end: masked.length };
  const url = readUrl(masked);
  if (url === undefined) {
    // `https:/host`, `htps//host`: an attempt at a scheme.
    const attempt = /^ht+ps?(?::\/?|\/\/)/i.exec(masked);
    return attempt === null
      ? { kind: "relative", start: 0, end: masked.length }
      : { kind: "scheme", start: 0, end: attempt[0].length };
  }
  const { scheme, host, port } = url;
  if (scheme !== "http" && scheme !== "https") return { kind: "scheme", start: 0, end: scheme.length };
  if (!isHost(masked.slice(host.start, host.end))) return { kind: "host", ...nonEmpty(host) };
  if (port !== undefined && !isPort(masked.slice(port.start, port.end)))
    return { kind: "port", ...nonEmpty(port) };
  return undefined;
}

/** Something to point at: an empty part takes in the character before it. */
function nonEmpty({ start, end }: Span): Span {
  return { start: start === end ? Math.max(0, start - 1) : start, end };
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) return /^\[[0-9A-Fa-f:.]+\]$/.test(host);
  // The code points that WHATWG forbids in a host, and empty labels, which no name has.
  return host !== "" && !/[\s"#%/:<>?@[\\\]^`{|}]|^\.|\.\./.test(host) && !hasControl(host);
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function isPort(port: string): boolean {
  // A value may give the port; an empty one is the scheme's own.
  return /^x+$/.test(port) || (/^\d{0,5}$/.test(port) === true && Number(port) <= 65_535);
}

/** Whether a host is this machine: traffic to it leaves it not, so `http:` is fine (D28). */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){1,3}|\[::1\])$/i.test(host);
}

/** Scheme, labels of the host and port, for comparing: an expansion is kept as one piece of its label. */
export interface Origin {
  readonly scheme: string;
  readonly labels: readonly string[];
  readonly port: string;
  /** As it reads in a message, with expansions as written. */
  readonly text: string;
}

/** The origin that a text fixes; undefined where there is none, or where it can't be told from the text. */
export function originOf(text: string, template: Template | undefined): Origin | undefined {
  const masked = maskValues(text, template);
  if (template?.expansions.some(({ start, problem }) => start === 0 || problem !== undefined) === true)
    return undefined;
  const url = readUrl(masked);
  if (url === undefined || urlProblem(masked) !== undefined) return undefined;
  const { scheme, host, port } = url;
  const labels: string[] = [];
  let from = host.start;
  for (let dot = masked.indexOf(".", from); from <= host.end; dot = masked.indexOf(".", from)) {
    const to = dot < 0 || dot > host.end ? host.end : dot;
    labels.push(
      text
        .slice(from, to)
        .replace(/\s+/g, "")
        .replace(/^\$<(.*)>$/, "${$1}"),
    );
    from = to + 1;
  }
  if (labels.at(-1) === "") labels.pop();
  const written = port === undefined ? "" : text.slice(port.start, port.end);
  return {
    scheme,
    // Expansions are told apart by case; names of hosts aren't.
    labels: labels.map((label) => (label.includes("$") ? label : label.toLowerCase())),
    port: written === "" ? (scheme === "https" ? "443" : "80") : written,
    text: `${scheme}://${text.slice(host.start, port?.end ?? host.end)}`,
  };
}

/** Whether two origins are the same; undefined where that depends on the values of expansions. */
export function sameOrigin(a: Origin, b: Origin): boolean | undefined {
  const pairs: [string | undefined, string | undefined][] = [
    [a.scheme, b.scheme],
    [a.port, b.port],
  ];
  // In a host, a value is one label (D18), so their number is fixed.
  if (a.labels.length !== b.labels.length) return false;
  for (const [index, label] of a.labels.entries()) pairs.push([label, b.labels[index]]);
  let same: boolean | undefined = true;
  for (const [one, other] of pairs) {
    if (one === other) continue;
    if (!isOpen(one) && !isOpen(other)) return false;
    same = undefined;
  }
  return same;
}

function isOpen(part: string | undefined): boolean {
  return part !== undefined && /[$<]/.test(part);
}
