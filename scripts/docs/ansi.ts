/** Text with colours for a terminal, taken apart. */

export interface Style {
  readonly color: ColorName | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
}

export type ColorName = (typeof names)[number] | `bright-${(typeof names)[number]}`;

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

export interface Run extends Style {
  readonly text: string;
  /** From 0. */
  readonly column: number;
}

const plain: Style = { color: undefined, bold: false, dim: false, italic: false, underline: false };

/**
 * Lines of styled runs, broken at the width of the terminal as a terminal breaks them.
 *
 * Knows the styles and the 16 colours that `configc` uses; other escape sequences are an error, so that none is lost in silence.
 *
 * @throws on an escape sequence that isn't known
 */
export function parseAnsi(text: string, columns: number): Run[][] {
  const lines: Run[][] = [[]];
  let style = plain;
  let column = 0;
  for (const [, codes, newline, chunk] of text.matchAll(/\x1b\[([\d;]*)m|(\n)|([^\x1b\n]+|\x1b)/g)) {
    if (codes !== undefined) style = codes.split(";").reduce(styled, style);
    else if (newline !== undefined) {
      lines.push([]);
      column = 0;
    } else if (chunk?.startsWith("\x1b")) throw new Error("An escape sequence that isn't a style.");
    else {
      let rest = [...(chunk ?? "")];
      while (rest.length > 0) {
        if (column >= columns) {
          lines.push([]);
          column = 0;
        }
        const part = rest.slice(0, columns - column);
        lines.at(-1)?.push({ ...style, text: part.join(""), column });
        column += part.length;
        rest = rest.slice(part.length);
      }
    }
  }
  return lines;
}

function styled(style: Style, code: string): Style {
  const number = Number(code === "" ? "0" : code);
  if (number >= 30 && number <= 37) return { ...style, color: names[number - 30] };
  if (number >= 90 && number <= 97) return { ...style, color: `bright-${names[number - 90]!}` };
  switch (number) {
    case 0:
      return plain;
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 3:
      return { ...style, italic: true };
    case 4:
      return { ...style, underline: true };
    case 22:
      return { ...style, bold: false, dim: false };
    case 23:
      return { ...style, italic: false };
    case 24:
      return { ...style, underline: false };
    case 39:
      return { ...style, color: undefined };
    default:
      throw new Error(`The style ${number} isn't known.`);
  }
}
