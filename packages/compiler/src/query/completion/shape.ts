import { isList, type Place, type Skeleton } from "../skeleton.ts";
import { literal } from "./completion.ts";

/** As much stands on one line. */
const MAX_LINE = 60;

/**
 * A sketch as a snippet: laid out as people write it, with tabs that editors make the document's own indentation, and a place
 * for each part that can be typed over.
 */
export function snippetOf(sketch: Skeleton): string {
  return new Layout().print(sketch, "");
}

/** Numbers the places of a snippet in the order in which they are typed. */
class Layout {
  private count = 0;

  print(sketch: Skeleton, indentation: string): string {
    if (isList(sketch))
      return this.enclosed("[", "]", sketch, indentation, (item, inner) => this.print(item, inner));
    if (sketch.kind === "place") return this.place(sketch);
    const { members } = sketch;
    if (members.length === 0) return `{ $${++this.count} }`;
    return this.enclosed(
      "{",
      "}",
      members,
      indentation,
      ([name, value], inner) => `${this.place(name)}: ${this.print(value, inner)}`,
    );
  }

  private enclosed<T>(
    open: string,
    close: string,
    items: readonly T[],
    indentation: string,
    print: (item: T, indentation: string) => string,
  ): string {
    const inner = `${indentation}\t`;
    const printed = items.map((item) => print(item, inner));
    const line = printed.join(", ");
    const isShort = !line.includes("\n") && withoutPlaces(line).length <= MAX_LINE;
    if (isShort && (open === "[" || items.length <= 2)) return open === "[" ? `[${line}]` : `{ ${line} }`;
    return `${open}\n${printed.map((each) => inner + each).join(",\n")}\n${indentation}${close}`;
  }

  private place({ suggested, fixed, choices }: Place): string {
    const json = JSON.stringify(suggested);
    if (fixed === true) return literal(json);
    const number = ++this.count;
    const quote = typeof suggested === "string" ? '"' : "";
    const text = quote === "" ? json : json.slice(1, -1);
    if (choices !== undefined) return `${quote}\${${number}|${choices.map(choiceText).join(",")}|}${quote}`;
    return text === "" ? `${quote}$${number}${quote}` : `${quote}\${${number}:${literal(text)}}${quote}`;
  }
}

function choiceText(choice: string): string {
  return JSON.stringify(choice)
    .slice(1, -1)
    .replace(/[\\,|]/g, "\\$&");
}

/**
 * What a client without snippets writes: the suggested texts, with nothing to jump to.
 */
export function withoutPlaces(snippet: string): string {
  return snippet.replace(
    /\$\{\d+\|((?:\\.|[^\\,|])*)(?:\\.|[^\\|])*\|\}|\$\{\d+:((?:\\.|[^\\}])*)\}|\$\d+|\\(.)/gs,
    (_, choice: string | undefined, text: string | undefined, escaped: string | undefined) =>
      escaped ?? (choice ?? text ?? "").replace(/\\(.)/gs, "$1"),
  );
}
