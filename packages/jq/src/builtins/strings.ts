import type { BuiltinTable } from "./builtin.ts";

/** Text, regular expressions and formats. */
export const stringsBuiltins: BuiltinTable = {
  ascii: "The character with the input's code, as text.",
  ascii_downcase: "The text with A to Z in lower case.",
  ascii_upcase: "The text with a to z in upper case.",
  explode: "The code points of a text.",
  implode: "A text from code points.",
  "startswith($prefix)": "Whether the text begins with the prefix.",
  "endswith($suffix)": "Whether the text ends with the suffix.",
  "ltrimstr($prefix)": "The text without the prefix, if it begins with it.",
  "rtrimstr($suffix)": "The text without the suffix, if it ends with it.",
  "trimstr($affix)": "The text without the given text at both ends.",
  trim: "The text without blanks at both ends.",
  ltrim: "The text without blanks at its beginning.",
  rtrim: "The text without blanks at its end.",
  "split($separator)": "The parts of the text between separators.",
  "split($regex; $flags)": "The parts of the text between matches of the regular expression.",
  "splits($regex)": "The parts of the text between matches of the regular expression, one by one.",
  "splits($regex; $flags)": "The parts of the text between matches of the regular expression, one by one.",
  "join($separator)":
    "The items as one text with separators; numbers and booleans become text, null is empty.",
  "test($regex)": "Whether the regular expression matches somewhere in the text.",
  "test($regex; $flags)": "Whether the regular expression matches somewhere in the text.",
  "match($regex)": "The match as {offset, length, string, captures}.",
  "match($regex; $flags)": "The matches as {offset, length, string, captures}; with flag g all of them.",
  "capture($regex)": "The named groups of the match as an object.",
  "capture($regex; $flags)": "The named groups of each match as an object.",
  "scan($regex)": "The text of every match; where it has groups, an array of theirs.",
  "scan($regex; $flags)": "The text of every match; where it has groups, an array of theirs.",
  "sub($regex; replacement)":
    "The text with the first match replaced; named groups are members of the replacement's input.",
  "sub($regex; replacement; $flags)": "The text with the first match replaced, or all with flag g.",
  "gsub($regex; replacement)":
    "The text with every match replaced; named groups are members of the replacement's input.",
  "gsub($regex; replacement; $flags)": "The text with every match replaced.",
  "format($name)": "The input in the named format, like @name.",
};
