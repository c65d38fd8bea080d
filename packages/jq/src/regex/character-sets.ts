import { OnigUnicodePropertyMap } from "oniguruma-parser/unicode";
import { caseVariants } from "./case-folding.ts";
import { type CharacterTest, RegexError } from "./syntax.ts";

const ASCII = 128;

/** A test that knows the answers for ASCII by heart. */
export function tabulated(test: CharacterTest): CharacterTest {
  const known = new Uint8Array(ASCII);
  for (let code = 0; code < ASCII; code++) known[code] = test(code) ? 1 : 0;
  return (code) => (code < ASCII ? known[code] === 1 : test(code));
}

function ofPattern(pattern: string): CharacterTest {
  const expression = new RegExp(pattern, "u");
  return tabulated((code) => expression.test(String.fromCodePoint(code)));
}

export const digit = ofPattern("\\p{Nd}");
export const word = ofPattern("[\\p{L}\\p{M}\\p{N}\\p{Pc}]");
export const space = ofPattern("\\p{White_Space}");
export const newline: CharacterTest = (code) => code === 10;

export function not(test: CharacterTest): CharacterTest {
  return (code) => !test(code);
}

/** All cases of a letter pass. */
export function ignoringCase(test: CharacterTest): CharacterTest {
  return tabulated((code) => caseVariants(code).some(test));
}

const posix: Readonly<Record<string, string>> = {
  alnum: "[\\p{Alphabetic}\\p{Nd}]",
  alpha: "\\p{Alphabetic}",
  ascii: "[\\0-\\x7f]",
  blank: "[\\p{Zs}\\t]",
  cntrl: "\\p{Cc}",
  digit: "\\p{Nd}",
  graph: "[^\\p{White_Space}\\p{Cc}\\p{Cn}\\p{Cs}]",
  lower: "\\p{Lowercase}",
  print: "[^\\p{Cc}\\p{Cn}\\p{Cs}]",
  punct: "[\\p{P}$+<=>^`|~]",
  space: "\\p{White_Space}",
  upper: "\\p{Uppercase}",
  word: "[\\p{L}\\p{M}\\p{N}\\p{Pc}]",
  xdigit: "[0-9A-Fa-f]",
};

/** `[:name:]` in a class. */
export function posixSet(name: string): CharacterTest {
  if (!Object.hasOwn(posix, name)) throw new RegexError("invalid POSIX bracket type");
  return ofPattern(posix[name]!);
}

/** `\p{name}`: case, blanks, `-` and `_` don't count. */
export function propertySet(name: string): CharacterTest {
  const plain = name.toLowerCase().replace(/[\s_-]/g, "");
  if (plain === "any") return () => true;
  if (plain === "assigned") return ofPattern("\\P{Cn}");
  // Without the symbols that it has as a POSIX class.
  if (plain === "punct") return ofPattern("\\p{P}");
  if (Object.hasOwn(posix, plain)) return ofPattern(posix[plain]!);
  const known = OnigUnicodePropertyMap.get(plain);
  if (known !== undefined) {
    for (const property of [known, `General_Category=${known}`, `Script=${known}`]) {
      try {
        return ofPattern(`\\p{${property}}`);
      } catch {
        // The engine knows it as another kind of property, or not at all.
      }
    }
  }
  throw new RegexError(`invalid character property name {${name}}`);
}
