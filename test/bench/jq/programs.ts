/** What integration configs do with jq, typically, and the same by hand and in other languages where they can. */
export interface BenchProgram {
  readonly name: string;
  readonly jq: string;
  readonly hand: (input: Input) => unknown;
  readonly jmespath?: string;
  readonly jsonata?: string;
}

export interface Item {
  readonly id: number;
  readonly name: string;
  readonly nickname: string | null;
  readonly email: string;
  readonly status: string;
  readonly team: string;
  readonly amount: number;
  readonly created_at: string;
  readonly tags: readonly string[];
  readonly address: { readonly city: string; readonly country: string };
}

export interface Input {
  readonly items: readonly Item[];
}

/** Items of which no two are the same; the texts vary in length. */
export function inputOf(size: number): Input {
  return {
    items: Array.from({ length: size }, (_, at) => ({
      id: at,
      name: `Name ${(at * 7919) % size}`,
      nickname: at % 3 === 0 ? `Nick ${at}` : null,
      email: `Person.${at}@Example.com`,
      status: at % 4 === 0 ? "closed" : "active",
      team: `team ${at % 17}`,
      amount: (at * 37) % 1009,
      created_at: new Date(1_700_000_000_000 + at * 61_000).toISOString().replace(".000", ""),
      tags: [`t${at % 11}`, `t${at % 13}`],
      address: { city: `City ${at % 29}`, country: at % 2 === 0 ? "fr" : "de" },
    })),
  };
}

export const programs: readonly BenchProgram[] = [
  {
    name: "map to options",
    jq: "[.items[] | {display: .name, value: .id}]",
    hand: ({ items }) => items.map(({ name, id }) => ({ display: name, value: id })),
    jmespath: "items[].{display: name, value: id}",
    jsonata: 'items.{"display": name, "value": id}',
  },
  {
    name: "filter",
    jq: '.items | map(select(.status == "active" and .amount > 100))',
    hand: ({ items }) => items.filter(({ status, amount }) => status === "active" && amount > 100),
    jmespath: "items[?status == 'active' && amount > `100`]",
    jsonata: 'items[status = "active" and amount > 100]',
  },
  {
    name: "defaults and conditions",
    jq: '[.items[] | {id, name: (.nickname // .name), level: (if .amount > 500 then "high" elif .amount > 100 then "middle" else "low" end)}]',
    hand: ({ items }) =>
      items.map(({ id, name, nickname, amount }) => ({
        id,
        name: nickname ?? name,
        level: amount > 500 ? "high" : amount > 100 ? "middle" : "low",
      })),
    jsonata:
      'items.{"id": id, "name": nickname ? nickname : name, "level": amount > 500 ? "high" : amount > 100 ? "middle" : "low"}',
  },
  {
    name: "sort, cut",
    jq: ".items | sort_by(.amount) | reverse | .[:10] | map(.id)",
    hand: ({ items }) =>
      [...items]
        .sort((a, b) => a.amount - b.amount)
        .reverse()
        .slice(0, 10)
        .map(({ id }) => id),
    jmespath: "reverse(sort_by(items, &amount))[:10].id",
    jsonata: "$reverse(items^(amount))[[0..9]].id",
  },
  {
    name: "group_by and totals",
    jq: ".items | group_by(.team) | map({team: .[0].team, count: length, total: (map(.amount) | add)})",
    hand: ({ items }) => {
      const teams = new Map<string, { team: string; count: number; total: number }>();
      for (const { team, amount } of items) {
        const known = teams.get(team);
        if (known === undefined) teams.set(team, { team, count: 1, total: amount });
        else {
          known.count++;
          known.total += amount;
        }
      }
      return [...teams.values()].sort((a, b) => (a.team < b.team ? -1 : 1));
    },
    jsonata: 'items{team: {"team": team[0], "count": $count($), "total": $sum(amount)}}.*',
  },
  {
    name: "from_entries",
    jq: ".items | map({key: .email, value: .id}) | from_entries",
    hand: ({ items }) => Object.fromEntries(items.map(({ email, id }) => [email, id])),
    jsonata: "items{email: id}",
  },
  {
    name: "reduce to sums",
    jq: "reduce .items[] as $item ({}; .[$item.team] += $item.amount)",
    hand: ({ items }) => {
      const sums: Record<string, number> = {};
      for (const { team, amount } of items) sums[team] = (sums[team] ?? 0) + amount;
      return sums;
    },
    jsonata: "items{team: $sum(amount)}",
  },
  {
    name: "building texts",
    jq: '.items | map("\\(.name) <\\(.email | ascii_downcase)>") | join("; ")',
    hand: ({ items }) => items.map(({ name, email }) => `${name} <${email.toLowerCase()}>`).join("; "),
    jsonata: '$join(items.(name & " <" & $lowercase(email) & ">"), "; ")',
  },
  {
    name: "dates",
    jq: "[.items[].created_at | fromdateiso8601 + 3600 | todateiso8601]",
    hand: ({ items }) =>
      items.map(({ created_at }) =>
        new Date(Date.parse(created_at) + 3_600_000).toISOString().replace(".000", ""),
      ),
    jsonata: 'items.$fromMillis($toMillis(created_at) + 3600000, "[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01]Z")',
  },
  {
    name: "unique of lists",
    jq: "[.items[].tags[]] | unique",
    hand: ({ items }) => [...new Set(items.flatMap(({ tags }) => tags))].sort(),
    jsonata: "$sort($distinct(items.tags))",
  },
  {
    name: "deep update",
    jq: ".items[].address.country |= ascii_upcase",
    hand: (input) => ({
      ...input,
      items: input.items.map((item) => ({
        ...item,
        address: { ...item.address, country: item.address.country.toUpperCase() },
      })),
    }),
    jsonata: '$ ~> |items.address|{"country": $uppercase(country)}|',
  },
  {
    name: "members without null",
    jq: ".items | map(with_entries(select(.value != null)))",
    hand: ({ items }) =>
      items.map((item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))),
    jsonata: "items.$sift($, function($v) { $v != null })",
  },
  {
    name: "pick",
    jq: ".items | map(pick(.id, .name))",
    hand: ({ items }) => items.map(({ id, name }) => ({ id, name })),
  },
  {
    name: "pick of paths",
    jq: ".items | map(pick(.id, .address.city))",
    hand: ({ items }) => items.map(({ id, address: { city } }) => ({ id, address: { city } })),
  },
  {
    name: "sub",
    jq: '.items | map(.email | sub("@.*"; ""))',
    hand: ({ items }) => items.map(({ email }) => email.replace(/@.*/, "")),
  },
  {
    name: "capture",
    jq: '.items | map(.created_at | capture("(?<year>\\\\d+)-(?<month>\\\\d+)"))',
    hand: ({ items }) =>
      items.map(({ created_at }) => ({ .../(?<year>\d+)-(?<month>\d+)/.exec(created_at)?.groups })),
  },
  {
    name: "getpath",
    jq: '.items | map(getpath(["address", "city"]))',
    hand: ({ items }) => items.map(({ address }) => address.city),
  },
  {
    name: "try … catch",
    jq: ".items | map(try (.name | tonumber) catch 0)",
    hand: ({ items }) => items.map(({ name }) => (Number.isNaN(Number(name)) ? 0 : Number(name))),
  },
  {
    name: "try that succeeds",
    jq: ".items | map(try (.tags | length) catch 0)",
    hand: ({ items }) => items.map(({ tags }) => tags.length),
  },
  {
    name: "f? // d",
    jq: '.items | map(.address.city? // "none")',
    hand: ({ items }) => items.map(({ address }) => address?.city ?? "none"),
  },
  {
    name: "del",
    jq: ".items | map(del(.tags))",
    hand: ({ items }) => items.map(({ tags: _, ...others }) => others),
  },
  {
    name: "del of paths",
    jq: "del(.items[].address.city)",
    hand: (input) => ({
      ...input,
      items: input.items.map(({ address: { city: _, ...address }, ...item }) => ({ ...item, address })),
    }),
  },
  {
    name: "definition",
    jq: "def total: .amount * 2; .items | map(total)",
    hand: ({ items }) => items.map(({ amount }) => amount * 2),
  },
  {
    name: "definition with a function",
    jq: "def twice(f): (f) + (f); .items | map(twice(.amount))",
    hand: ({ items }) => items.map(({ amount }) => amount + amount),
  },
  {
    name: "any",
    jq: '.items | map(any(.tags[]; . == "t5"))',
    hand: ({ items }) => items.map(({ tags }) => tags.some((tag) => tag === "t5")),
  },
];
