/**
 * Where we once differed from jq, and what a faster way could get wrong: input and program → the lines that
 * jq prints, and its error. Recorded from jq-wasm by the test itself, which compares both again.
 */
export const fixtures: readonly (readonly [input: string, program: string, ...lines: readonly string[]])[] = [
  // Keys in patterns see the value that is taken apart.
  ['{"k":"a"}', '{"a":1,"k":"b","b":2} as {(.k): $v} | $v', "2"],
  ['{"k":"a"}', '{"k":{"k":"b","b":2},"b":3} as {k: {(.k): $v}} | $v', "2"],
  ["{}", ". as [[$a], $b] | 1", "error: Cannot index object with number (1)"],
  // Alternatives also catch what fails later.
  ["null", '([1] as $a ?// [$a] | $a) | if type == "array" then error("x") else . end', "1"],
  ["null", 'try (([1] as $a ?// [$a] | $a) | if type == "array" then error("x") else . end) catch "c"', "1"],
  // A handler whose input is what failed is still a path.
  ["1", "(try error catch .) |= 3", "3"],
  ['{"a":{}}', '(try error("x") catch .) |= 3', 'error: Invalid path expression with result "x"'],
  ['{"a":{}}', "(try error(.a) catch .) |= 3", "error: Invalid path expression with result {}"],
  // Updates make nothing where no path leads, and nothing is deleted that isn't there.
  ["null", ".a[]? //= 1", "null"],
  ["{}", "(.a | select(.)) |= 1", "{}"],
  ["{}", '.o[""]? |= select(. != null)', "{}"],
  ["{}", ".a |= .", '{"a":null}'],
  ["{}", ".a.b[1] |= 3", '{"a":{"b":[null,3]}}'],
  ['{"a":[1,null,2]}', ".a[] |= select(.)", '{"a":[1,2]}'],
  ['{"a":1,"b":null}', ".[] |= select(.)", '{"a":1}'],
  ['[{"a":1},{"b":2}]', ".[].a |= empty", '[{},{"b":2}]'],
  ["[1,2,3]", ".[1] |= empty", "[1,3]"],
  ["[[1,2],[3]]", ".[][0] |= empty", "[[2],[]]"],
  ["[1]", ". |= empty", "null"],
  ["{}", "(.l[1:]) |= select(. != null)", "{}"],
  ["[1,2]", ".[] += (10, 20)", "[11,12]", "[21,22]"],
  ["[3,4]", ".[.[0] - 3] += 1", "[4,4]"],
  ['{"a":[{"b":1},{"b":2}]}', "(.a[] | select(.b > 1) | .c) = .a[0].b", '{"a":[{"b":1},{"b":2,"c":1}]}'],
  [
    '{"__proto__":{"x":1},"constructor":2}',
    ".__proto__.x += 1 | .constructor |= . + 1",
    '{"__proto__":{"x":2},"constructor":3}',
  ],
  ["5", ".a |= 1", 'error: Cannot index number with string ("a")'],
  ['{"a":5}', ".a[] |= 1", "error: Cannot iterate over number (5)"],
  // A reduce that changes its state in place must not change what others hold.
  [
    "null",
    'reduce (0, ([1] as [$a] ?// $a | $a)) as $x ({"n": 5}; .n += 1 | if .n == 7 then error("x") else . end)',
    '{"n":1}',
  ],
  [
    "[1,2]",
    "reduce .[] as $x ({}; .l += [$x] | .all += [.l] | .l += [0])",
    '{"l":[1,0,2,0],"all":[[1],[1,0,2]]}',
  ],
  ["[1,2]", "[foreach .[] as $x ({}; .o.l += [$x] | .n += 1; .n, .o)]", '[1,{"l":[1]},2,{"l":[1,2]}]'],
  ["[1,2]", "reduce .[] as $x (.; . + [$x]), .", "[1,2,1,2]", "[1,2]"],
  ["[1,2,3]", "reduce .[] as $x ([]; . + [[.]])", "[[[]],[[[[]]]],[[[[]],[[[[]]]]]]]"],
  ['["a","b"]', "reduce .[] as $k ({}; .[$k] = .)", '{"a":{},"b":{"a":{}}}'],
  ['["a","b","a"]', "reduce .[] as $k ({}; .[$k] += {($k): length})", '{"a":{"a":2},"b":{"b":1}}'],
  ['["a","b"]', 'reduce .[] as $k ({"n": {}}; .n[$k] = (.n | length))', '{"n":{"a":0,"b":1}}'],
  ['["a","b"]', 'reduce .[] as $k ({"l": []}; .[$k] = .l | .l += [$k])', '{"l":["a","b"],"a":[],"b":["a"]}'],
  ['["a","b"]', "reduce .[] as $k ({}; .[$k] |= empty)", "{}"],
  ['["__proto__","b"]', "reduce .[] as $k ({}; . + {($k): 1})", '{"__proto__":1,"b":1}'],
  ["[1,2]", "reduce .[] as $x (null; . + [$x]) | ., (. + [3]), .", "[1,2]", "[1,2,3]", "[1,2]"],
  [
    '[{"k":"x","v":[1]},{"k":"x","v":[2]}]',
    ". as $all | reduce .[] as $i ({}; .[$i.k] += $i.v) | ., $all[0]",
    '{"x":[1,2]}',
    '{"k":"x","v":[1]}',
  ],
  // Shorter ways for expressions with at most one output.
  ["[1,[2]]", "[.[] | try error catch .]", "[1,[2]]"],
  ['[{"a":null},{"a":false},{},3]', '[.[] | .a? // "d"]', '["d","d","d","d"]'],
  ["[3,1,2]", "[.[] as $x | $x * 2 | select(. > 2)]", "[6,4]"],
  [
    '[{"k":"b","n":1},{"k":null,"n":2},{"k":"a","n":3},{"k":"b","n":4}]',
    "[group_by(.k)[] | map(.n)]",
    "[[2],[3],[1,4]]",
  ],
  ["[[1,2],[1,1],[1,2]]", "group_by(.[0], .[1]) | map(length)", "[1,2]"],
  ["[0,-0,0.0]", "group_by(.) | length", "1"],
  ['["toString","constructor"]', "map({(.): 1} | .toString, .constructor)", "[1,null,null,1]"],
  ["{}", ".toString, .constructor, .__proto__", "null", "null", "null"],
  // The last argument of a builtin comes first; arguments of definitions are in their order.
  ["{}", 'try setpath(error("A"); error("B")) catch .', '"B"'],
  ["2", 'try pow(error("A"); error("B")) catch ., try fma(error("A"); error("B"); 1) catch .', '"B"', '"B"'],
  [
    '"a"',
    'try split(error("A"); error("B")) catch ., try test(error("A"); error("B")) catch .',
    '"A"',
    '"B"',
  ],
  // What jq says of rows, and of times without a year.
  ["[{}]", "@tsv", "error: object ({}) is not valid in a csv row"],
  ["[]", "todate", '"1900-01-00T00:00:00Z"'],
  // Remainders are those of 64-bit integers: what is larger is the largest of them.
  [
    "null",
    "[(infinite, -infinite) % (1, -1, 7, infinite, -infinite)]",
    "[0,0,0,0,0,-1,0,-1,9223372036854776000,0]",
  ],
  [
    "null",
    "[(1e19, -1e19, 1e300) % (10, 1e300)], [1e18 % 9007199254740993]",
    "[7,-8,7,0,-1,0]",
    "[200882723749888]",
  ],
  // A parameter by value is also a function: what was passed, not what it gave.
  ["null", "def f($x): x; [f(1, 2)]", "[1,2,1,2]"],
  ["5", "def f($x): 6 | x, $x; [f(.)]", "[6,5]"],
  ["null", "def f(x; $y): x, y; [f(1, 2; 3, 4)]", "[1,2,3,4,1,2,3,4]"],
  ['{"a":1}', "def f($x): path(x), $x; [f(.a)]", '[["a"],1]'],
  ["1", "def f($x): def x: 9; x, $x; [f(1, 2)]", "[9,1,9,2]"],
  ["3", "def f($n): if $n > 0 then n, f($n - 1) else empty end; [f(.)]", "[3,2,1]"],
  ["1", "def f($x): def g($x): x; g(x + 1), x; [f(.)]", "[2,1]"],
  // A `try` without a handler also ends a break out of it.
  ["null", "[label $f | (1, break $f, 2)?, 3]", "[1,3]"],
  [
    "null",
    "[label $f | (label $g | 1, break $f, 2)?, 3], [label $f | try (try break $f) catch 4, 5]",
    "[1,3]",
    "[5]",
  ],
  ["[1,2]", "label $f | [(.[0], break $f)? = 9]", "[[9,2]]"],
  // Edges of texts and lists.
  ['"abc"', "try (. * 1000000000) catch .", '"Repeat string result too long"'],
  ["null", '"" * 1e300, 1e300 * ""', '""', '""'],
  ["null", "[nan, 1] | @csv, @tsv", '",1"', '"\\t1"'],
  ['["YW=Jj","YWI=YWI=","YQ==x"]', "map(@base64d)", '["a","ab","a"]'],
  ["[[[1]],[2]]", "flatten(0.5)", "[1,2]"],
  ["[0.1,0]", "transpose", "error: Cannot index number with number (0)"],
  // Zero without a sign.
  ["0", "-., -(0), [-0.0 | . + 0]", "0", "0", "[0]"],
];
