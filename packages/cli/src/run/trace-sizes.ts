import { isIdentifier, nameOfToken } from "@configc/jq/internal";
import type { Cut, TraceEvent } from "@configc/runtime";

/** Places inside of a value whose sizes are told. */
const MOST_TOLD = 3;

/** How much there is of a value that isn't shown whole: `2 members, .items 5,000 items`. */
export function sizesOf({ data, cuts = [] }: TraceEvent, name: string): string {
  const value = (data as Data)[name];
  const root = `/${name}`;
  const own = cuts.find(({ pointer }) => pointer === root)?.length;
  // Where a list is cut, the last item that there was room for may be cut too: that goes without saying.
  const isBelowCut = (pointer: string): boolean =>
    cuts.some(
      (other) => pointer.startsWith(`${other.pointer}/`) && Array.isArray(valueAt(data, other.pointer)),
    );
  const inside = cuts.filter(({ pointer }) => pointer.startsWith(`${root}/`) && !isBelowCut(pointer));
  return [
    sizeText(value, own),
    ...inside.slice(0, MOST_TOLD).map((cut) => insideText(value, cut, root)),
    ...(inside.length > MOST_TOLD ? ["…"] : []),
  ]
    .filter((text) => text !== "")
    .join(", ");
}

/** What stands at a JSON Pointer; undefined if nothing does. */
function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((at, escaped) => (at as Data | undefined)?.[unescaped(escaped)], value);
}

type Data = Readonly<Record<string, unknown>>;

function unescaped(name: string): string {
  return nameOfToken(name);
}

function insideText(value: unknown, { pointer, length }: Cut, root: string): string {
  let at = value;
  let path = "";
  for (const escaped of pointer.slice(root.length + 1).split("/")) {
    const name = unescaped(escaped);
    path += Array.isArray(at) ? `[${name}]` : isIdentifier(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    at = (at as Data | undefined)?.[name];
  }
  return `${path.startsWith(".") ? path : `.${path}`} ${sizeText(at, length)}`;
}

function sizeText(value: unknown, length: number | undefined): string {
  if (typeof value === "string") return counted(length ?? value.length, "character");
  if (Array.isArray(value)) return counted(length ?? value.length, "item");
  if (typeof value !== "object" || value === null) return "";
  return counted(length ?? Object.keys(value).length, "member");
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
