import type { AppExpansion, AppNode, AppTemplate } from "@configc/compiler";
import type { Json } from "@configc/jq";
import { RunError } from "../errors.ts";
import { requiredGetter } from "../expansion.ts";
import { structureName } from "../json.ts";
import type { Frame } from "../step.ts";
import { placeOfExpansion, textOf } from "../template.ts";
import { encodeComponent } from "./encode.ts";
import { isPlainPath } from "./plain-path.ts";

/** Gives an absolute, normalised URL without a fragment; fails where D18 forbids it. */
export type UrlMaker = (frame: Frame) => string;

/** Parts of a URL. `open` is what an expansion at its very beginning gives: a URL by itself. */
type Region = "open" | "authority" | "path" | "query" | "fragment";

type Part = { readonly region: Region; readonly literal: string } | Hole;

interface Hole {
  readonly region: Region;
  /** Whether it is a whole segment of the path or the whole value of a parameter: then it is percent-encoded. */
  readonly whole: boolean;
  readonly expansion: AppExpansion;
  readonly place: AppNode;
  readonly get: (frame: Frame) => Json;
}

/** `path` behind the base URL, with one slash between them (D17). */
export function joinPath(base: AppTemplate, path: AppTemplate): AppTemplate {
  const head = [...base];
  const last = head.at(-1);
  if (typeof last === "string") head[head.length - 1] = last.replace(/\/+$/, "");
  const [first, ...rest] = path;
  return typeof first === "string"
    ? [...head, `/${first.replace(/^\/+/, "")}`, ...rest]
    : [...head, "/", ...path];
}

/** Whether a text is written as an absolute URL. */
export function isAbsolute(template: AppTemplate): boolean {
  const [first] = template;
  return typeof first === "string" && scheme.test(first);
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
/** `.` or `..`, in any spelling, as a segment. */
const dotSegment = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i;
const dots = /^(?:\.|%2e){1,2}$/i;
const label = /^[A-Za-z0-9-]{1,63}$/;

/** Makes the closure of an absolute URL with expansions (D18). */
export function compileUrl(template: AppTemplate, place: AppNode): UrlMaker {
  const parts = split(template, place);
  const open = parts[0]?.region === "open";
  const writtenPath = parts.map((part) => pathText(part)).join("");
  if (dotSegment.test(writtenPath)) {
    return () => {
      throw new RunError(
        "DataError",
        "The path has a `.` or `..` as a segment, so the request would go to another endpoint than written. Write the final path.",
        place,
      );
    };
  }
  const originOf = rememberedOrigin(place);
  return (frame) => {
    let text = "";
    /** Ends of what the literal text fixes: of the origin, and of the path up to its first value that isn't a segment. */
    let origin: number | undefined;
    let fixed: number | undefined;
    for (const part of parts) {
      if (origin === undefined && part.region !== "authority") origin = text.length;
      if (fixed === undefined && (isAfterPath(part) || isLoose(part))) fixed = text.length;
      text += "literal" in part ? part.literal : valueText(part, frame);
    }
    // A text that parsing would leave as it stands goes where it is written.
    if (
      !open &&
      origin !== undefined &&
      originOf.isKnown(text.slice(0, origin)) &&
      isPlainPath(text.slice(origin))
    )
      return text;
    const url = parsed(text, place);
    if (!open) stands(url, text, originOf.read(text.slice(0, origin)), origin ?? text.length, fixed, place);
    if (text.includes("#")) url.hash = "";
    return url.href;
  };
}

function pathText(part: Part): string {
  if (part.region !== "path") return "";
  return "literal" in part ? part.literal : "x";
}

function isAfterPath({ region }: Part): boolean {
  return region === "query" || region === "fragment";
}

function isLoose(part: Part): boolean {
  return !("literal" in part) && part.region === "path" && !part.whole;
}

function split(template: AppTemplate, place: AppNode): Part[] {
  const parts: Part[] = [];
  let region: Region = "authority";
  for (const [index, piece] of template.entries()) {
    if (typeof piece !== "string") {
      if (index === 0) region = "open";
      const before = template[index - 1];
      const after = template[index + 1];
      const whole =
        typeof before === "string" &&
        ((region === "path" && before.endsWith("/") && isEnd(after, /^[/?#]/)) ||
          (region === "query" && before.endsWith("=") && isEnd(after, /^[&#]/)));
      const at = placeOfExpansion(piece, place);
      parts.push({ region, whole, expansion: piece, place: at, get: requiredGetter(piece, at) });
      if (region === "open") region = "path";
      continue;
    }
    let from = 0;
    let at = index === 0 ? (scheme.exec(piece)?.[0].length ?? 0) : 0;
    for (; at < piece.length; at++) {
      const next = regionAt(piece.charAt(at), region);
      if (next === region) continue;
      if (at > from) parts.push({ region, literal: piece.slice(from, at) });
      region = next;
      from = at;
    }
    if (at > from) parts.push({ region, literal: piece.slice(from) });
  }
  return parts;
}

function isEnd(after: AppTemplate[number] | undefined, delimiter: RegExp): boolean {
  return after === undefined || (typeof after === "string" && delimiter.test(after));
}

/** The region that a literal character stands in. */
function regionAt(character: string, region: Region): Region {
  if (character === "#") return "fragment";
  if (character === "?" && region !== "fragment") return "query";
  return region === "authority" && (character === "/" || character === "\\") ? "path" : region;
}

function valueText(hole: Hole, frame: Frame): string {
  const { region, whole, expansion, place } = hole;
  const value = hole.get(frame);
  const name = `\`\${${expansion.path.join(".")}}\``;
  const structure = structureName(value);
  if (structure !== undefined)
    throw new RunError(
      "DataError",
      `${name} is an ${structure}, which a URL can't contain. Use one of its parts.`,
      place,
    );
  const text = textOf(value);
  if (region === "authority" && !label.test(text))
    throw new RunError(
      "DataError",
      `${name} isn't one label of a host: at most 63 letters, digits and \`-\`.`,
      place,
    );
  if (region === "path" && whole) {
    if (text === "" || dots.test(text))
      throw new RunError(
        "DataError",
        `${name} is a whole segment of the path, but it is ${value === null ? "null" : text === "" ? "empty" : `\`${text}\``}, so the request would go to the wrong endpoint.`,
        place,
      );
    return encodeComponent(text);
  }
  return region === "query" && whole ? encodeComponent(text) : text;
}

function parsed(text: string, place: AppNode): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new RunError("DataError", `\`${excerpt(text)}\` isn't a URL.`, place);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new RunError(
      "DataError",
      `\`${excerpt(text)}\` isn't an HTTP URL: it must begin with \`https://\` or \`http://\`.`,
      place,
    );
  return url;
}

/** Origins of texts; most URLs of a command have the same one, so it is read once. */
interface RememberedOrigin {
  read(text: string): string;
  /** Whether a text is an origin that was read, as parsing writes it. */
  isKnown(text: string): boolean;
}

function rememberedOrigin(place: AppNode): RememberedOrigin {
  let known = "";
  let origin = "";
  return {
    read(text) {
      if (text !== known || origin === "") {
        origin = parsed(text, place).origin;
        known = text;
      }
      return origin;
    },
    isKnown: (text) => text !== "" && text === known && text === origin,
  };
}

/** After normalisation, the origin and the beginning of the path must be those that the text fixed. */
function stands(
  url: URL,
  text: string,
  written: string,
  origin: number,
  fixed: number | undefined,
  place: AppNode,
): void {
  if (written !== url.origin)
    throw new RunError("DataError", "A value in the URL changes the host that it goes to.", place);
  // Where the text fixes everything, its path is that of the URL.
  if (fixed === undefined) return;
  const path = new URL(text.slice(0, Math.max(fixed, origin))).pathname;
  if (!url.pathname.startsWith(path))
    throw new RunError(
      "DataError",
      `A value in the path leads out of \`${excerpt(path)}\`, the fixed part of the path.`,
      place,
    );
}

function excerpt(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
