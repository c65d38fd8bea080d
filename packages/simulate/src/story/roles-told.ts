import type { Protocol, RoleOf } from "../protocol/protocol.ts";

/** For what the parameters and the answer of a polling request are taken, a line each. */
export function rolesTold({
  exchange,
  list,
  roles,
  indicators,
  field,
  isImmutable,
  order,
}: Protocol): readonly string[] {
  const path = exchange.url.map((part) => (part.kind === "literal" ? String(part.value) : "…")).join("");
  return [
    `${exchange.method} ${path} lists ${isImmutable ? "records that don't change" : "records that change"}${field === undefined ? "" : `, by \`${field.name}\``}, the ${order.direction === "ascending" ? "oldest" : "newest"} first${order.isStated ? "" : " (supposed)"}`,
    `\`${list.length === 0 ? "." : `.${list.join(".")}`}\` of the answer has the records`,
    ...roles.map(roleTold),
    ...indicators.map(
      ({ path: at, says }) =>
        `\`.${at.join(".")}\` of the answer ${{ more: "is true while there is more", last: "is true at the end", token: "is the place to go on from, null at the end", pages: "counts the pages", count: "counts the records", page: "is the number of the page", size: "is the size of the page", "next-offset": "is where to go on" }[says]}`,
    ),
  ];
}

function roleTold({ parameter, role }: RoleOf): string {
  const name = `\`${parameter.path.join(".")}\``;
  switch (role.kind) {
    case "page":
      return `${name} is the number of a page, from ${role.start}`;
    case "offset":
      return `${name} is how many records are skipped`;
    case "cursor":
      return `${name} is a place in the list that the service gave`;
    case "after":
      return `${name} is the id of the last record that was read`;
    case "size":
      return `${name} is the size of a page`;
    case "filter":
      return `${name} has bounds on \`${role.field.name}\``;
    default:
      return `${name} is the ${role.kind === "from" ? "lower" : "upper"} bound of \`${role.field.name}\`${role.isInclusive === undefined ? "" : role.isInclusive ? ", which it includes" : ", which it leaves out"}`;
  }
}
