import type { Indicator, Protocol, RoleOf } from "../protocol/protocol.ts";
import type { RequestTemplate } from "../symbolic/command.ts";

/** For what the parameters and the answer of a polling request are taken, a line each. */
export function roleSummary({
  exchange,
  list,
  roles,
  indicators,
  field,
  isImmutable,
  order,
  opening,
  isKeyset,
  isWhole,
  size,
  known,
  inner,
}: Protocol): readonly string[] {
  return [
    ...(opening === undefined
      ? []
      : [
          `${addressTold(opening.exchange)} makes the list that is read then; it stays as it was`,
          ...opening.roles.map(roleTold),
        ]),
    `${addressTold(exchange)} lists ${isImmutable ? "records that don't change" : "records that change"}${field === undefined ? "" : `, by \`${field.name}\``}, the ${order.direction === "ascending" ? "oldest" : "newest"} first${order.isStated ? "" : " (supposed)"}`,
    `\`${list.length === 0 ? "." : `.${list.join(".")}`}\` of the answer has the records`,
    ...(inner === undefined
      ? []
      : [
          `each record has a list of its own: ${addressTold(inner.exchange)}; the items of \`.${inner.list.join(".")}\` are taken`,
        ]),
    ...(known === undefined ? [] : [`what it answers is known from ${known.source}`]),
    ...(isWhole ? ["the answer has the whole list, for the app reads no other page (supposed)"] : []),
    ...roles.map(roleTold),
    ...(size.most === undefined ? [] : [`a page has ${size.most} records at most, as the document says`]),
    ...(isKeyset ? ["the bound and the id are one place: records of that time come with a greater id"] : []),
    ...indicators.map(indicatorTold),
  ];
}

/** `GET https://…/items/…` */
export function addressTold({ method, url }: Pick<RequestTemplate, "method" | "url">): string {
  return `${method} ${url.map((part) => (part.kind === "literal" ? String(part.value) : "…")).join("")}`;
}

function roleTold({ parameter, role }: RoleOf): string {
  const name = `\`${parameter.path.join(".")}\``;
  switch (role.kind) {
    case "page":
      return `${name} is the number of a page, from ${role.start}`;
    case "offset":
      return role.start === 0
        ? `${name} is how many records are skipped`
        : `${name} is the number of the first record, from ${role.start}`;
    case "cursor":
      return `${name} is a place in the list that the service gave`;
    case "after":
      return role.isInclusive === true
        ? `${name} is the id from which records are read`
        : `${name} is the id of the last record that was read`;
    case "size":
      return `${name} is the size of a page`;
    case "as-of":
      return `${name} is the time as of which the list is shown`;
    case "filter":
      return `${name} has bounds on \`${role.field.name}\``;
    default:
      return `${name} is the ${role.kind === "from" ? "lower" : "upper"} bound of \`${role.field.name}\`${role.isInclusive === undefined ? "" : role.isInclusive ? ", which it includes" : ", which it leaves out"}`;
  }
}

function indicatorTold({ path, says, atEnd, among }: Indicator): string {
  const end = { null: "null", absent: "left out", blank: "empty" }[atEnd];
  const meaning = {
    more: "is true while there is more",
    last: "is true at the end",
    token: `is the place to go on from, ${end} at the end`,
    "sync-token": "comes at the end: the place from which later changes are read",
    position: "is the place to go on from, at the end too",
    pages: "counts the pages",
    count: "counts the records",
    page: "is the number of the page",
    offset: "is how many records were skipped",
    size: "is the size of the page",
    "next-page": `is the number of the next page, ${end} at the end`,
    "next-offset": `is how many records to skip next, ${end} at the end`,
  }[says];
  const place = path.join(".").replaceAll(".[]", "[]");
  const which = among === undefined ? "" : ` where \`${among.member}\` is \`${among.is}\``;
  return `\`.${place}\` of the answer${which} ${meaning}`;
}
