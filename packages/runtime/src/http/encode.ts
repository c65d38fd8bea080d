/** Percent-encodes a whole segment or parameter value; what is encoded already is kept (D18). */
export function encodeComponent(text: string): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((part, index) => (index % 2 === 1 ? part : percentEncode(part)))
    .join("");
}

/** Percent-encodes all of a text; half of a surrogate pair becomes U+FFFD. */
function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

/** The URL with these query parameters; those of the same names that it had are replaced, all others kept as written. */
export function withParameters(url: string, parameters: readonly (readonly [string, string])[]): string {
  if (parameters.length === 0) return url;
  const mark = url.indexOf("?");
  const [address, query] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
  const names = new Set(parameters.map(([name]) => name));
  const kept = query.split("&").filter((pair) => pair !== "" && !names.has(decodedName(pair)));
  const added = parameters.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`);
  return new URL(`${address}?${[...kept, ...added].join("&")}`).href;
}

function decodedName(pair: string): string {
  const [name = ""] = pair.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}
