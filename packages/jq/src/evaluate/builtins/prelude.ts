/**
 * Builtins written in jq itself. They see only builtins; where one serves as a path expression, its
 * definition does too.
 */
export const prelude = `
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def isfinite: type == "number" and (isinfinite | not);
def finites: select(isfinite);
def normals: select(isnormal);
def map_values(f): .[] |= f;
def recurse(f): def step: ., (f | step); step;
def recurse(f; condition): recurse(f | select(condition));
def range($from; $upto; $by):
  if $by > 0 then $from | def up: if . < $upto then ., (. + $by | up) else empty end; up
  elif $by < 0 then $from | def down: if . > $upto then ., (. + $by | down) else empty end; down
  else empty end;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; g): if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; g)) end;
def until(condition; update): def step: if condition then . else update | step end; step;
def while(condition; update): def step: if condition then ., (update | step) else empty end; step;
def repeat(update): def step: update, step; step;
def indices($wanted): if type == "array" then .[if ($wanted | type) == "array" then $wanted else [$wanted] end]
  elif type == "string" and ($wanted | type) == "string" then _indices($wanted) else .[$wanted] end;
def index($wanted): indices($wanted) | .[0];
def rindex($wanted): indices($wanted) | .[-1:] | .[0];
def ltrimstr($left): if startswith($left) then .[$left | length:] else . end;
def rtrimstr($right): if endswith($right) then .[:length - ($right | length)] else . end;
def trimstr($affix): ltrimstr($affix) | rtrimstr($affix);
def in(container): . as $key | container | has($key);
def inside(whole): . as $part | whole | contains($part);
def any(condition): any(.[]; condition);
def all(condition): all(.[]; condition);
def any: any(.[]; .);
def all: all(.[]; .);
def IN(g): any(g == .; .);
def IN(source; g): any(source == g; .);
def INDEX(g; key): reduce (g | . as $row | key | tostring | [$row, .]) as [$row, $name] ({}; .[$name] = $row);
def INDEX(key): INDEX(.[]; key);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; g; key): g | [., $index[key]];
def JOIN($index; g; key; join): g | [., $index[key]] | join;
def to_entries: [keys_unsorted[] as $key | {key: $key, value: .[$key]}];
def from_entries: reduce .[] as $entry ({};
  . + {($entry | .key // .Key // .name // .Name): ($entry | if has("value") then .value else .Value end)});
def with_entries(update): to_entries | map(update) | from_entries;
def paths: path(..) | select(length > 0);
def paths(condition): path(.. | select(condition)) | select(length > 0);
def del(f): delpaths([path(f)]);
def pick(f): . as $whole | reduce path(f) as $path (null; setpath($path; $whole | getpath($path)));
def walk(update): def step: if type == "object" then map_values(step) elif type == "array" then map(step) else . end | update; step;
def tostream: path(def deep: (.[]? | deep), .; deep) as $path | getpath($path)
  | reduce path(.[]?) as $below ([$path, .]; [$path + $below]);
def truncate_stream(events): . as $depth | null | events | . as $event
  | if ($event[0] | length) > $depth then setpath([0]; $event[0][$depth:]) else empty end;
def dateadd($unit; $amount): . + $amount;
def datesub($unit; $amount): . - $amount;
def combinations: if length == 0 then [] else .[0][] as $item | (.[1:] | combinations) as $rest | [$item] + $rest end;
def combinations(n): . as $items | [range(n) | $items] | combinations;
def match($pattern): _match($pattern)[];
def match(regex; flags): flags as $flags | regex as $regex | _match($regex; $flags)[];
def test($pattern): _test($pattern);
def test(regex; flags): flags as $flags | regex as $regex | _test($regex; $flags);
def capture($pattern): match($pattern) | _groups;
def capture(regex; flags): match(regex; flags) | _groups;
def _groups: reduce (.captures[] | select(.name != null)) as {$name, $string} ({}; .[$name] = $string);
def scan($regex): scan($regex; null);
def scan($regex; $flags):
  match($regex; "g" + $flags) | if .captures == [] then .string else [.captures[].string] end;
def split($regex; $flags): _split($regex; $flags + "g");
def splits($regex): split($regex; null)[];
def splits($regex; $flags): split($regex; $flags)[];
def sub($regex; replacement): sub($regex; replacement; null);
def sub($regex; replacement; $flags):
  . as $text
  | _edits($regex; $flags) as [$edits, $rest]
  | reduce $edits[] as [$before, $groups] ([];
      . as $results
      | [$groups | replacement] as $inserts
      | reduce range($inserts | length) as $i ($results; .[$i] += $before + $inserts[$i]))
  | if . == [] then $text else .[] + $rest end;
def gsub($regex; replacement): sub($regex; replacement; "g");
def gsub($regex; replacement; $flags): sub($regex; replacement; $flags + "g");
`;
