/** The words of one command of a shell, and the line that it begins in, from 1. */
interface ShellCommand {
  readonly words: readonly string[];
  readonly line: number;
}

/**
 * Splits a text into commands as a POSIX shell would: quotes, escapes, lines that go on. Nothing is expanded or run; `$NAME`
 * stays as it is written.
 */
export function shellWords(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: string | undefined;
  let line = 1;
  let start = 1;
  const endWord = () => {
    if (word === undefined) return;
    if (words.length === 0) start = line;
    words.push(word);
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push({ words, line: start });
    words = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\n") {
      endCommand();
      line++;
    } else if (char === "\\") {
      const next = text[++at] ?? "";
      if (next === "\n") line++;
      else if (next === "\r" && text[at + 1] === "\n") {
        at++;
        line++;
      } else word = (word ?? "") + next;
    } else if (char === "'" || char === '"') {
      const dollar = char === "'" && word?.endsWith("$") === true;
      if (dollar) word = word!.slice(0, -1);
      const { value, end } = quoted(text, at + 1, char, dollar);
      word = (word ?? "") + value;
      line += text.slice(at, end).split("\n").length - 1;
      at = end;
    } else if (/\s/.test(char)) endWord();
    else if (char === ";" || char === "|" || char === "&") endCommand();
    else if (char === "#" && word === undefined) {
      const end = text.indexOf("\n", at);
      at = end === -1 ? text.length : end - 1;
    } else word = (word ?? "") + char;
  }
  endCommand();
  return commands;
}

/** @param dollar whether it is `$'…'`, in which escapes count */
function quoted(text: string, from: number, quote: string, dollar: boolean): { value: string; end: number } {
  let value = "";
  let at = from;
  for (; at < text.length && text[at] !== quote; at++) {
    if (text[at] !== "\\" || (quote === "'" && !dollar)) {
      value += text[at];
      continue;
    }
    const next = text[++at] ?? "";
    if (dollar) value += { n: "\n", t: "\t", r: "\r" }[next] ?? next;
    else if (next !== "\n") value += /["\\$`]/.test(next) ? next : `\\${next}`;
  }
  return { value, end: at };
}
