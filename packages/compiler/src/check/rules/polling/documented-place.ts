import { escapedPattern } from "@configc/jq/internal";

/** Whether a comment says that a key of the state is how far was read: `after is the number of the last change that we have`. */
export const isOfLastRead = (key: string, text: string): boolean =>
  new RegExp(
    `(?<![\\w$])${escapedPattern(key)}["\`]?(?: is\\b|:| =| has\\b| keeps\\b| names\\b| holds\\b)[^.;]{0,60}\\blast\\b[^.;]{0,40}\\b(?:we|that (?:was|were|came|has)|read|seen|handed|processed|delivered|received|passed)\\b`,
    "i",
  ).test(text);
