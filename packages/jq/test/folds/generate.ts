import { Random } from "../differential/random.ts";

/** A fold, and the same with its step inside a definition, which is evaluated as anything else is. */
export interface FoldPair {
  readonly inPlace: string;
  readonly plain: string;
}

/** What is in place within a definition, what isn't, and one that calls itself. */
const definitions = `def adds($v): .l += [$v] | .last = $v; def keeps($v): .kept = .l | .o.l += [$v];
  def both(f): .n += 1 | .l += [f]; def again($v): if (.n | numbers) > 2 then .l += [$v] else .n += 1 | again($v) end;`;

/** Writes folds whose steps change parts of the state, and try to keep what is changed later. */
export class FoldGenerator {
  private readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  pair(): FoldPair {
    const { random } = this;
    const before = random.of(["", "", ". as $all | ", "def length: .; ", "def show: debug; ", "def f: .l; "]);
    const [source, pattern] = random.of([
      [".items[]", "$x"],
      [".items[]", "$x"],
      [".items[]", "{k: $k, v: $x}"],
      [".items[]", '{("k", "v"): $x}'],
      ["(.items[]?, .items[0])", "$x"],
      ["((.items[] | .v as [$a] ?// $a | $a))", "$x"],
      [".items[]", "[$x] ?// $x"],
      ["range(5)", "$x"],
    ]);
    const start = random.of(["{}", "{}", "null", "[]", "{l: [], o: {}}", ".start", ".start, {}", "$in"]);
    const step = this.step(3).replaceAll("$k", pattern.includes("$k") ? "$k" : '"k"');
    const shows = random.chance(40)
      ? random.of([
          "length",
          ".n",
          ".l",
          ".",
          ".l[]?",
          ".o.l, .n",
          "{n, s: .l}",
          "[.n, .l]",
          "if .n == 2 then . else .n end",
          "(.l | debug | length)",
          "select(.n == 3)",
          ". as $s | .n, $s.l",
          "try error(.) catch .o",
          'if .n == 3 then error("shown") else .n end',
        ])
      : undefined;
    const isUntil = random.chance(15);
    const fold = (inner: string, from = start): string =>
      isUntil
        ? `first(${source}) as ${pattern} | ${from} | {s: ., c: 0} | until(.c > 3; .c += 1 | .s |= (${inner})) | .s`
        : shows === undefined
          ? `reduce ${source} as ${pattern} (${from}; ${inner})`
          : `foreach ${source} as ${pattern} (${from}; ${inner}; ${shows})`;
    const around = random.of<(text: string, nested: string) => string>([
      (text) => text,
      (text) => text,
      (text) => `[${text}]`,
      (text) => `try (${text}) catch ["caught", .]`,
      (text) => `[limit(3; ${text})]`,
      (text) => `label $out | (${text}) | ., if (.. | numbers) > 3 then break $out else empty end`,
      (text) => `(${text}) as $r | $r, (${text}), $r`,
      (text) => `reduce (1, 2) as $y ([]; . + [${text}])`,
      (_text, nested) => `. as {$items} | reduce (1, 2) as $y ({$items}; (${nested}))`,
    ]);
    const whole = (inner: string): string =>
      `def plain(f): f; ${definitions} .start as $in | .items[0] as $first | ${before}(${around(fold(inner), fold(inner, "."))})`;
    return { inPlace: whole(step), plain: whole(`plain(${step})`) };
  }

  private step(depth: number): string {
    const { random } = this;
    const go = (): string => this.step(depth - 1);
    if (depth > 0 && random.chance(55)) {
      return random.of([
        () => `${go()} | ${go()}`,
        () => `${go()} | ${go()} | ${go()}`,
        () => `(${go()})`,
        () => `if ${this.condition()} then ${go()} else ${go()} end`,
        () => `if ${this.condition()} then ${go()} end`,
        () => `${this.path()} |= (${go()})`,
        () => `(${this.value()}) as $w | ${go()} | .w = $w`,
        () => `(${this.value()}) as $w | ${this.path()} += [$w] | ${go()}`,
      ])();
    }
    return random.of([
      () => `${this.path()} += ${this.value()}`,
      () => `${this.path()} += [$x]`,
      () => `${this.path()} = ${this.value()}`,
      () => `${this.path()} |= ${this.value()}`,
      () => `${this.path()} ${random.of(["-=", "*=", "//=", "/="])} ${this.value()}`,
      () => `. + ${random.of(["[$x]", "{a: $x}", "{l: [$x]}", "{(.n | tostring): .l}", "{all: .}"])}`,
      () => ".n += 1",
      () => random.of(["adds($x)", "adds(.n)", "keeps($x)", "both(.n)", "both($x)", "again($x)"]),
      () => ".",
      () => this.other(),
    ])();
  }

  private other(): string {
    return this.random.of([
      "del(.l[0]?)",
      "{l: .l, o: {l: .l}, n}",
      "debug",
      "$in",
      ".o.copy = .",
      "with_entries(.)",
      "(.l, .o) |= .",
      "first(.l[]?) |= [.]",
      ".[]? |= .",
      "try (.l += 1) catch .",
      "empty",
      "(., .)",
      'error("stop")',
      "(.l += [1])?",
      ".l as [$p] ?// $p | .n = $p",
    ]);
  }

  private path(): string {
    return this.random.of([
      ".l",
      ".l",
      ".o",
      ".o.l",
      ".o.l",
      ".o[$k]",
      '.o["m"].l',
      ".g[$k | tostring]",
      ".l[0]",
      ".l[-1]",
      ".l[1:]",
      ".l[{start: 0, end: 1}]",
      ".l[{start: 0, end: 1}][0].z",
      ".l[0].a.b",
      ".l[.n]?",
      ".[.name]",
      ".last",
      ".w",
      ".",
      ".l[]",
      ".o[]?",
      ".o.l[]?.v",
      ".__proto__.l",
      ".o?.l",
      ".l[-9]",
    ]);
  }

  private value(): string {
    return this.random.of([
      "1",
      "$x",
      "[$x]",
      "[[$x]]",
      "{a: $x}",
      "{l: [$x]}",
      "$in",
      "$in.l",
      "[$in]",
      "null",
      ".l",
      ".o",
      ".o.l",
      "[.l]",
      "[.l, .l]",
      "{l: .l}",
      "{l}",
      ".",
      "[.]",
      "(.l | length)",
      "(.l | debug | length)",
      "length",
      "(.o // .l)",
      "if .n == 1 then .l else [] end",
      "(.l | first)?",
      "[.l[]?]",
      "(.l[0:1])",
      "(. as $s | [$s.l])",
      "(.l as $s | 1)",
      "(try error(.l) catch .)",
      "[.l[]? | [.]]",
      "(reduce (1, 2) as $i (.l; . + [$i]))",
      "(reduce (1, 2) as $i (.; .l += [$i]))",
      "[foreach (1, 2) as $i (.o; .l += [$i]; .l)]",
      "empty",
      "(1, 2)",
      "input",
      'error("no")',
      "$first",
    ]);
  }

  private condition(): string {
    return this.random.of([
      ".n > 2",
      "$x == 1",
      "(.l | length) > 1",
      "(.l | debug | length) > 1",
      ".l",
      '($x | type) == "number"',
      "true, false",
      ".n == 1",
    ]);
  }
}
