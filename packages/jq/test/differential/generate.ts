import type { Random } from "./random.ts";
import { templates } from "./templates.ts";

/** What an expression is meant to give; it need not. */
type Kind = "number" | "text" | "flag" | "list" | "object" | "any";
const kinds: readonly Kind[] = ["number", "text", "flag", "list", "object", "any"];
const templatesOf = new Map(
  kinds.map(
    (kind) =>
      [
        kind,
        templates[kind]
          .trim()
          .split("\n")
          .map((line) => line.trim()),
      ] as const,
  ),
);

/** Constructs that only work if much else does. A program lists those that it uses. */
export type Feature =
  | "fold"
  | "label"
  | "try"
  | "alternatives"
  | "destructuring"
  | "update"
  | "definition"
  | "recursion"
  | "path"
  | "regex"
  | "date"
  | "format"
  | "group"
  | "entries"
  | "limit"
  | "stream"
  | "interpolation"
  | "template";

export interface GeneratedProgram {
  readonly text: string;
  readonly features: ReadonlySet<Feature>;
}

/** A program over an input as `shapedValue` makes it. */
export function generateProgram(random: Random): GeneratedProgram {
  const generator = new Generator(random);
  const text = generator.query(random.of(kinds), 3 + random.below(3));
  return { text, features: generator.features };
}

interface Names {
  readonly variables: readonly string[];
  /** Definitions without parameters. */
  readonly filters: readonly string[];
}

/**
 * Expressions by what they should give, so that programs get further than their first type error. Whether
 * `.` is still the program's input isn't tracked: a part of the programs fails, as it should.
 */
class Generator {
  readonly features = new Set<Feature>();
  private readonly random: Random;
  private names: Names = { variables: [], filters: [] };
  private fresh = 0;

  constructor(random: Random) {
    this.random = random;
  }

  /** An expression that may stand anywhere: in parentheses unless it is a term. */
  term(kind: Kind, depth: number): string {
    return `(${this.query(kind, depth)})`;
  }

  query(kind: Kind, depth: number): string {
    if (depth <= 0) return this.leaf(kind);
    if (this.random.chance(20)) return this.template(kind, depth - 1);
    if (this.random.chance(55)) return this.typed(kind, depth - 1);
    return this.random.of(this.structures)(kind, depth - 1);
  }

  private template(kind: Kind, depth: number): string {
    this.features.add("template");
    return this.random
      .of(templatesOf.get(kind)!)
      .replace(/‹(\w+)›/g, (_, hole: string) =>
        hole === "path" ? `(${this.path(depth)})` : this.term(hole as Kind, depth),
      );
  }

  private leaf(kind: Kind): string {
    const variables = this.names.variables;
    if (variables.length > 0 && this.random.chance(20)) return this.random.of(variables);
    if (this.names.filters.length > 0 && this.random.chance(15)) return this.random.of(this.names.filters);
    switch (kind) {
      case "number":
        return this.random.of([
          ".n",
          ".l[0]",
          ".l[-1]",
          "0",
          "1",
          "2",
          "3.7",
          "-1",
          "1000",
          ".items[0].id",
          "length",
        ]);
      case "text":
        return this.random.of([
          ".s",
          ".t[0]",
          '"a"',
          '"b,c"',
          '"é😀"',
          '""',
          ".items[].name",
          "tojson",
          "type",
        ]);
      case "flag":
        return this.random.of([".b", "true", "false", "null", "isempty(.[]?)", 'type == "object"']);
      case "list":
        return this.random.of([
          ".l",
          ".t",
          ".items",
          "[.[]?]",
          "[]",
          "[1, 2, 3]",
          "[.items[]?.id]",
          '["b", "a", null]',
          ".items[].tags",
        ]);
      case "object":
        return this.random.of([".", ".o", ".items[0]", "{}", "{a: 1, b: [2]}", ".items[]"]);
      case "any":
        return this.random.of([
          ".",
          ".a",
          ".[]?",
          "..",
          ".o.a",
          ".missing",
          "empty",
          ".items[]?",
          'getpath(["o", "a"])',
          ".[0]?",
        ]);
    }
  }

  private typed(kind: Kind, depth: number): string {
    const n = () => this.term("number", depth);
    const s = () => this.term("text", depth);
    const l = () => this.term("list", depth);
    const o = () => this.term("object", depth);
    const f = () => this.term("flag", depth);
    const a = () => this.term("any", depth);
    const q = (of: Kind) => this.query(of, depth);
    const uses = (feature: Feature, text: () => string) => () => {
      this.features.add(feature);
      return text();
    };
    const pick = (options: readonly (() => string)[]) => this.random.of(options)();
    switch (kind) {
      case "number":
        return pick([
          () => `${n()} ${this.random.of(["+", "-", "*", "/", "%"])} ${n()}`,
          () => `${a()} | length`,
          () =>
            `${n()} | ${this.random.of(["floor", "sqrt", "abs", "ceil", "round", "tostring | tonumber", "-.", "trunc", "fabs", "exp2", "log2", "significand", "logb"])}`,
          () =>
            `${l()} | ${this.random.of(["add", "min", "max", "length", "first", "last", "index(1)", "add(.[]?)"])}`,
          () =>
            `${s()} | ${this.random.of(["length", "utf8bytelength", "tonumber?", 'index(",")', "explode[0]"])}`,
          uses("date", () => `${s()} | try fromdateiso8601 catch 0`),
          uses("date", () => `${n()} | try (gmtime | mktime) catch .`),
          () => `range(${n()}; ${n()})`,
          uses("limit", () => `[limit(${n()}; ${a()})] | length`),
        ]);
      case "text":
        return pick([
          () => `${s()} + ${s()}`,
          () =>
            `${s()} | ${this.random.of(["ascii_downcase", "ascii_upcase", "explode | implode", ".[1:]", ".[:-1]", 'ltrimstr("a")', 'rtrimstr("b")', "trim", "ltrim", "tojson", 'trimstr("a")'])}`,
          () => `${a()} | tostring`,
          uses("interpolation", () => `"<\\(${q("any")}), \\(${q("text")})>"`),
          uses(
            "format",
            () =>
              `${l()} | try ${this.random.of(["@csv", "@tsv", "@sh", "@json", "@html", "@text"])} catch .`,
          ),
          uses(
            "format",
            () => `${s()} | ${this.random.of(["@base64", "@uri", "@html", "@sh", "@json", "@urid"])}`,
          ),
          uses(
            "format",
            () => `${this.random.of(["@base64", "@uri", "@html", "@sh", "@json"])} "x\\(${q("text")})y"`,
          ),
          () => `${l()} | map(tostring) | join(${this.random.of(['","', '""', s()])})`,
          uses(
            "regex",
            () =>
              `${s()} | ${this.random.of(["sub", "gsub"])}("${this.random.of(["a", "[a-z]", "(?<x>.)", "^", "\\\\d+", "b?"])}"; ${this.random.of(['"-"', '"<\\(.x)>"', '"1", "2"'])})`,
          ),
          uses(
            "date",
            () =>
              `${n()} | try ${this.random.of(["todateiso8601", "todate", 'strftime("%Y-%m-%d %H:%M:%S %j %a")'])} catch "no"`,
          ),
          () => `${s()} * ${this.random.of(["0", "1", "3", "0.5", n()])}`,
        ]);
      case "flag":
        return pick([
          () => `${a()} ${this.random.of(["==", "!=", "<", "<=", ">", ">="])} ${a()}`,
          () => `${f()} ${this.random.of(["and", "or"])} ${f()}`,
          () => `${f()} | not`,
          () => `${o()} | has(${this.random.of(['"a"', '"n"', s()])})`,
          () =>
            `${l()} | ${this.random.of(["any", "all", "any(. == 1)", "all(.[]; . != null)", "contains([1])", "inside([1, 2, 3])", "IN([1], [])"])}`,
          () => `${s()} | ${this.random.of(['startswith("a")', 'endswith("b")', 'contains(",")'])}`,
          uses(
            "regex",
            () =>
              `${s()} | test("${this.random.of(["a", "^[a-z]+$", "A", "\\\\p{L}", "(a|b)c?"])}"${this.random.of(["", '; "i"', '; "x"'])})`,
          ),
        ]);
      case "list":
        return pick([
          () => `[${q("any")}]`,
          () => `[${q("number")}, ${q("text")}]`,
          () => `${l()} | map(${q("any")})`,
          () =>
            `${l()} | ${this.random.of(["sort", "unique", "reverse", "flatten", "flatten(1)", "map(type)", "to_entries", "transpose?", ".[1:]", ".[:-1]", "keys", "indices(1)", "map(select(.))", "del(.[0])", "[.[] | numbers]", "implode? // []", "tostream", "combinations?"])}`,
          uses("group", () =>
            `${l()} | ${this.random.of(["sort_by", "group_by", "unique_by", "[min_by", "[max_by"])}(${q("any")})`.replace(
              /(\[m\w+_by.*)$/s,
              "$1]",
            ),
          ),
          uses("entries", () => `${o()} | to_entries`),
          uses("limit", () => `[limit(${this.random.below(4)}; ${q("any")})]`),
          uses(
            "limit",
            () =>
              `[${this.random.of(["first", "last"])}(${q("any")}), nth(${this.random.below(3)}; ${q("any")})]`,
          ),
          uses("limit", () => `[skip(${this.random.below(3)}; ${q("any")})]`),
          uses(
            "path",
            () =>
              `${o()} | [${this.random.of(["paths", "leaf_paths?", "path(..)", 'paths(type == "number")', "path(.a[]?)", "path(.items[]? | .name)", "path(first(.[]?))"])}]`,
          ),
          uses(
            "stream",
            () =>
              `${a()} | [${this.random.of(["tostream", "fromstream(tostream)", "fromstream(1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]]))"])}]`,
          ),
          uses(
            "regex",
            () =>
              `${s()} | [${this.random.of(["match", "scan", "capture", "splits"])}("${this.random.of(["a", "[a-z]", "(?<x>.)(?<y>z)?", ",", "(a)|(b)"])}"${this.random.of(["", '; "g"', '; "gi"'])})]`,
          ),
          () =>
            `${s()} | ${this.random.of(['split(",")', "explode", '. / ","', 'split(", *"; null)', 'ascii_downcase | split("")'])}`,
          () => `${l()} + ${l()}`,
          () => `${l()} - ${l()}`,
          () => `${l()} | .[${this.random.of(["0", "-1", ":2", "1:", "-2:", "0.5", n()])}]?`,
          uses(
            "recursion",
            () => `[${l()} | recurse(${this.random.of([".[]?", "if . == [] then empty else .[1:]? end"])})]`,
          ),
          () =>
            `[${l()} | ${this.random.of(["while(length? > 0; .[1:]?)", "until(length? < 1; .[1:]?)", "limit(3; recurse(.[1:]?))"])}]`,
        ]);
      case "object":
        return pick([
          () => `{a: ${a()}, ${this.random.of(["s", "$__loc__", '"b"', '"x\\(1)"', "n"])}}`,
          () => `{(${q("text")}): ${a()}, b: ${n()}}`,
          () => `${o()} + ${o()}`,
          () => `${o()} * ${o()}`,
          uses(
            "entries",
            () =>
              `${o()} | with_entries(${this.random.of([".value |= tostring", 'select(.key != "a")', '.key |= "k" + .', `.value = ${a()}`])})`,
          ),
          uses("entries", () => `${o()} | to_entries | from_entries`),
          () => `${o()} | map_values(${q("any")})`,
          uses("path", () => `${o()} | del(${this.path(depth)})`),
          uses(
            "path",
            () => `${o()} | pick(${this.random.of([".a", ".o.a", ".l[1]", "first(.items[]?)", ".n, .s"])})`,
          ),
          uses(
            "path",
            () => `${o()} | setpath([${this.random.of(['"a"', '"o", "x"', '"l", 1', s()])}]; ${a()})`,
          ),
          uses(
            "path",
            () =>
              `${o()} | delpaths([${this.random.of(['["a"]', '["l", 0], ["l", 1]', '["o", "a"], ["o"]'])}])`,
          ),
          uses("recursion", () => `${o()} | walk(${q("any")})`),
          () => `${l()} | INDEX(${this.random.of([".id?", ".", "type"])})`,
          () => `reduce (${q("any")}) as $item ({}; .[$item | tostring] += 1)`,
        ]);
      case "any":
        return this.query(this.random.of(kinds), depth);
    }
  }

  /** A path expression over the shaped input. */
  private path(depth: number): string {
    const random = this.random;
    return random.of([
      () => ".n",
      () => ".o.a",
      () => ".l[]",
      () => ".l[1]",
      () => ".l[-1]",
      () => ".l[1:]",
      () => ".items[].name",
      () => ".items[]?.tags[0]",
      () => ".items[] | select(.id > 0)",
      () => `.items[] | select(${this.query("flag", depth - 1)}) | .name`,
      () => ".o[]?",
      () => ".missing.deep[1].x",
      () => '.["o"]["c"]?',
      () => "(.n, .s)",
      () => ".l | first",
      () => "first(.l[]?)",
      () => "last(.t[]?)",
      () => "if .b then .n else .s end",
      () => ".missing // .s",
      () => 'getpath(["o", "b"])',
      () => ".. | numbers",
      () => "limit(2; .l[]?)",
      () => ".[]?",
      () => "(.items[]? | .tags[]?)",
      () => "recurse | strings",
      () => `.o[${this.query("text", depth - 1)}]?`,
      () => 'paths(type == "boolean") as $p | getpath($p)',
      () => "label $l | .l[]? | ., break $l",
      () => "empty",
      () => "try error catch .",
      () => ".items[1:][0]?",
      () => ".t[0:2]",
    ])();
  }

  private variable(): string {
    this.fresh++;
    return `$v${this.fresh}`;
  }

  /** What `inside` gives while some variables are in scope. */
  private binding<Result>(variables: readonly string[], inside: () => Result): Result {
    const before = this.names;
    this.names = { ...before, variables: [...before.variables, ...variables] };
    const result = inside();
    this.names = before;
    return result;
  }

  private pattern(): readonly [string, readonly string[]] {
    const [x, y] = [this.variable(), this.variable()];
    const plain = x.slice(1);
    return this.random.of<readonly [string, readonly string[]]>([
      [x, [x]],
      [`[${x}, ${y}]`, [x, y]],
      [`{a: ${x}, b: ${y}}`, [x, y]],
      [`{id: ${x}, tags: [${y}]}`, [x, y]],
      [`{$${plain}}`, [x]],
      [`{"a": ${x}, (${this.leaf("text")}): ${y}}`, [x, y]],
      [`[[${x}], {n: ${y}}]`, [x, y]],
    ]);
  }

  private readonly structures: readonly ((kind: Kind, depth: number) => string)[] = [
    (kind, depth) => `${this.term(this.random.of(kinds), depth)} | ${this.query(kind, depth)}`,
    (kind, depth) => `${this.query(kind, depth)} | ${this.query(kind, depth)}`,
    (kind, depth) => `${this.term(kind, depth)}, ${this.term(kind, depth)}`,
    (kind, depth) => `${this.term(kind, depth)} // ${this.term(kind, depth)}`,
    (kind, depth) => `${this.term(kind, depth)}?`,
    (kind, depth) =>
      `if ${this.query("flag", depth)} then ${this.query(kind, depth)}${this.random.of([` elif ${this.query("flag", depth)} then ${this.query(kind, depth)}`, ""])}${this.random.of([` else ${this.query(kind, depth)}`, ""])} end`,
    (kind, depth) => `${this.query(kind, depth)} | select(${this.query("flag", depth)})`,
    (kind, depth) => {
      this.features.add("try");
      const body = this.random.of([
        () => this.term(kind, depth),
        () => `error(${this.query("any", depth)})`,
      ])();
      return this.random.of([
        `try ${body} catch ${this.term(kind, depth)}`,
        `(${body})?`,
        `try ${body} catch .`,
      ]);
    },
    (kind, depth) => {
      const [pattern, variables] = this.pattern();
      if (!pattern.startsWith("$")) this.features.add("destructuring");
      const source = this.term("any", depth);
      return `${source} as ${pattern} | ${this.binding(variables, () => this.query(kind, depth))}`;
    },
    (kind, depth) => {
      this.features.add("alternatives");
      const [[one, first], [two, second]] = [this.pattern(), this.pattern()];
      const source = this.term("any", depth);
      return `${source} as ${one} ?// ${two} | ${this.binding([...first, ...second], () => this.query(kind, depth))}`;
    },
    (kind, depth) => {
      this.features.add("fold");
      const [pattern, variables] = this.pattern();
      // With several initial states jq gives its source another input for the second one.
      const [source, start] = [this.term("any", depth), `[${this.query(kind, depth)}][0]`];
      const step = this.binding(variables, () =>
        this.random.of([
          () => this.query(kind, depth),
          () => `. + ${this.term(kind, depth)}`,
          () => `.[${variables[0]} | tostring] = ${this.term("any", depth)}`,
          () => `.a += ${this.term("any", depth)}`,
        ])(),
      );
      if (this.random.chance(50)) return `reduce ${source} as ${pattern} (${start}; ${step})`;
      const show = this.binding(variables, () => this.query("any", depth));
      return `foreach ${source} as ${pattern} (${start}; ${step}${this.random.of(["", `; ${show}`])})`;
    },
    (kind, depth) => {
      this.features.add("label");
      const name = `$out${++this.fresh}`;
      const body = `${this.term("any", depth)} | ${this.random.of([`., break ${name}`, `if ${this.query("flag", depth)} then break ${name} else . end`])}`;
      return `label ${name} | ${this.random.of([body, `(${body}), ${this.term(kind, depth)}`])}`;
    },
    (kind, depth) => {
      this.features.add("definition");
      const name = `f${++this.fresh}`;
      const body = this.query(kind, depth);
      const before = this.names;
      this.names = { ...before, filters: [...before.filters, name] };
      const rest = this.query(kind, depth);
      this.names = before;
      return `def ${name}: ${body}; ${rest}`;
    },
    (kind, depth) => {
      this.features.add("definition");
      const [name, value] = [`g${++this.fresh}`, this.variable()];
      const body = this.binding([value], () => this.query(kind, depth));
      const call = `${name}(${this.query("any", depth)}; ${this.query("any", depth)})`;
      return `def ${name}(h; ${value}): ${this.random.of([`h | ${body}`, `${body} | h`, `[h, ${value}]`, `${value} as $w | h`])}; ${call}`;
    },
    (kind, depth) => {
      this.features.add("recursion");
      const name = `r${++this.fresh}`;
      return this.random.of([
        `def ${name}: if type == "array" and length > 0 then .[1:] | ${name} else . end; ${this.query(kind, depth)} | ${name}`,
        `def ${name}($n): if $n > 0 then $n, ${name}($n - 1) else ${this.term(kind, depth)} end; ${name}(${this.random.below(4)})`,
        `def ${name}: ., (.[]? | ${name}); [${this.query(kind, depth)} | ${name}]`,
        `def ${name}(g): g, (.[]? | ${name}(g | tojson)); [limit(9; ${name}(${this.query(kind, depth)}))]`,
      ]);
    },
    (_kind, depth) => {
      this.features.add("update");
      const operator = this.random.of(["=", "|=", "|=", "+=", "-=", "*=", "/=", "%=", "//="]);
      const value = this.random.of([
        () => this.term("any", depth),
        () => this.term("number", depth),
        () => "empty",
        () => "(. , 1)",
        () => "select(. != null)",
      ])();
      const target = this.path(depth);
      return `(${target.includes(" as ") || target.startsWith("label") || target.startsWith("reduce") ? `(${target})` : target.includes("|") || target.includes("//") ? `(${target})` : target}) ${operator} ${value}`;
    },
  ];
}
