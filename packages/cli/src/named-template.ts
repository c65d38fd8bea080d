/** A template for a service of that title: as they are written, they are about one called Acme. */
export function named(template: string, title: string): string {
  return template.replaceAll(/\bacme\b/g, () => slugOf(title)).replaceAll(/\bAcme\b/g, () => title);
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
