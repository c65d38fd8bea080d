import {
  anyObject,
  array,
  arrayFrom,
  boolean,
  literal,
  type Member,
  never,
  nullType,
  number,
  object,
  string,
  type Type,
  tuple,
  union,
  unknown,
} from "./type.ts";

/** A text that isn't a type of TypeScript, or of a form that isn't known here. */
export class TypeSyntaxError extends Error {
  /** The offset in the text. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = "TypeSyntaxError";
    this.offset = offset;
  }
}

/** How often a type may stand in itself; what is deeper is unknown. */
const ROUNDS = 3;

/**
 * The type of values that a type of TypeScript describes, with the members that it names and no others.
 * @param text a type, or declarations (`interface`, `type`)
 * @param name which of the declarations; without it, the last one
 * @throws TypeSyntaxError
 */
export function typeOfTypeScript(text: string, name?: string): Type {
  return new Reader(text).whole(name);
}

const token =
  /\s+|\/\/.*|\/\*[\s\S]*?\*\/|([A-Za-z_$][\w$]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|-?\d+(?:\.\d+)?|\.\.\.|[{}()[\]<>|&:;,?=])/y;

const simple: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["string", string],
  ["number", number],
  ["boolean", boolean],
  ["null", nullType],
  ["true", literal(true)],
  ["false", literal(false)],
  ["never", never],
  ["unknown", unknown],
  ["any", unknown],
  ["object", anyObject],
  // What isn't there is no value: it makes a member optional.
  ["undefined", never],
]);

class Reader {
  private readonly tokens: { readonly text: string; readonly start: number }[] = [];
  private readonly end: number;
  private at = 0;
  /** Where the types of declarations begin. */
  private readonly declared = new Map<string, number>();
  private readonly active = new Map<string, number>();

  constructor(text: string) {
    this.end = text.length;
    token.lastIndex = 0;
    for (let start = 0; start < text.length; start = token.lastIndex) {
      const found = token.exec(text);
      if (found === null) throw new TypeSyntaxError(`Unexpected ${JSON.stringify(text[start])}`, start);
      if (found[1] !== undefined) this.tokens.push({ text: found[1], start });
    }
  }

  whole(name: string | undefined): Type {
    let last: string | undefined;
    while (this.at < this.tokens.length && this.isDeclaration()) last = this.declaration();
    if (last === undefined) {
      const type = this.union();
      if (this.peek() !== "") throw this.unexpected();
      return type;
    }
    if (this.peek() !== "") throw this.unexpected();
    const wanted = name ?? last;
    if (!this.declared.has(wanted)) throw new TypeSyntaxError(`There is no type ${wanted}`, 0);
    return this.reference(wanted);
  }

  private isDeclaration(): boolean {
    const next = this.peek();
    if (next === "export" || next === "declare") return true;
    return (next === "interface" || next === "type") && /^[A-Za-z_$]/.test(this.peek(1));
  }

  private declaration(): string {
    while (this.take("export") || this.take("declare"));
    const isInterface = this.take("interface");
    if (!isInterface) this.expect("type");
    const name = this.next();
    if (!isInterface) this.expect("=");
    this.declared.set(name, this.at);
    // Read again where it is referred to, when all names are known.
    this.union();
    while (this.take(";"));
    return name;
  }

  private reference(name: string): Type {
    const start = this.declared.get(name);
    const rounds = this.active.get(name) ?? 0;
    if (start === undefined || rounds >= ROUNDS) return unknown;
    const back = this.at;
    this.active.set(name, rounds + 1);
    this.at = start;
    const type = this.union();
    this.at = back;
    this.active.set(name, rounds);
    return type;
  }

  private union(): Type {
    this.take("|");
    const types = [this.intersection()];
    while (this.take("|")) types.push(this.intersection());
    return union(...types);
  }

  private intersection(): Type {
    let type = this.postfix();
    while (this.take("&")) type = both(type, this.postfix());
    return type;
  }

  private postfix(): Type {
    let type = this.primary();
    while (this.peek() === "[" && this.peek(1) === "]") {
      this.at += 2;
      type = array(type);
    }
    return type;
  }

  private primary(): Type {
    if (this.take("readonly")) return this.postfix();
    if (this.take("{")) return this.members();
    if (this.take("[")) return this.tuple();
    if (this.take("(")) {
      const type = this.union();
      this.expect(")");
      return type;
    }
    const text = this.next();
    if (/^["']/.test(text)) return literal(textOf(text));
    if (/^-?\d/.test(text)) return literal(Number(text));
    const known = simple.get(text);
    if (known !== undefined) return known;
    if (!/^[A-Za-z_$]/.test(text)) throw this.unexpected(1);
    const given = this.peek() === "<" ? this.arguments() : [];
    if (text === "Array" || text === "ReadonlyArray") return array(given[0] ?? unknown);
    if (text === "Record") return recordOf(given[0] ?? string, given[1] ?? unknown);
    if (text === "Readonly") return given[0] ?? unknown;
    if (text === "Partial") return withPresence(given[0] ?? unknown, true);
    if (text === "Required") return withPresence(given[0] ?? unknown, false);
    return this.reference(text);
  }

  private arguments(): Type[] {
    this.expect("<");
    const types = [this.union()];
    while (this.take(",")) types.push(this.union());
    this.expect(">");
    return types;
  }

  private tuple(): Type {
    const first: Type[] = [];
    const others: Type[] = [];
    while (!this.take("]")) {
      const isRest = this.take("...");
      const isNamed = /^[A-Za-z_$]/.test(this.peek()) && (this.peek(1) === ":" || this.peek(2) === ":");
      if (isNamed) this.at++;
      const isOptional = this.take("?");
      if (isNamed) this.expect(":");
      const type = this.union();
      if (isRest) others.push(type.kind === "array" ? type.items : unknown);
      else if (isOptional || this.take("?") || others.length > 0) others.push(type);
      else first.push(type);
      if (this.peek() !== "]") this.expect(",");
    }
    return others.length === 0 ? tuple(first) : arrayFrom(first, union(...first, ...others));
  }

  private members(): Type {
    const members: [string, Member][] = [];
    let rest: Type | undefined;
    while (!this.take("}")) {
      if (this.peek() === "readonly" && this.peek(1) !== ":" && this.peek(1) !== "?") this.at++;
      if (this.take("[")) {
        // `[name: string]`, or as types are printed here, `[string]`.
        this.next();
        if (this.take(":")) this.union();
        this.expect("]");
        this.expect(":");
        rest = this.union();
      } else {
        const name = this.next();
        if (!/^["'\w$]/.test(name)) throw this.unexpected(1);
        const isOptional = this.take("?");
        this.expect(":");
        const from = this.at;
        const type = this.union();
        const mayBeUndefined = this.tokens.slice(from, this.at).some(({ text }) => text === "undefined");
        members.push([
          /^["']/.test(name) ? textOf(name) : name,
          { type, optional: isOptional || mayBeUndefined },
        ]);
      }
      if (!this.take(";")) this.take(",");
    }
    return object(members, rest);
  }

  private peek(ahead = 0): string {
    return this.tokens[this.at + ahead]?.text ?? "";
  }

  private next(): string {
    if (this.at >= this.tokens.length) throw this.unexpected();
    return this.tokens[this.at++]!.text;
  }

  private take(text: string): boolean {
    if (this.peek() !== text) return false;
    this.at++;
    return true;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw this.unexpected(0, text);
  }

  private unexpected(back = 0, expected?: string): TypeSyntaxError {
    const found = this.tokens[this.at - back];
    const what = found === undefined ? "The type ends too early" : `Unexpected ${found.text}`;
    const wanted = expected === undefined ? "" : `: expected ${expected}`;
    return new TypeSyntaxError(what + wanted, found?.start ?? this.end);
  }
}

function textOf(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/g, "$1");
}

function recordOf(keys: Type, value: Type): Type {
  const names = keys.kind === "union" ? keys.members : [keys];
  const texts = names.map((name) => (name.kind === "string" ? name.value : undefined));
  if (texts.includes(undefined)) return object([], value);
  return object(texts.map((name) => [name!, { type: value, optional: false }]));
}

function withPresence(type: Type, optional: boolean): Type {
  if (type.kind !== "object") return type;
  return object(
    [...type.members].map(([name, member]) => [name, { ...member, optional }]),
    type.rest,
  );
}

/** The members of both. */
function both(one: Type, other: Type): Type {
  if (one.kind === "unknown") return other;
  if (one.kind !== "object" || other.kind !== "object") return one;
  return object([...one.members, ...other.members], one.rest ?? other.rest);
}
