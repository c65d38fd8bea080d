/** Forms that are easily got wrong, each once with its neighbours: input and program → what jq prints. See `fixtures.ts`. */
export const forms: readonly (readonly [input: string, program: string, ...lines: readonly string[]])[] = [
  // A key of INDEX may be missing, or there may be several.
  ['[{"id":1},{"x":2},{"id":[1]}]', "INDEX(.id // empty)", '{"1":{"id":1},"[1]":{"id":[1]}}'],
  [
    '[{"id":"a"},{"id":"b"}]',
    'INDEX(.id, .id + "x")',
    '{"a":{"id":"a"},"ax":{"id":"a"},"b":{"id":"b"},"bx":{"id":"b"}}',
  ],
  ['[{"id":1},{"id":2}]', "INDEX(.[], .[]; empty)", "{}"],
  // A dot that matches line ends.
  [
    '"a\\nb"',
    '[test("a.b"; "m"), test("a.b"; "p"), test("a.b"; "s"), test("a.b"; "ms")]',
    "[true,true,false,true]",
  ],
  ['"a\\nb"', '[test("a$"; "m"), test("^b"; "m"), test("b$"; "m")]', "[false,false,true]"],
  ['"a\\nb"', 'gsub("a.b"; "x"; "m"), [scan("a.b"; "m")], test(["A.b", "im"])', '"x"', '["a\\nb"]', "true"],
  // A key that is a text with interpolations is evaluated once.
  ['{"bar":["x","y"],"x":1,"y":2}', '{"\\(.bar[])"}', '{"x":1}', '{"y":2}'],
  ['{"bar":["x","y"],"eA==":1}', '{@base64 "\\(.bar[])"}', '{"eA==":1}', '{"eQ==":null}'],
  [
    '{"bar":["x","y"],"eA==":1}',
    '{"a\\(.bar[])", b: .bar[]}',
    '{"ax":null,"b":"x"}',
    '{"ax":null,"b":"y"}',
    '{"ay":null,"b":"x"}',
    '{"ay":null,"b":"y"}',
  ],
  ['{"xa":3}', '{"x\\("a","a")"}, {"x\\("a")"}, {"x\\(empty)"}', '{"xa":3}', '{"xa":3}', '{"xa":3}'],
  ["[1]", '{"x\\("a")"}', 'error: Cannot index array with string ("xa")'],
  [
    '{"a":1}',
    '{"x\\("a")", ("b","c"):(1,2)}',
    '{"xa":null,"b":1}',
    '{"xa":null,"b":2}',
    '{"xa":null,"c":1}',
    '{"xa":null,"c":2}',
  ],
  // Where several things have several outputs, the target of a slice is the innermost loop.
  ['{"c":[[1,2,3],[4,5,6]],"a":[0,1]}', "[.c[][.a[]:]]", "[[1,2,3],[4,5,6],[2,3],[5,6]]"],
  ['{"c":[[1,2,3],[4,5,6]],"a":[0,1]}', "[.c[][.a[]:(1,2)]]", "[[1],[4],[1,2],[4,5],[],[],[2],[5]]"],
  [
    '{"c":[[1,2,3],[4,5,6]],"a":[0,1]}',
    "[(.c[],.c)[.a[]:]]",
    "[[1,2,3],[4,5,6],[[1,2,3],[4,5,6]],[2,3],[5,6],[[4,5,6]]]",
  ],
  [
    '{"c":[[1,2,3],[4,5,6]],"a":[0,1]}',
    "[path(.c[][.a[]:(1,2)])]",
    '[["c",0,{"start":0,"end":1}],["c",1,{"start":0,"end":1}],["c",0,{"start":0,"end":2}],["c",1,{"start":0,"end":2}],["c",0,{"start":1,"end":1}],["c",1,{"start":1,"end":1}],["c",0,{"start":1,"end":2}],["c",1,{"start":1,"end":2}]]',
  ],
  ['{"c":[[1,2,3],[4,5,6]],"a":[0,1]}', "[.c[][.a[]:(1,2)]?]", "[[1],[4],[1,2],[4,5],[],[],[2],[5]]"],
  ["[3,[1,2]]", "[.[1][.[0] - 3:]]", "[[1,2]]"],
  // The last output may be the input, also one that is a scalar.
  ["5", "last(.) |= 3", "3"],
  ['"x"', "last(., .) |= 3", "3"],
  ['{"a":5}', ".a |= (last(.) |= 3)", '{"a":3}'],
  ['[5,"a",null,true,[],{}]', "[path(.[] | last(.))]", "[[0],[1],[2],[3],[4],[5]]"],
  ['[5,"a"]', "path(last(.[]))", 'error: Invalid path expression with result "a"'],
  ['{"a":[1]}', "[path(.a[0] | last(5, .))]", '[["a",0]]'],
  ['{"a":[1]}', "[path(.a[0] | last(., 5))]", "error: Invalid path expression with result 5"],
  [
    '{"a":[1]}',
    "[path(last([.a] | .[0]))]",
    "error: Invalid path expression near attempt to access element 0 of [[1]]",
  ],
  // An item of a foreach stands where it was found.
  [
    "[1,2,3]",
    "[path(label $out | foreach .[] as $x (0; .+1; $x, if . == 2 then break $out else empty end))]",
    "[[0],[1]]",
  ],
  ["[1,2,3]", "[path(foreach .[] as $x (0; .+1; if . > 1 then $x else empty end))]", "[[1],[2]]"],
  ["[[1],[2],3]", "[path(foreach .[] as $x (0; .+1; $x | .[0]?))]", "[[0,0],[1,0]]"],
  ["[[1],[2],[3]]", "[path(foreach .[] as $x (.; $x; .[0]))]", "[[0,0],[1,0],[2,0]]"],
  ["[[1],[2],[3]]", "[path(foreach .[] as $x (0; .+1; $x | . as $y | $y))]", "[[0],[1],[2]]"],
  [
    "[[1],[2],[3]]",
    "[path(foreach .[] as $x (0; .+1; ., $x))]",
    "error: Invalid path expression with result 1",
  ],
  [
    "[[1],[2],[3]]",
    "def lim($n; f): label $out | foreach f as $item (0; .+1; $item, if . >= $n then break $out else empty end); [path(lim(2; .[]))], (lim(2; .[][0]) |= 5), del(lim(1; .[]))",
    "[[0],[1]]",
    "[[5],[5],[3]]",
    "[[2],[3]]",
  ],
  [
    "[[1],[2],[3]]",
    "def sk($n; f): foreach f as $item ($n + 1; if . > 0 then . - 1 else . end; if . == 0 then $item else empty end); [path(sk(1; .[]))]",
    "[[1],[2]]",
  ],
  [
    "[[1,2],[3,4]]",
    "(.[] | label $f | foreach (0,1) as $i (.; .; .[$i], break $f)) += 10",
    "[[11,2],[13,4]]",
  ],
  [
    "[[1,2],[3,4]]",
    "[path(foreach (0,1) as $i (.; if $i == 0 then empty else . end; .[$i]))]",
    "error: Invalid path expression near attempt to access element 1 of null",
  ],
  ["[1,2]", "[path(. as $x | $x)]", "[[]]"],
  ["5", "[path(. as $x | $x)]", "[[]]"],
  ["[1,2]", "[path(.[0] as $x | $x)]", "error: Invalid path expression with result 1"],
];
