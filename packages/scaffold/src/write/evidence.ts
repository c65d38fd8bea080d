import type { Guess } from "../guess/guess.ts";
import type { Paging } from "../guess/paging.ts";
import type { Watermark } from "../guess/watermark.ts";
import type { Told } from "../proposal.ts";
import { jqPath } from "../shape.ts";

/** @param isMoving whether the list is asked for changes, which move in it while its pages are read */
export function tellPaging(
  source: string,
  { value, because, isOpen }: Guess<Paging>,
  isMoving: boolean,
): Told {
  const counts = value.kind === "page" || value.kind === "offset";
  return {
    what: `pages of \`${source}\``,
    taken: takenFor(value),
    because:
      counts && isMoving
        ? `${because}; pages that are counted shift when records change, so look for a cursor: configc simulate shows what gets lost`
        : because,
    isOpen: isOpen === true || (counts && isMoving),
  };
}

function takenFor(paging: Paging): string {
  switch (paging.kind) {
    case "none":
      return "one answer has everything";
    case "cursor":
      return paging.isLink
        ? `\`${paging.param}\` of the address \`${jqPath(paging.next)}\` is sent again`
        : `\`${jqPath(paging.next)}\` is sent as \`${paging.param}\``;
    case "keyset":
      return `the last record's \`${paging.id}\` is sent as \`${paging.param}\``;
    case "offset":
      return `\`${paging.param}\` counts records`;
    case "page":
      return `\`${paging.param}\` counts pages, from ${paging.first}`;
  }
}

export function tellWatermark(watermark: Guess<Watermark> | undefined): Told {
  if (watermark === undefined)
    return {
      what: "what is new",
      taken: "each cycle reads the whole list",
      because: "no parameter asks for changes only; look for one, or for webhooks",
      isOpen: true,
    };
  const { param, format, counts } = watermark.value;
  return {
    what: "what is new",
    taken: `\`${param}\`, as ${formats[format]}, five minutes before the last reading began`,
    because:
      counts === "changes"
        ? watermark.because
        : `${watermark.because}, which looks like the time of creation: changes aren't read`,
    isOpen: counts === "creations",
  };
}

const formats: Readonly<Record<Watermark["format"], string>> = {
  "date-time": "a time of ISO 8601",
  date: "a date, a day back",
  seconds: "seconds since 1970",
  milliseconds: "milliseconds since 1970",
};
