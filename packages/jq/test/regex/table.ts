/** What JavaScript's engine is given, with flags where they aren't empty. */
export const accepted: readonly (readonly [pattern: string, flags?: string])[] = [
  // Of a fixed length, so that a try is short.
  ["(?<y>\\d{4})-(?<m>\\d{2})"],
  ["foo|bar"],
  ["first|second", "i"],
  ["@example\\.com$"],
  ["\\.(jpg|jpeg|png|gif)$", "i"],
  ["\\bfoo\\b"],
  ["[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"],
  ["[éè]"],
  // Begun at one place.
  ["^a.*b$"],
  ["^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$"],
  ["^https?://([^/:]+)(:\\d+)?(/.*)?$"],
  ["^(?=.*\\d)(?=.*[a-z]).{8,}$"],
  ["^[A-Z][a-z]+(?: [A-Z][a-z]+)*$"],
  ["^\\w+\\s+\\w+$"],
  ["(?m)^#.*$"],
  // Once begun, certain to match.
  ["\\s+"],
  [", *"],
  ["[^\\w-]+", "g"],
  ["\\d+(\\.\\d+)?"],
  // What is passed over holds no other beginning.
  ['"[^"]*"'],
  ["<[^<>]*>"],
  ["\\b\\w+\\b"],
  // Begun where a run of characters begins, not from each of them.
  ["^\\s+|\\s+$"],
  ["\\s*,\\s*"],
  ["(\\d+)-(\\d+)"],
  ["a*b"],
  ["[^@]+@[^@]+\\.[a-z]+"],
  ["(?<![0-9])[0-9]+$"],
  ["\\w+\\s+\\w+"],
  ["([^,]*),([^,]*)"],
  ["x*y|z"],
];

/** What the matcher keeps, and why. */
export const declined: readonly (readonly [pattern: string, flags: string, reason: string])[] = [
  // Without a counterpart in JavaScript, or with one that means something else.
  ["(?>a+)b", "", "an atomic group"],
  ["\\R", "", "an atomic group"],
  ["a++b", "", "a possessive quantifier"],
  ["(a)\\1", "", "a reference to what was captured"],
  ["(a\\g<1>?)b", "", "a call of a group"],
  ["(a)?(?(1)b|c)", "", "a condition"],
  ["(?~ab)", "", "an absence operator"],
  ["a\\Kb", "", "\\K"],
  ["\\X", "", "\\X"],
  ["\\Ga", "", "\\G"],
  ["a\\y", "", "a boundary of graphemes"],
  ["(a*)*", "", "a repeated part that may match nothing"],
  ["(?:(a)|b)*", "", "a group that not every round of a loop captures"],
  ["(a){0}b", "", "a group that is repeated zero times"],
  ["(?<=(a))b", "", "a group in a look-behind"],
  ["(?<=ab)c", "", "a look-behind of more than a character"],
  ["straße", "i", "letters beyond ASCII, of any case"],
  ["[à-ü]", "i", "letters beyond ASCII, of any case"],
  ["[\\p{Lu}]", "i", "a property of characters, of any case"],
  ["fffff", "i", "many letters that ligatures may stand for"],
  // Slow on some text: exponential …
  ["(a+)+$", "", "tries that grow with the text"],
  ["^(a+)+$", "", "tries that grow with the text"],
  ["^(\\w+\\s?)*$", "", "tries that grow with the text"],
  ["^(a|a)*b", "", "tries that grow with the text"],
  ["^(a|aa)+$", "", "tries that grow with the text"],
  ["^([a-z0-9])(?:(?:[\\-.]|[_]+)?([a-z0-9]+))*@", "", "tries that grow with the text"],
  ["^(?:.*?,){11}P", "", "tries that grow with the text"],
  ["^(?:a?){30}a{30}$", "", "a repeated part that may match nothing"],
  [`^${"a?".repeat(30)}${"a".repeat(30)}$`, "", "tries that grow with the text"],
  [`^${"(?:a|a)".repeat(20)}b`, "", "tries that grow with the text"],
  // … or to a power.
  ["^.*a.*b$", "", "tries that grow with the text"],
  ["^\\d+\\d+$", "", "tries that grow with the text"],
  ["^(.*?):\\s*(.*)$", "", "tries that grow with the text"],
  ["^\\s*(.*?)\\s*$", "", "tries that grow with the text"],
  // Each start passes over the later ones.
  ["<[^>]*>", "", "tries that grow with the text"],
  ["\\{\\{(.*?)\\}\\}", "", "tries that grow with the text"],
  ["#.*$", "", "tries that grow with the text"],
  ["(?=.*b)a", "", "tries that grow with the text"],
  // Too much to look at.
  ["a{1,50}b", "", "tries that grow with the text"],
  ["a{600}", "", "a long pattern"],
  ["[\\p{L}\\p{Greek}\\p{Lu}\\p{Ll}]", "", "many properties of characters"],
];
