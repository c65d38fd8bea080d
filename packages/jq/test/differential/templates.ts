/**
 * Builtins and constructs that the grammar of `generate.ts` has no rule of its own for: each line is an expression, in
 * which `‹number›` and the like stand for any expression of that kind, and `‹path›` for a path expression.
 */
export const templates: Readonly<Record<"number" | "text" | "flag" | "list" | "object" | "any", string>> = {
  number: `
    ‹number› % (infinite, 1e19, 7.9)
    (infinite, -infinite, -1e19) % ‹number›
    ‹text› | rindex(‹text›)
    ‹text› | indices(‹text›) | length
    ‹list› | bsearch(‹any›)
    ‹list› | (index(‹any›), rindex(‹number›))
    ‹number› | (cbrt, trunc, rint, nearbyint) * 1000 | round
    ‹number› | [frexp, modf] | flatten | add
    ldexp(‹number›; 3), fma(‹number›; 2; 1), fmod(‹number›; 3)
    fmin(‹number›; ‹number›), fmax(‹number›; 1), copysign(2; ‹number›)
    [limit(3; ‹any›)] | length
    ‹text› | try (strptime("%Y-%m-%dT%H:%M:%SZ") | mktime) catch 0
    reduce (‹any›) as [$p, $q] (0; . + 1, . + ($p | numbers) // 0)
    ‹any› | getpath(["a", "b"]) | length
    $__loc__.line
    ‹any› | [..] | length
    ‹text› | [match(".b?"; "g").offset] | add
    ‹text› | ltrimstr("1") | tonumber? // 0
    [‹number›, ‹number›] | .[0] - .[1] | abs`,
  text: `
    ‹text› | [splits("[,b]"; null)] | join("+")
    ‹text› | [match("(?<x>[a-z])(?<y>é)?"; "g").captures[].name | tostring] | join(",")
    ‹text› | ascii_downcase | @base64 | @base64d
    ‹text› | @base64d
    ‹any› | try @csv catch .
    ‹any› | try @sh catch .
    ‹any› | @html
    [‹number›, ‹text›, ‹flag›] | @csv, @tsv, @sh
    ‹any› | try error catch tojson
    try error(‹object›) catch tojson
    ‹any› | try implode catch .
    [‹number›, 65] | try implode catch .
    ‹text› | try (explode | map(. + 1) | implode) catch .
    ‹any› | try tonumber catch .
    ‹any› | try fromjson catch .
    ‹any› | try toboolean catch .
    ‹any› | try keys catch .
    ‹any› | try ltrimstr(‹text›) catch .
    ‹any› | try has(‹any›) catch .
    ‹any› | try .[‹any›] catch .
    try (‹any› - ‹any›) catch .
    try (‹any› * ‹any›) catch .
    try (‹any› / ‹any›) catch .
    try (‹any› % ‹any›) catch .
    try (‹any› | -.) catch .
    try (‹any› | contains(‹any›)) catch .
    try (‹any› | split(‹any›)) catch .
    try (‹any› | join(‹any›)) catch .
    try (‹any› | test(‹any›)) catch .
    try (‹any› | setpath(‹any›; 1)) catch tojson
    try (‹any› | delpaths(‹any›)) catch tojson
    try (‹any› | getpath(‹any›)) catch tojson
    try (‹any› | ‹path› = ‹any›) catch tojson
    try (‹any› | del(‹path›)) catch tojson
    try ([‹any› | path(‹path›)] | tojson) catch .
    @json "\\(‹any›)-\\(‹number›)"
    @text "\\(‹list›)\\("\\(‹text›)")"
    @sh "\\(‹text›) \\([‹number›, ‹text›])"
    ‹text› | .[‹number›:‹number›]
    ‹text› | try trim catch ., try trimstr(‹any›) catch .
    ‹text› | sub("(?<x>[a-z])(?<y>.)?"; "\\(.y)\\(.x)"; "g")
    ‹text› | gsub("\\\\s+|,"; "_"), gsub("(?<c>[^a])"; .c + .c)
    ‹text› | [scan("([a-z])(.)?")] | tojson
    ‹number› | try (gmtime | strftime("%d/%m/%y %H")) catch "no"
    ‹any› | type as $t | {($t): 1} | tojson`,
  flag: `
    ‹any› | isvalid(.a)?
    ‹list› | any(.[]; ‹flag›), all(.[]; ‹flag›)
    ‹any› | IN(‹any›)
    IN(‹any›; ‹any›)
    ‹text› | inside("abc,é😀z")
    ‹text› | test("B"; "ix"), test(["a", "i"])
    ‹text› | in({"a": 1, "b": 2})
    ‹number› | in([1, 2])
    ‹any› | . == (tojson | fromjson)
    ‹list› == (‹list› | sort)
    [‹any›] < [‹any›]
    {a: ‹any›} <= {a: ‹any›}
    ‹number› | (isnan, isinfinite, isnormal)
    ‹list› | has(0, 5, -1)
    isempty(‹any›)
    ‹any› and ‹any› or ‹any›
    label $l | ‹any› | if . then true, break $l else false end`,
  list: `
    [‹any› | try combinations catch "no"]
    [‹list› | limit(4; combinations(2))]
    [[‹list›, ‹list›] | transpose[]]
    ‹list› | .[‹number›:‹number›]
    ‹list› | .[1:] = [‹any›]
    ‹list› | .[:1] |= map(‹any›)
    ‹list› | .[‹number›] = ‹any›
    ‹list› | del(.[‹number›], .[0])
    ‹list› | del(.[1:], .[-1])
    ‹list› | to_entries
    ‹list› | [.[:2][], .[-1:][]]
    ‹list› | first, last, nth(1)
    ‹list› | [JOIN({"a": 1, "1": 2}; tostring)]
    ‹list› | [.[] as {a: $x} ?// [$x] ?// $x | $x]
    ‹list› | flatten(1.5), flatten(0)
    ‹list› | [splits("a")?], [ascii?]
    ‹list› | [getpath([0], [1, "a"])?]
    [‹list› | tostream]
    [‹object› | tostream | select(length == 2)]
    [(‹list›, ‹text›)[(0, 1):(2, null)]]
    [‹list› | .[(0, -1):]] + [‹any› | .[:(1, 2)]?]
    [‹any› | path(label $l | foreach ‹path› as $p (0; . + 1; $p, if . == 2 then break $l else empty end))]
    [‹any› | path(foreach ‹path› as $p (0; . + 1; if . > 1 then $p else empty end))]
    [‹any› | path(last(‹path›, .))]
    [‹text› | match("a.|,"; "gm").string]
    [1 | truncate_stream(‹object› | tostream)]
    [‹any› | leaf_paths?]
    [‹object› | paths(type != "object")]
    [foreach (‹any›) as [$p, {a: $q}] (‹number›; . + 1; [., $p, $q])]
    [foreach (‹any›) as $p (0, 1; . + 1, . + 2)]
    [limit(5; ‹list› | repeat(.[1:]; 3)?)]
    [range(‹number›; ‹number›; ‹number› + 3)] | .[:9]
    [limit(9; range(0, 1; ‹number›; 1, 2))]
    [skip(1, 0; ‹any›)]
    [label $l | (‹any›, break $l, 7)?, 8]
    [try (‹any›, error("e"), 9) catch .]
    [(‹any›, error("e"), 9)?]
    [.[]?, ..?] | .[:9]
    [‹list› | getpath(paths)]
    [‹text› | explode[] | [.] | implode]
    ‹list› | sort_by(.a?, .), group_by(type), unique_by(length?)
    ‹list› | [min_by(.a?), max_by(.a?)]
    ‹list› - [‹any›]
    def f($p; $q): [p, q, $p, $q]; [limit(9; f(‹any›; ‹number›))] | flatten(1)
    def f($p): [p as $q | $q, $p]; [limit(4; f(‹any›))]
    def f(g): [g, (g | type)]; f(‹any›)
    def f(g; h): reduce g as $x ([]; . + [$x | h]); f(‹any›; ‹any›)
    [limit(3; ‹any› | recurse(if type == "array" then .[] else empty end; . != null))]
    ‹number› | try gmtime catch []
    [‹text› | match("(a)|(b)"; "g") | .captures[].offset]
    ‹list› | walk(if type == "array" then .[:2] else . end)
    ‹list› | map_values(., 1), map_values(empty)`,
  object: `
    ‹object› | {a, "b", "c\\(1)": .a, (‹text›): 1, $__loc__}
    ‹object› | . as {a: $if} | {$if, if: 1}
    ‹object› | . as {$a, b: [$c]} ?// {$a} | {$a, $c}
    ‹object› | with_entries(.key |= ascii_upcase)
    ‹object› | with_entries(select(.value | type != "array"))
    ‹object› | to_entries | map({(.key): .value}) | add // {}
    ‹object› | map_values(empty), map_values(., 1), map_values(.a?)
    ‹object› | del(.a, .b), del(.[]?), del(.o[]?)
    ‹object› | delpaths([paths(type == "number")])
    ‹object› | pick(.a), pick(.b.c?), pick(.l[0], .l[2])
    ‹object› | getpath(["o"]) += {z: 1}
    ‹object› | (.. | numbers) |= . + 1
    ‹object› | (.a, .o) |= tojson
    ‹object› | .[‹text›] = ‹any›
    ‹object› | .["a", "b"] = ‹any›
    ‹object› | .a[‹number›]? |= 1
    ‹object› | walk(if type == "object" then del(.a) else . end)
    ‹object› | fromstream(tostream)
    ‹object› | reduce paths(scalars) as $p (.; setpath($p; 0))
    ‹object› * {a: ‹any›, o: {a: 1}}
    ‹object› | INDEX(.[]; type)
    ‹any› | INDEX(.[]?; .a? // empty)
    INDEX(‹any›; type, (‹text›))
    {"\\(‹any›)", @base64 "\\(‹text›)"}
    {"x\\(‹text›)", y: ‹any›}
    ‹text› | capture("(?<a>[a-z])(?<b>,)?")
    [‹text› | match("(?<a>.)"; "g")] | first
    {a: (‹any›), (‹text›): (‹number›)}
    {} | .a.b |= ‹any› | .a["c"] += ‹number›
    {} | .l[1:3] = ‹list›
    try error({a: ‹any›}) catch .
    reduce (‹list›) as $x ({}; .n += 1 | .last = $x)
    ‹object› | if has("a") then .a = 1 elif .b then . else {} end`,
  any: `
    ‹any› | .a?, .[0]?, .["b"]?, .[1:]?
    ‹any› | (.. | select(type == "number")), "end"
    ‹any› | first(.[]?), last(.[]?), nth(1; .[]?)
    ‹any› | try (.[0] |= empty) catch .
    ‹any› | try (‹path› |= ‹any›) catch .
    ‹any› | try (‹path› //= ‹any›) catch .
    ‹any› | try (last(.) |= ‹any›) catch .
    ‹any› | try ((‹path›, ‹path›, .) |= [., .]) catch .
    ‹any› | try ((.., ‹path›) |= (‹any›, .)) catch .
    ‹any› | try ((‹path›, ‹path›) *= ‹object›) catch .
    ‹any› | try (reduce path(‹path›, ..) as $p (.; setpath($p; [., 1]) | getpath($p) |= [., .])) catch .
    ‹any› | try (reduce path(..) as $p (.; . as $s | setpath($p; $s | getpath($p)) | delpaths([$p[1:]]))) catch .
    ‹any› | try (reduce (‹path›) as $x ({o: {}}; . * {o: {p: .o, $x}} | .o.n += 1 | del(.o.p.p))) catch .
    ‹any› | try (reduce (‹any›) as $x (.; . *= ‹object› | .x = .o | .x.b.c *= {d: 1} | del(.o.a, .x.n))) catch .
    [‹any› | tostream] | try ([fromstream(.[], .[1:][])]) catch .
    ‹any› | try pick(‹path›) catch .
    ‹any› | try del(‹path›, ‹path›) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; select(. > 1) | $p)) |= ‹any›) catch .
    ‹any› | try ((‹path› | [., .] | .[]) += ‹any›) catch .
    def few(f): label $l | foreach f as $i (0; . + 1; $i, if . == 2 then break $l else empty end); ‹any› | try (few(‹path›) |= ‹any›) catch .
    ‹any› | try ((.[(0, 1):(2, null)], .l[(1, 0):]?) = (‹any›)) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; $p)) = (‹any› as {a: $q} ?// [$q] ?// $q | $q)) catch .
    ‹any› | try (‹path› = (. as [$p] ?// {a: $p} ?// $p | reduce $p as $x (‹any›; [., $x]))) catch .
    ‹any› | try ((. as $x | ‹path›, (label $l | foreach ‹path› as $p (0; . + 1; $p, break $l))) = ‹number›) catch .
    ‹any› | try ((.[(0, 1):(2, null)], .l[(1, 0):]?) |= (‹any›)) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; $p)) |= (‹any› as {a: $q} ?// [$q] ?// $q | $q)) catch .
    ‹any› | try (‹path› |= (. as [$p] ?// {a: $p} ?// $p | reduce $p as $x (‹any›; [., $x]))) catch .
    ‹any› | try ((. as $x | ‹path›, (label $l | foreach ‹path› as $p (0; . + 1; $p, break $l))) |= ‹number›) catch .
    ‹any› | try ((.[(0, 1):(2, null)], .l[(1, 0):]?) += (‹any›)) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; $p)) += (‹any› as {a: $q} ?// [$q] ?// $q | $q)) catch .
    ‹any› | try (‹path› += (. as [$p] ?// {a: $p} ?// $p | reduce $p as $x (‹any›; [., $x]))) catch .
    ‹any› | try ((. as $x | ‹path›, (label $l | foreach ‹path› as $p (0; . + 1; $p, break $l))) += ‹number›) catch .
    ‹any› | try ((.[(0, 1):(2, null)], .l[(1, 0):]?) -= (‹any›)) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; $p)) -= (‹any› as {a: $q} ?// [$q] ?// $q | $q)) catch .
    ‹any› | try (‹path› -= (. as [$p] ?// {a: $p} ?// $p | reduce $p as $x (‹any›; [., $x]))) catch .
    ‹any› | try ((. as $x | ‹path›, (label $l | foreach ‹path› as $p (0; . + 1; $p, break $l))) -= ‹number›) catch .
    ‹any› | try ((.[(0, 1):(2, null)], .l[(1, 0):]?) *= (‹any›)) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; $p)) *= (‹any› as {a: $q} ?// [$q] ?// $q | $q)) catch .
    ‹any› | try (‹path› *= (. as [$p] ?// {a: $p} ?// $p | reduce $p as $x (‹any›; [., $x]))) catch .
    ‹any› | try ((. as $x | ‹path›, (label $l | foreach ‹path› as $p (0; . + 1; $p, break $l))) *= ‹number›) catch .
    ‹any› | try ((.[(0, 1):(2, null)], .l[(1, 0):]?) /= (‹any›)) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; $p)) /= (‹any› as {a: $q} ?// [$q] ?// $q | $q)) catch .
    ‹any› | try (‹path› /= (. as [$p] ?// {a: $p} ?// $p | reduce $p as $x (‹any›; [., $x]))) catch .
    ‹any› | try ((. as $x | ‹path›, (label $l | foreach ‹path› as $p (0; . + 1; $p, break $l))) /= ‹number›) catch .
    ‹any› | try ((.[(0, 1):(2, null)], .l[(1, 0):]?) %= (‹any›)) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; $p)) %= (‹any› as {a: $q} ?// [$q] ?// $q | $q)) catch .
    ‹any› | try (‹path› %= (. as [$p] ?// {a: $p} ?// $p | reduce $p as $x (‹any›; [., $x]))) catch .
    ‹any› | try ((. as $x | ‹path›, (label $l | foreach ‹path› as $p (0; . + 1; $p, break $l))) %= ‹number›) catch .
    ‹any› | try ((.[(0, 1):(2, null)], .l[(1, 0):]?) //= (‹any›)) catch .
    ‹any› | try ((foreach ‹path› as $p (0; . + 1; $p)) //= (‹any› as {a: $q} ?// [$q] ?// $q | $q)) catch .
    ‹any› | try (‹path› //= (. as [$p] ?// {a: $p} ?// $p | reduce $p as $x (‹any›; [., $x]))) catch .
    ‹any› | try ((. as $x | ‹path›, (label $l | foreach ‹path› as $p (0; . + 1; $p, break $l))) //= ‹number›) catch .
    ‹any› | try del(.[(0, 1):(2, null)], (foreach ‹path› as $p (0; . + 1; $p))) catch .
    ‹any› | [try (.a?, (.b | tonumber), (keys | .[0])) catch (type, .)]
    ‹any› | [.[]? | try (.a | length + 1) catch ., (try (.a.b | tonumber) catch 0), (.b | fromjson? // "no")]
    ‹any› | [.[]? | (try error catch .), (try error(.a) catch .), (try (.a | error) catch 1)?]
    ‹any› | try (.a.b.c | keys_unsorted | length) catch .
    ‹any› | (‹path›)?
    ‹any› | [path(‹path›)?] | .[0]
    ‹any› | until(type != "array" or length == 0; .[0])
    ‹any› | [limit(4; while(type == "array"; .[0]))]
    ‹any› | getpath([‹text›, 0])?
    ‹any› | getpath(["a", "b"], ["l", 0])?
    ‹any› | [.] | .[0] as [$x] ?// $x | $x
    if ‹any› then ‹any› elif ‹flag› then empty else ‹any› end
    ‹any› as $x | [$x, ‹any›] | .[0] == .[1]
    (‹any›)? // ‹any›
    try (‹any› | error) catch (. , ‹any›)
    try error(‹any›) catch .
    label $l | ‹any› | ., (select(. == null) | break $l)
    def f: if type == "array" and . != [] then .[0] | f else . end; ‹any› | f
    def f(g): g | g; ‹any› | f(.a?)
    ‹any› | to_entries?, tojson, length?
    ‹any› | @json, @text, tostring
    ‹any› | [splits("a")?, ascii_downcase?, floor?, keys?, add?, sort?]
    first(‹any›, 1), isempty(‹any›), [limit(0; ‹any›)]
    ‹any› | ltrimstr("a"), rtrimstr("b")
    ‹any› | min?, max?, unique?, flatten?, reverse?
    [‹any›] | .[-1], .[5], .[0:1], .[-1:]
    "\\(‹any›)", @base64 "\\(‹text›)"
    -(‹number›), -1 - ‹number›, - ‹number› * 2
    input_line_number`,
};
