/** A line of a `sh` block, as far as pages need a shell. */
export interface ShellLine {
  readonly text: string;
  /** Words of the first command, without quotes. */
  readonly words: readonly string[];
  /** Where standard output goes. */
  readonly output?: { readonly path: string; readonly append: boolean };
  /** It ends with `&`. */
  readonly background: boolean;
  /** It takes a real shell: pipes. */
  readonly isPipe: boolean;
}

/** The commands of a `sh` block: comments and empty lines are left out, lines that end with a backslash are joined. */
export function shellLines(block: string): ShellLine[] {
  return block
    .replace(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(shellLine);
}

function shellLine(text: string): ShellLine {
  // `eval "$(configc completion bash)"`: the command inside is what counts.
  const inner = /\$\((.*)\)/.exec(text)?.[1] ?? text;
  const tokens = tokensOf(inner);
  const background = tokens.at(-1)?.plain === "&";
  const redirection = tokens.findIndex(({ plain }) => plain === ">" || plain === ">>");
  const target = tokens[redirection + 1];
  const end = redirection >= 0 ? redirection : background ? tokens.length - 1 : tokens.length;
  return {
    text,
    words: tokens.slice(0, end).map(({ word }) => word),
    ...(redirection >= 0 && target !== undefined
      ? { output: { path: target.word, append: tokens[redirection]?.plain === ">>" } }
      : {}),
    background,
    isPipe: tokens.some(({ plain }) => plain === "|"),
  };
}

interface Token {
  readonly word: string;
  /** The word, if nothing in it is quoted. */
  readonly plain: string | undefined;
}

function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  for (const [raw] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"])+/g)) {
    if (raw.startsWith("#")) break;
    const word = raw.replace(
      /'([^']*)'|"((?:\\.|[^"\\])*)"/g,
      (_, single?: string, double?: string) => single ?? (double ?? "").replace(/\\(["\\$`])/g, "$1"),
    );
    tokens.push({ word, plain: word === raw ? raw : undefined });
  }
  return tokens;
}

/** Arguments of `configc`, if that is what the words start, by itself, from the repository or through npx. */
export function configcArguments(words: readonly string[]): readonly string[] | undefined {
  if (words[0] === "configc" || words[0]?.endsWith("/.bin/configc")) return words.slice(1);
  return words[0] === "npx" && words[1] === "configc" ? words.slice(2) : undefined;
}
