/** A template for a service of that title: as they are written, they are about one called Acme. */
export function named(template: string, title: string): string {
  return template.replaceAll(/\bacme\b/g, () => slugOf(title)).replaceAll(/\bAcme\b/g, () => title);
}

/** Where a template names the service; UTF-16 offsets. */
interface ServiceName {
  readonly start: number;
  readonly end: number;
  readonly kind: "slug" | "title";
}

/** The same, with the places of the service's name, for an editor in which one may go on to change it. */
export function withPlaces(
  template: string,
  title: string,
): { readonly text: string; readonly service: readonly ServiceName[] } {
  const service: ServiceName[] = [];
  let text = "";
  let from = 0;
  for (const { 0: found, index } of template.matchAll(/\b(?:acme|Acme)\b/g)) {
    const kind = found === "acme" ? "slug" : "title";
    text += template.slice(from, index);
    const start = text.length;
    text += title === "" ? found : kind === "slug" ? slugOf(title) : title;
    service.push({ start, end: text.length, kind });
    from = index + found.length;
  }
  return { text: text + template.slice(from), service };
}

/** A name as people read it: "my shop", "my-shop" and "myShop" are "My Shop". */
export function titleOf(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

/** A title as it stands in the names of things: `my-shop`. */
function slugOf(title: string): string {
  return title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll(" ", "-");
}
