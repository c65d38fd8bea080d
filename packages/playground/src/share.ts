import type { JqWork } from "./tools/protocol.ts";

/** What a link carries. */
interface Shared {
  /** File name of the document. */
  readonly name: string;
  readonly text: string;
  /** What the Run panel shows: a case as in a test file, as text. */
  readonly test?: string;
}

/** A longer link is cut by some programs that people send it with. */
export const LONGEST_LINK = 30_000;
/** A small link may unpack to something huge. */
const LARGEST_TEXT = 4_000_000;

/** The fragment of a link to a document: compressed, in letters that links keep. Nothing is sent to a server. */
export async function toFragment(shared: Shared): Promise<string> {
  return `config=${await packed(shared)}`;
}

/** The same of what the tab of jq alone shows. */
export async function jqFragment(work: JqWork): Promise<string> {
  return `jq=${await packed(work)}`;
}

async function packed(value: unknown): Promise<string> {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Reads the fragment of a link.
 *
 * @returns undefined if it carries no document; an error if it was cut or altered
 */
export function fromFragment(fragment: string): Promise<Shared | Error | undefined> {
  return carried(fragment, "config", shared);
}

/** Reads the fragment of a link to jq alone; without anything behind `#jq`, there is nothing in it yet. */
export async function jqFromFragment(fragment: string): Promise<JqWork | "new" | Error | undefined> {
  return fragment === "#jq" ? "new" : carried(fragment, "jq", jqWork);
}

async function carried<Content>(
  fragment: string,
  name: string,
  read: (value: unknown) => Content,
): Promise<Content | Error | undefined> {
  const encoded = new URLSearchParams(fragment.replace(/^#/, "")).get(name);
  if (encoded === null) return undefined;
  try {
    const letters = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return read(JSON.parse(await textOf(stream)));
  } catch {
    return new Error("The link is incomplete, so there is no document in it. Ask for it again.");
  }
}

async function textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > LARGEST_TEXT) throw new Error("too large");
  }
  return text + decoder.decode();
}

function shared(value: unknown): Shared {
  const { name, text, test } = value as Partial<Record<keyof Shared, unknown>>;
  if (typeof name !== "string" || typeof text !== "string") throw new Error("not a document");
  return { name, text, ...(typeof test === "string" ? { test } : {}) };
}

function jqWork(value: unknown): JqWork {
  const { program, input, type = "" } = value as Partial<Record<keyof JqWork, unknown>>;
  if (typeof program !== "string" || typeof input !== "string" || typeof type !== "string")
    throw new Error("not a program");
  return { program, input, type };
}
