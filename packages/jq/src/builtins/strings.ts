import type { BuiltinTable } from "./builtin.ts";

/** Text, regular expressions and formats. */
export const stringsBuiltins: BuiltinTable = {
  ascii: "The character with the input's code, as a string.",
  ascii_downcase: "The string with A to Z in lower case.",
  ascii_upcase: "The string with a to z in upper case.",
  explode: "The code points of a string.",
  implode: "A string from code points.",
  "startswith($prefix)": "Whether the string begins with the prefix.",
  "endswith($suffix)": "Whether the string ends with the suffix.",
  "ltrimstr($prefix)": "The string without the prefix, if it begins with it.",
  "rtrimstr($suffix)": "The string without the suffix, if it ends with it.",
  "trimstr($affix)": "The string without the given string at both ends.",
  trim: "The string without white space at both ends.",
  ltrim: "The string without white space at its beginning.",
  rtrim: "The string without white space at its end.",
  "split($separator)": "The parts of the string between separators.",
  "split($regex; $flags)": "The parts of the string between matches of the regular expression.",
  "splits($regex)": "The parts of the string between matches of the regular expression, one by one.",
  "splits($regex; $flags)": "The parts of the string between matches of the regular expression, one by one.",
  "join($separator)":
    "The items as one string with separators; numbers and booleans become strings, null is empty.",
  "test($regex)": "Whether the regular expression matches somewhere in the string.",
  "test($regex; $flags)": "Whether the regular expression matches somewhere in the string.",
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
