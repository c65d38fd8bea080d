import type { Guess } from "../guess/guess.ts";
import type { Choice, Need } from "../guess/needs.ts";
import type { Paging } from "../guess/paging.ts";
import type { Watermark, Window } from "../guess/window.ts";
import type { Told } from "../proposal.ts";
import { jqPath } from "../shape.ts";
import { firstBack } from "./window.ts";

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

export function tellWatermark(watermark: Guess<Watermark> | undefined): readonly Told[] {
  if (watermark === undefined)
    return [
      {
        what: "what is new",
        taken: "each cycle reads the whole list",
        because: "no parameter asks for changes only; look for one, or for webhooks",
        isOpen: true,
      },
    ];
  const { value, because, isOpen = false } = watermark;
  const { param, format, counts, window } = value;
  const taken =
    window === undefined
      ? `\`${param}\`, as ${formats[format]}, five minutes before the last reading began`
      : window.to === undefined
        ? `\`${param}\`, as ${units[format]}: day by day up to today, which then takes turns with yesterday`
        : `from \`${param}\` to \`${window.to}\`, as ${units[format]}: windows up to now, each of which begins ${
            format === "date" ? "a day" : "five minutes"
          } before the end of the last one`;
  return [
    {
      what: "what is new",
      taken,
      because: [
        because,
        ...(isOpen ? ["nothing but the name says that it is a time"] : []),
        ...(counts === "changes" ? [] : ["it looks like the time of creation, so changes aren't read"]),
      ].join("; "),
      isOpen: isOpen || counts === "creations",
    },
    ...(window === undefined ? [] : [tellWindow(window)]),
  ];
}

/** How long each window is, and where the first one begins. */
function tellWindow(window: Window): Told {
  const { to, span, isSpanTold } = window;
  const first = `the first one ${to === undefined ? "is" : "begins"} ${days(firstBack(window))} before the setup`;
  const older =
    "for records of before write an earlier time into `initial_setup`; each stretch without records takes a cycle";
  return to === undefined
    ? { what: "days", taken: first, because: older, isOpen: true }
    : {
        what: "windows",
        taken: `at most ${days(span)} long; ${first}`,
        because: `${isSpanTold ? "the document says how long" : "the document doesn't say how long they may be"}; ${older}`,
        isOpen: true,
      };
}

function days(seconds: number): string {
  if (seconds % DAY !== 0) return `${seconds / 3_600} hours`;
  return seconds === DAY ? "1 day" : `${seconds / DAY} days`;
}

const DAY = 86_400;

/** What a request has to have besides, and where the app has it from. */
export function tellNeeds(needs: readonly Need[]): readonly Told[] {
  return needs.flatMap((need): Told[] => {
    const what = `\`${need.parameter}\``;
    if (!("choice" in need))
      return [{ what, taken: `\`${JSON.stringify(need.value)}\``, because: need.because, isOpen: false }];
    return need.isPlain === true ? [] : [{ what, ...choiceTold(need.choice) }];
  });
}

function choiceTold({ from, values }: Choice): Pick<Told, "taken" | "because" | "isOpen"> {
  if (from !== undefined)
    return {
      taken: `the customer chooses one of \`${from.list.operation.source}\``,
      because: `its records are called like it, and have \`${from.id}\``,
      isOpen: false,
    };
  if (values !== undefined)
    return {
      taken: `the customer chooses one of ${values.length} values`,
      because: "it has to be sent, and the document lists them",
      isOpen: false,
    };
  return {
    taken: "the customer types it in",
    because: "it has to be sent, and nothing in the document gives it: say in `help_text` where to find it",
    isOpen: true,
  };
}

const units: Readonly<Record<Watermark["format"], string>> = {
  "date-time": "times of ISO 8601",
  date: "dates",
  seconds: "seconds since 1970",
  milliseconds: "milliseconds since 1970",
};

const formats: Readonly<Record<Watermark["format"], string>> = {
  "date-time": "a time of ISO 8601",
  date: "a date, a day back",
  seconds: "seconds since 1970",
  milliseconds: "milliseconds since 1970",
};
