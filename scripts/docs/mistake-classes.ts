/** A class of mistakes of meaning: every request succeeds, and data quietly doesn't arrive. */
export interface MistakeClass {
  readonly name: string;
  readonly what: string;
  /** What the lists of mistakes call it. */
  readonly labels: RegExp;
  /** Kinds of `npm run mutants` that make such mistakes. */
  readonly kinds: readonly string[];
}

/** The classes of the lists in `test/blind` and `test/meaning`, and of the mutators. */
export const mistakeClasses: readonly MistakeClass[] = [
  {
    name: "A check of deliveries that accepts nothing, or everything",
    what: "The hash of other bytes, a comparison turned round, an answer that drops what it accepts.",
    labels: /^(?:verification|A1\b.*)$/,
    kinds: [
      "meaning/nothing-accepted",
      "meaning/parsed-body",
      "meaning/header-capitals",
      "meaning/reversed-check",
      "meaning/signature-reversed",
      "meaning/other-algorithm",
      "meaning/id-as-secret",
    ],
  },
  {
    name: "State that stands still",
    what: "The next request is the one before it, once more.",
    labels:
      /^(?:stuck-state|state|iterate|A2\b.*|paging state|cursor|cursor reset|job not reset|state thrown away)$/,
    kinds: [
      "meaning/state-given-back",
      "meaning/state-wins",
      "meaning/iterate-always",
      "meaning/iterate-reversed",
      "meaning/list-that-shrinks",
      "state/key-dropped-in-request",
      "state/key-dropped-in-pre-poll",
      "state/lifecycle-without-state",
    ],
  },
  {
    name: "A watermark that nothing uses, or that moves too early or too far",
    what: "Records between two windows are asked for by neither.",
    labels: /^(?:watermark|A3\b.*)$/,
    kinds: [
      "meaning/gap-after-watermark",
      "meaning/least-record",
      "meaning/last-for-latest",
      "meaning/later-than-the-latest",
      "meaning/no-room-for-lag",
      "meaning/future-start",
      "meaning/comparison-reversed",
    ],
  },
  {
    name: "Pages that end too early, or never",
    what: "The total of one page, the token of another, a page that is counted twice.",
    labels: /^(?:pagination|A4\b.*|end of pages)$/,
    kinds: [
      "meaning/flag-as-cursor",
      "meaning/previous-cursor",
      "meaning/offset-by-one",
      "meaning/pages-for-items",
      "meaning/pages-of-a-moving-list",
      "meaning/last-page-left-out",
      "meaning/token-flag",
      "meaning/token-as-text",
    ],
  },
  {
    name: "Saved values",
    what: "Saved too late, under another name, in another scope, or read as something else.",
    labels: /^(?:saved|A5\b.*|saved id|wrong hook deleted|secret rotation|registration differs)$/,
    kinds: [
      "meaning/save-first",
      "meaning/bare-id-saved",
      "meaning/object-as-id",
      "meaning/record-as-id",
      "meaning/secret-as-id",
      "meaning/changed-url",
      "meaning/update-without-url",
      "meaning/update-deletes",
      "state/saved-key-renamed",
    ],
  },
  {
    name: "Steps whose output nobody takes, and outputs of other steps",
    what: "`piped_content` one too far, or what was built isn't what is sent.",
    labels: /^(?:steps?|index|switch|B6\b.*|step index|update body)$/,
    kinds: [
      "meaning/whole-response",
      "meaning/beside-wrapper",
      "meaning/variable-unused",
      "meaning/lookup-reversed",
      "meaning/used-where-empty",
      "flow/next-step-misspells",
      "flow/step-member-misspelled",
      "flow/switch-by-boolean",
    ],
  },
  {
    name: "Conditions that are the same for every record",
    what: "`or` for `and`, an index compared with -1, a text that always counts as true.",
    labels: /^(?:constants?|B7\b.*)$/,
    kinds: [
      "meaning/constant-operand",
      "meaning/length-as-condition",
      "meaning/length-of-at-least-0",
      "meaning/index-of-nothing",
      "meaning/place-as-true",
      "meaning/constant-key",
    ],
  },
  {
    name: "Words that nobody else uses",
    what: "A status, an event or an option's value that nothing gives, and defaults that are none of the options.",
    labels: /^(?:enum|enumerations|defaults?|B8\b.*|option value|status)$/,
    kinds: [
      "meaning/unknown-option",
      "meaning/default-not-option",
      "meaning/default-display",
      "meaning/choice-left-out",
      "meaning/other-events",
      "meaning/event-left-out",
      "meaning/text-for-null",
    ],
  },
  {
    name: "Dates, times and units",
    what: "Minutes for months, seconds for milliseconds, an hour for a day, cents for euros.",
    labels: /^(?:dates|units|formats|B9\b.*|time zone|unit|money|duration|date format|number format)$/,
    kinds: [
      "meaning/minutes-for-months",
      "meaning/months-for-minutes",
      "meaning/milliseconds-as-seconds",
      "meaning/twelve-hours",
      "meaning/date-reckoned",
      "meaning/other-duration",
    ],
  },
  {
    name: "What fails for every record",
    what: "A member of a list, an object in a path, a text that is formatted as a time.",
    labels: /^(?:failures?|null-segment|shape|contract|B10\b.*|error swallowed)$/,
    kinds: [
      "meaning/answer-iterated",
      "flow/response-member-misspelled",
      "flow/payload-member-misspelled",
      "flow/text-compared-with-number",
      "flow/tags-no-list",
      "flow/text-plus-number",
      "flow/list-read-as-object",
      "flow/object-read-as-list",
      "flow/iterates-scalar",
      "flow/wrong-input",
      "flow/wrong-argument",
      "flow/number-as-key",
    ],
  },
  {
    name: "Ids, names and what is shown, one for another",
    what: "`display` where `value` belongs, a name where an id is sent, the id of another kind of record.",
    labels: /^(?:hint|slip|display|likely|B11\b.*)$/,
    kinds: [
      "meaning/display-for-id",
      "meaning/display-in-path",
      "meaning/display-as-parameter",
      "meaning/display-beside-value",
      "meaning/exchanged-option",
      "meaning/exchanged-id",
      "meaning/name-for-id",
      "meaning/other-role",
    ],
  },
  {
    name: "A history in another shape than the webhook’s",
    what: "Both feed one pipeline, and old records come to it as nothing.",
    labels: /^history$/,
    kinds: [],
  },
  {
    name: "Mapping",
    what: "Fields that the pipeline gives under other names than the map offers.",
    labels: /^(?:mapping|group|key mismatch)$/,
    kinds: ["meaning/mapped-id", "flow/mapped-field-misspelled", "flow/source-option-unknown"],
  },
  {
    name: "Routing",
    what: "Deliveries that find nobody, or everybody.",
    labels: /^(?:routing|delivery identity)$/,
    kinds: ["meaning/routed-by-other-kind"],
  },
  {
    name: "Requests",
    what: "Paths, forms, quotas and credentials that the API takes for something else.",
    labels: /^(?:url|form|rate|auth|placeholder)$/,
    kinds: [
      "meaning/double-slash",
      "meaning/single-braces",
      "meaning/glued-segment",
      "meaning/period-in-milliseconds",
    ],
  },
  {
    name: "Everything else",
    what: "Mistakes that their authors put into no class.",
    labels:
      /^(?:unnamed|other|C other|filter|wrong person|falsy value dropped|association|match too wide|duplicate guard|branch|lookup key|create and update|consent|wrong value|row lost)$/,
    kinds: [],
  },
];
