/** The part of PromQL that our alert rules are written in. */
export type Expression =
  | { readonly is: "number"; readonly value: number }
  | {
      readonly is: "series";
      readonly name: string;
      readonly labels: Labels;
      readonly range: number;
      readonly offset: number;
    }
  | { readonly is: "call"; readonly name: "rate" | "increase" | "absent"; readonly of: Expression }
  | {
      readonly is: "aggregate";
      readonly name: "max" | "sum";
      readonly by: readonly string[];
      readonly of: Expression;
    }
  | {
      readonly is: "binary";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    };

export type Labels = Readonly<Record<string, string>>;
export type Operator = "or" | ">" | "<" | "-" | "/";

/** Weakest first. */
const levels: readonly (readonly Operator[])[] = [["or"], [">", "<"], ["-"], ["/"]];
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** @throws SyntaxError for what our rules have no use for */
export function parsePromql(text: string): Expression {
  const tokens = text.match(/"[^"]*"|\d+(?:\.\d+)?[smhd]?|\w+|[^\s\w]/g) ?? [];
  let at = 0;
  const peek = (): string => tokens[at] ?? "";
  const fail = (): never => {
    throw new SyntaxError(`“${peek()}” isn't understood in “${text}”.`);
  };
  const take = (wanted?: string): string => {
    const token = peek();
    if (token === "" || (wanted !== undefined && token !== wanted)) fail();
    at++;
    return token;
  };
  const seconds = (): number => {
    const [, number, unit = ""] = /^(\d+)([smhd])$/.exec(take()) ?? [];
    return Number(number) * (units[unit] ?? fail());
  };

  function binary(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return primary();
    let left = binary(level + 1);
    for (;;) {
      const operator = operators.find((each) => each === peek());
      if (operator === undefined) return left;
      take();
      left = { is: "binary", operator, left, right: binary(level + 1) };
    }
  }

  function within(): Expression {
    take("(");
    const inner = binary(0);
    take(")");
    return inner;
  }

  function primary(): Expression {
    if (peek() === "(") return within();
    const word = take();
    if (/^\d/.test(word)) return { is: "number", value: Number(word) };
    if (word === "max" || word === "sum") return { is: "aggregate", name: word, by: by(), of: within() };
    if (word === "rate" || word === "increase" || word === "absent")
      return { is: "call", name: word, of: within() };
    return series(word);
  }

  function by(): readonly string[] {
    if (peek() !== "by") return [];
    take();
    take("(");
    const names = [take()];
    while (peek() === ",") {
      take();
      names.push(take());
    }
    take(")");
    return names;
  }

  function series(name: string): Expression {
    if (!/^[a-z_]\w*$/i.test(name)) fail();
    const labels: Record<string, string> = {};
    if (peek() === "{") {
      do {
        take();
        const label = take();
        take("=");
        labels[label] = take().slice(1, -1);
      } while (peek() === ",");
      take("}");
    }
    let range = 0;
    if (peek() === "[") {
      take();
      range = seconds();
      take("]");
    }
    let offset = 0;
    if (peek() === "offset") {
      take();
      offset = seconds();
    }
    return { is: "series", name, labels, range, offset };
  }

  const whole = binary(0);
  if (at < tokens.length) fail();
  return whole;
}
