import fc from "fast-check";

const looks = fc.constantFrom("(?=", "(?!", "(?=", "(?<=", "(?<!");
const assertions = fc.constantFrom(
  "^",
  "$",
  "\\A",
  "\\z",
  "\\Z",
  "\\b",
  "\\B",
  "(?m:^)",
  "(?m:$)",
  "(?<!\\d)",
  "(?<=a)",
  "(?<!\\w)",
  "(?<=\\n)",
);

/** Patterns of every construct that JavaScript's engine may be given, and some that it may not. */
export const patterns: fc.Arbitrary<string> = fc.letrec<{ node: string; repeated: string }>((tie) => ({
  repeated: fc
    .tuple(
      fc.oneof(
        { weight: 8, arbitrary: single() },
        { weight: 2, arbitrary: tie("node").map((body) => `(?:${body})`) },
        { weight: 2, arbitrary: tie("node").map((body) => `(${body})`) },
      ),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant("") },
        {
          weight: 3,
          arbitrary: fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{2,}", "*?", "+?", "??", "{1,2}?"),
        },
      ),
    )
    .map(([body, quantifier]) => body + quantifier),
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: tie("repeated") },
    {
      weight: 6,
      arbitrary: fc.array(tie("repeated"), { minLength: 1, maxLength: 4 }).map((all) => all.join("")),
    },
    {
      weight: 2,
      arbitrary: fc.array(tie("node"), { minLength: 2, maxLength: 3 }).map((all) => all.join("|")),
    },
    { weight: 1, arbitrary: fc.tuple(looks, tie("node")).map(([look, body]) => `${look}${body})a`) },
    { weight: 2, arbitrary: fc.tuple(assertions, tie("node")).map(([what, body]) => what + body) },
    { weight: 2, arbitrary: fc.tuple(tie("node"), assertions).map(([body, what]) => body + what) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("(?i:", "(?s:", "(?m:", "(?-i:", "(?<n>"), tie("node"))
        .map(([open, body]) => `${open}${body})`),
    },
  ),
})).node;

function single(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "b", "s", "f", "i", "1", "-", " ", "é", "ß", "😀", "\n") },
    { weight: 3, arbitrary: fc.constantFrom(".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\N", "\\O") },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        "[ab]",
        "[^a]",
        "[a-s]",
        "[^\\w]",
        "[\\d-]",
        "[^\\n]",
        "[s1]",
        "[\\W\\d]",
        "[à-ü]",
        "[^b😀]",
        "[[:alpha:]]",
        "[[:^upper:]]",
        "[[:punct:]]",
        "\\p{Lu}",
        "\\P{L}",
        "[K]",
        "\\x{d83d}",
        "\\R",
        "[\\p{^Lu}é]",
      ),
    },
  );
}

/** Texts of characters that such patterns tell apart. */
export const texts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("a", "b", "s", "f", "i", "1", "-", " ", "\n") },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          "A",
          "S",
          "é",
          "É",
          "ß",
          "ſ",
          "K",
          "ﬁ",
          "ﬀ",
          "ﬆ",
          "😀",
          "٣",
          "\u2028",
          "\u0301",
          "ǅ",
          "$",
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom("\ud83d", "\ude00", "\u0000", "\u{10ffff}", "_") },
    ),
    { maxLength: 14 },
  )
  .map((all) => all.join(""));

export const flagLetters = fc.constantFrom("", "", "", "i", "p", "x", "ix");
