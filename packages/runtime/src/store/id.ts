/** An id made of parts, whatever they are made of. */
export function idOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replace(/[/%]/g, encodeURIComponent)).join("/");
}
