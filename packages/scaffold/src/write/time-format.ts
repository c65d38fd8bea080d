import type { TimeFormat } from "../guess/time-words.ts";

/** jq programs that read and write times as a service does; numbers are seconds since 1970. */
interface TimePrograms {
  /** Of a text or number as it is sent: the seconds. */
  readonly read: string;
  /** Of seconds: as it is sent. */
  readonly write: string;
  /** 2000-01-01, before anything that is asked for. */
  readonly beginning: string;
  /** How much is read again, in seconds: lists may show a change late (docs/polling.md). */
  readonly overlap: number;
}

const OVERLAP = 300;
const DAY = 86_400;

export function timePrograms(format: TimeFormat): TimePrograms {
  switch (format) {
    case "date-time":
      return { read: "fromdate", write: "todate", beginning: '"2000-01-01T00:00:00Z"', overlap: OVERLAP };
    case "date":
      return {
        read: 'strptime("%Y-%m-%d") | mktime',
        write: 'strftime("%Y-%m-%d")',
        beginning: '"2000-01-01"',
        overlap: DAY,
      };
    case "seconds":
      return { read: ".", write: "floor", beginning: "946684800", overlap: OVERLAP };
    case "milliseconds":
      return { read: ". / 1000", write: ". * 1000 | floor", beginning: "946684800000", overlap: OVERLAP };
  }
}
