/** What a link carries. */
export interface Shared {
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
  const stream = new Blob([JSON.stringify(shared)])
    .stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `config=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * Reads the fragment of a link.
 *
 * @returns undefined if it carries no document; an error if it was cut or altered
 */
export async function fromFragment(fragment: string): Promise<Shared | Error | undefined> {
  const encoded = new URLSearchParams(fragment.replace(/^#/, "")).get("config");
  if (encoded === null) return undefined;
  try {
    const letters = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return shared(JSON.parse(await textOf(stream)));
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
