import type { Guess } from "../guess/guess.ts";
import type { Paging } from "../guess/paging.ts";
import type { Watermark } from "../guess/watermark.ts";
import type { Told } from "../proposal.ts";
import { jqPath } from "../shape.ts";

export function tellPaging(source: string, { value, because, isOpen }: Guess<Paging>): Told {
  return { what: `pages of \`${source}\``, taken: takenFor(value), because, isOpen: isOpen === true };
}

function takenFor(paging: Paging): string {
  switch (paging.kind) {
    case "none":
      return "one answer has everything";
    case "cursor":
      return `\`${jqPath(paging.next)}\` is sent as \`${paging.param}\``;
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
