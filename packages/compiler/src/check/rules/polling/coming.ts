import { wordsOf } from "../../../flow/protocol/bound-names.ts";

/** What begins or is due lies ahead, and each cycle may read all of it: `starts_from`, or a list sorted by `starts_at`. */
const coming =
  /^(?:starts?|begins?|due|departs?|departures?|arrives?|arrivals?|scheduled|planned|upcoming|checkin|opens?)$/;
export const isComing = (name: string): boolean => {
  const words = wordsOf(name);
  // `start` alone is where a window begins.
  return words.length > 1 && words.some((word) => coming.test(word) && word !== "start");
};
