/** Documents of this scheme are jq programs of a config. */
const PROGRAM_SCHEME = "configc-jq";

/** Which program a document shows. */
interface ProgramAddress {
  /** URI of the config. */
  readonly config: string;
  /** JSON Pointer of the string that the program is. */
  readonly node: string;
}

/** `configc-jq:/NAME.jq?ADDRESS`, with the address as JSON. */
export function programUri(name: string, address: ProgramAddress): string {
  return `${PROGRAM_SCHEME}:/${encodeURIComponent(name)}.jq?${encodeURIComponent(JSON.stringify(address))}`;
}

/** Undefined for any other URI, and for one that says nothing. */
export function programAddress(uri: string): ProgramAddress | undefined {
  if (!uri.startsWith(`${PROGRAM_SCHEME}:`)) return undefined;
  try {
    const { config, node } = JSON.parse(
      decodeURIComponent(uri.slice(uri.indexOf("?") + 1)),
    ) as ProgramAddress;
    return typeof config === "string" && typeof node === "string" ? { config, node } : undefined;
  } catch {
    return undefined;
  }
}
