import type { Cut, TraceEvent } from "@configc/runtime";

/** Places inside of a value whose sizes are told. */
const MOST_TOLD = 3;

/** How much there is of a value that isn't shown whole: `2 members, .items 5,000 items`. */
export function sizesOf({ data, cuts = [] }: TraceEvent, name: string): string {
  const value = (data as Readonly<Record<string, unknown>>)[name];
  const root = `/${name}`;
  const own = cuts.find(({ pointer }) => pointer === root)?.length;
  // Where a list is cut, the last item that there was room for may be cut too: that goes without saying.
  const isBelowCut = (pointer: string): boolean =>
    cuts.some((other) => pointer.startsWith(`${other.pointer}/`));
  const inside = cuts.filter(({ pointer }) => pointer.startsWith(`${root}/`) && !isBelowCut(pointer));
  return [
    sizeText(value, own),
    ...inside.slice(0, MOST_TOLD).map((cut) => insideText(value, cut, root)),
    ...(inside.length > MOST_TOLD ? ["…"] : []),
  ]
    .filter((text) => text !== "")
    .join(", ");
}

function insideText(value: unknown, { pointer, length }: Cut, root: string): string {
  let at = value;
  let path = "";
  for (const escaped of pointer.slice(root.length + 1).split("/")) {
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    path += Array.isArray(at)
      ? `[${name}]`
      : /^[A-Za-z_]\w*$/.test(name)
        ? `.${name}`
        : `[${JSON.stringify(name)}]`;
    at = (at as Readonly<Record<string, unknown>> | undefined)?.[name];
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
