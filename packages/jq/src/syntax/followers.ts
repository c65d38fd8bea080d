import { atKey } from "./objects.ts";
import type { TokenStream } from "./token-stream.ts";

/** Tokens at which an expression ends, besides the binary operators. */
const followers: ReadonlySet<string> = new Set([..."|,)]};:", "as", "then", "elif", "else", "end", "catch"]);

/** Whether the expression before the current token ends there. */
export function atFollower(stream: TokenStream): boolean {
  if (atKey(stream)) return true;
  const { kind, text } = stream.current;
  if (kind === "operator" || kind === "keyword") return followers.has(text);
  return kind === "end" || kind === "interpolation-end" || kind === "string-end" || kind === "string-text";
}
