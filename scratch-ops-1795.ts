// ops.ts FOLDERS(comma) K SEED OUT : generic mutation of right configs; kill rate by operator, survivors to OUT
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { compile, render } from "@configc/compiler";
import { configsIn } from "./test/support/mistakes/configs.ts";
import { nodesWithin } from "./packages/jq/src/nodes-within.ts";
const [, , dirs = "", kArg = "2", seedArg = "1", out = "/tmp/s/ops.txt", only] = process.argv as string[];
let seed = Number(seedArg) * 7919 + 13;
const rnd = () => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed / 0x7fffffff; };
const pick = <T,>(xs: T[], k: number): T[] => { const a = [...xs]; for (let i = a.length - 1; i > 0; i--) { const j = Math.floor(rnd() * (i + 1)); [a[i], a[j]] = [a[j]!, a[i]!]; } return a.slice(0, k); };
const loud = (f: any) => f.severity === "error" || f.severity === "warning";
const id = (f: any) => `${f.rule} ${f.message}`;
const findings = (text: string, samples: any, name: string) => { const { model, diagnostics } = compile(text, { uri: `${name}.app.json`, samples }); return { model, found: diagnostics.map((d) => render(model, d, { fixes: false })) }; };
type Mutant = { op: string; at: string; was: string; now: string; make: (doc: any) => any };
const get = (doc: any, ptr: string) => ptr.split("/").slice(1).reduce((d, k) => d?.[k.replaceAll("~1", "/").replaceAll("~0", "~")], doc);
function set(doc: any, ptr: string, value: any) { const keys = ptr.split("/").slice(1).map((k) => k.replaceAll("~1", "/").replaceAll("~0", "~")); const last = keys.pop()!; const d = keys.reduce((x, k) => x[k], doc); if (value === undefined) { if (Array.isArray(d)) d.splice(Number(last), 1); else delete d[last]; } else d[last] = value; return doc; }
const esc = (k: string) => k.replaceAll("~", "~0").replaceAll("/", "~1");
function mutantsOf(model: any, doc: any): Mutant[] {
  const ms: Mutant[] = [];
  const ptrOf = new Map<any, string>();
  (function walk(n: any, p: string) { ptrOf.set(n, p); if (n?.kind === "object") for (const m of n.members) { if (m.value) walk(m.value, `${p}/${esc(m.name)}`); } else if (n?.kind === "array") n.items.forEach((x: any, i: number) => walk(x, `${p}/${i}`)); })(model.document.root ?? model.document.tree, "");
  const str = (op: string, node: any, s: number, e: number, by: string) => { const at = ptrOf.get(node); if (at === undefined) return; const v = node.value as string; if (v.slice(s, e) === by) return; ms.push({ op, at, was: v.slice(Math.max(0, s - 60), s) + "«" + v.slice(s, e) + "»" + v.slice(e, e + 60), now: by, make: (d) => set(d, at, v.slice(0, s) + by + v.slice(e)) }); };
  const json = (op: string, at: string, was: any, now: any, make: (d: any) => any) => ms.push({ op, at, was: JSON.stringify(was)?.slice(0, 300) ?? "", now: JSON.stringify(now)?.slice(0, 300) ?? "REMOVED", make });
  // paths by prefix
  const byPrefix = new Map<string, Set<string>>(); const consts = new Map<string, Set<string>>();
  for (const p of model.programs) { if (p.diagnostics.length) continue; const v = p.node.value; const unit = p.command.unit?.id ?? p.command.unit?.name ?? ""; for (const n of nodesWithin(p.tree.body) as any) {
    if (n.kind === "Postfix") { const last = n.suffixes.at(-1); if (last?.kind === "Field" && last.key.kind === "Name") { const pre = unit + "|" + v.slice(n.start, last.start); (byPrefix.get(pre) ?? byPrefix.set(pre, new Set()).get(pre)!).add(last.key.text); } }
    if (n.kind === "Comparison") for (const [a, b] of [[n.left, n.right], [n.right, n.left]]) if (b.kind === "String") { const k = v.slice(a.start, a.end).replace(/.*\./, ""); (consts.get(k) ?? consts.set(k, new Set()).get(k)!).add(v.slice(b.start, b.end)); }
  } }
  const holes = new Map<string, Set<string>>();
  for (const e of model.expansions) { const path = e.syntax.path.map((x: any) => x.text); if (path.length > 1) { const k = path[0] === "custom_data" ? "custom_data" : path.slice(0, -1).join("."); const w = path[0] === "custom_data" ? path[1] : path.at(-1); (holes.get(k) ?? holes.set(k, new Set()).get(k)!).add(w); } }
  const holeOps = (node: any, syntax: any) => {
    const path = syntax.path; const txt = path.map((x: any) => x.text);
    if (txt[0] === "piped_content" && /^\d+$/.test(txt[1] ?? "")) for (const d of [-1, 1]) { const n = Number(txt[1]) + d; if (n >= 0) str(`hole-index${d > 0 ? "+" : "-"}1`, node, path[1].start, path[1].end, String(n)); }
    const k = txt[0] === "custom_data" ? "custom_data" : txt.slice(0, -1).join("."); const at = txt[0] === "custom_data" ? 1 : txt.length - 1;
    if (at > 0 && !/^\d+$/.test(txt[at])) for (const o of pick([...(holes.get(k) ?? [])].filter((x) => x !== txt[at]), 1)) str(txt[0] === "custom_data" ? "hole-other-field" : txt[0] === "data" ? "hole-other-saved" : "hole-sibling", node, path[at].start, path[at].end, o);
    if (txt.length > 2 && txt[0] === "piped_content" && txt.length > 3) str("hole-shorter", node, path.at(-2).end, path.at(-1).end, "");
    if (txt[0] === "custom_data" && txt[2] === "value") str("hole-display", node, path[2].start, path[2].end, "display");
    if (txt[0] === "custom_data" && txt[2] === "display") str("hole-value", node, path[2].start, path[2].end, "value");
    if (syntax.filters.length > 0) { const f = syntax.filters[0]; const from = path.at(-1).end; str("hole-no-filter", node, from, syntax.filters.at(-1).end, ""); if (f.name === "default" && f.argument) str("hole-default-empty", node, from, syntax.filters.at(-1).end, " | default"); }
  };
  const seen = new Set<any>();
  for (const p of model.programs) {
    if (p.diagnostics.length) continue; const node = p.node, v = node.value as string; const S = (n: any) => v.slice(n.start, n.end);
    for (const h of p.holes) { seen.add(h.syntax); holeOps(node, h.syntax); }
    const unit = p.command.unit?.id ?? p.command.unit?.name ?? "";
    for (const n of nodesWithin(p.tree.body) as any) {
      switch (n.kind) {
        case "If": {
          for (const b of n.branches) { const c = b.condition; str("cond-not", node, c.start, c.end, `(${S(c)} | not)`); if (c.kind === "Comparison" && c.right.kind === "String") str("cond-text", node, c.start, c.end, S(c.right)); if (c.kind === "Comparison") str("cond-left-only", node, c.start, c.end, S(c.left)); str("cond-true", node, c.start, c.end, "true"); if (c.kind === "Logical") c.operands.forEach((o: any, i: number) => str("cond-one-operand", node, c.start, c.end, S(o))); }
          if (n.otherwise) { const b = n.branches.at(-1).body; const v2 = S(n.otherwise); ms.push; const s = b.start, e = n.otherwise.end; str("branch-swap", node, s, e, v2 + v.slice(b.end, n.otherwise.start) + S(b)); str("branch-same", node, b.start, b.end, v2); }
          if (n.branches.length > 1) str("branch-drop", node, n.branches[0].end, n.branches[1].end, "");
          break; }
        case "Comparison": { const m: any = { "==": "!=", "!=": "==", "<": ">", ">": "<", "<=": ">=", ">=": "<=" }; str("cmp-flip", node, n.operatorSpan.start, n.operatorSpan.end, m[n.operator]); const m2: any = { "<": "<=", ">": ">=", "<=": "<", ">=": ">" }; if (m2[n.operator]) str("cmp-border", node, n.operatorSpan.start, n.operatorSpan.end, m2[n.operator]);
          for (const [a, b] of [[n.left, n.right], [n.right, n.left]]) { if (b.kind === "String") { const k = S(a).replace(/.*\./, ""); for (const o of pick([...(consts.get(k) ?? [])].filter((x) => x !== S(b)), 1)) str("cmp-other-const", node, b.start, b.end, o); const t = S(b); if (/^"[a-z_]{4,}"$/.test(t)) { str("cmp-upper", node, b.start, b.end, t.toUpperCase()); str("cmp-typo", node, b.start, b.end, t.slice(0, 3) + t.slice(4)); str("cmp-invented", node, b.start, b.end, '"pending_review"'); } } if (b.kind === "Number") { str("cmp-number+1", node, b.start, b.end, String(b.value + 1)); str("cmp-number-text", node, b.start, b.end, `"${b.text}"`); } if (b.kind === "Call" && /^(true|false)$/.test(S(b))) str("cmp-bool-text", node, b.start, b.end, `"${S(b)}"`); if (b.kind === "Call" && S(b) === "null") str("cmp-null-empty", node, b.start, b.end, '""'); }
          break; }
        case "Logical": { const g = v.slice(n.operands[0].end, n.operands[1].start); str("logic-swap", node, n.operands[0].end, n.operands[1].start, g.replace(/and|or/, (x: string) => x === "and" ? "or" : "and")); n.operands.forEach((o: any, i: number) => { if (i) str("logic-drop", node, n.operands[i - 1].end, o.end, ""); }); break; }
        case "Object": { n.entries.forEach((en: any, i: number) => { const s = i ? n.entries[i - 1].end : en.start, e = i ? en.end : n.entries[1]?.start ?? en.end; str("member-drop", node, s, e, ""); if (en.value) { str("member-null", node, en.value.start, en.value.end, "null"); str("member-true", node, en.value.start, en.value.end, "true"); str("member-whole", node, en.value.start, en.value.end, "."); const o = n.entries[i + 1]; if (o?.value) str("member-swap", node, en.value.start, o.value.end, S(o.value) + v.slice(en.value.end, o.value.start) + S(en.value)); } }); break; }
        case "Postfix": { const L = n.suffixes.at(-1); if (L?.kind === "Field" && L.key.kind === "Name") { const pre = unit + "|" + v.slice(n.start, L.start); for (const o of pick([...(byPrefix.get(pre) ?? [])].filter((x) => x !== L.key.text), 1)) str("path-sibling", node, L.key.start, L.key.end, o); if (n.suffixes.length > 1) { str("path-shorter", node, L.start, L.end, ""); if (n.suffixes[0].kind === "Field" && n.head.kind === "Identity") str("path-lost-first", node, n.suffixes[0].start, n.suffixes[0].end, ""); } str("path-renamed", node, L.key.start, L.key.end, L.key.text.endsWith("s") ? L.key.text.slice(0, -1) : L.key.text + "s"); }
          n.suffixes.forEach((s: any) => { if (s.kind === "Iterate") { str("iterate-drop", node, s.start, s.end, ""); str("iterate-first", node, s.start, s.end, "[0]"); } if (s.kind === "Index" && /^\d+$|^-1$/.test(S(s.index))) { str("index-drop", node, s.start, s.end, ""); str("index-other", node, s.start, s.end, S(s.index) === "0" ? "[-1]" : "[0]"); } if (s.kind === "Index" && (s.index.kind === "Hole" || s.index.kind === "Postfix")) str("lookup-fixed", node, s.start, s.end, '["x"]'); });
          break; }
        case "Pipeline": n.stages.forEach((st: any, i: number) => { if (i && st.kind !== "Binding" && st.kind !== "Definition") str(st.kind === "Call" ? `stage-drop` : "stage-drop-other", node, n.stages[i - 1].end, st.end, ""); }); break;
        case "Alternative": str("alt-drop", node, n.operands[0].end, n.end, ""); { const l = n.operands.at(-1); str("alt-null", node, l.start, l.end, "null"); str("alt-empty", node, l.start, l.end, '""'); str("alt-zero", node, l.start, l.end, "0"); str("alt-true", node, l.start, l.end, "true"); } break;
        case "Arithmetic": for (const r of n.rest) { const m: any = { "+": "-", "-": "+", "*": "/", "/": "*" }; if (m[r.operator]) str("arith-" + r.operator, node, r.operatorSpan.start, r.operatorSpan.end, m[r.operator]); str("arith-drop" + r.operator, node, r.start, r.end, ""); } break;
        case "Number": if (n.value >= 10) { str("number*1000", node, n.start, n.end, String(n.value * 1000)); str("number/60", node, n.start, n.end, String(Math.max(1, Math.round(n.value / 60)))); str("number*10", node, n.start, n.end, String(n.value * 10)); } break;
        case "Call": { const swaps: any = { first: "last", last: "first", min: "max", max: "min", min_by: "max_by", max_by: "min_by", floor: "ceil", ascii_downcase: "ascii_upcase", ascii_upcase: "ascii_downcase", tostring: "tojson", tonumber: "tostring", any: "all", all: "any", startswith: "endswith", endswith: "startswith", ltrimstr: "rtrimstr", rtrimstr: "ltrimstr", todate: "tostring", fromdate: "tostring", strptime: "strftime", keys: "length", length: "keys", add: "length", map: "select", select: "map", to_entries: "keys", sort_by: "group_by", index: "contains", test: "startswith", join: "split", split: "join", empty: "null", null: "empty", not: "length", values: "nulls" }; if (swaps[n.name.text]) str("call-" + n.name.text, node, n.name.start, n.name.end, swaps[n.name.text]); if (n.name.text === "true" || n.name.text === "false") str("bool-flip", node, n.start, n.end, n.name.text === "true" ? "false" : "true"); break; }
        case "String": { const t = S(n); if (/%[A-Za-z]/.test(t)) { for (const [a, b] of [["%m", "%M"], ["%d", "%m"], ["%H", "%I"], ["%S", "%s"], ["%Y", "%y"], ["Z", ""]] as const) if (t.includes(a)) str("date-" + a, node, n.start, n.end, t.replace(a, b)); } break; }
      }
    }
  }
  for (const e of model.expansions) if (!seen.has(e.syntax) && e.node) holeOps(e.node, e.syntax);
  // json
  (function walk(v: any, p: string, key: string, parent: any) {
    if (Array.isArray(v)) {
      if (key === "!pipe") v.forEach((x, i) => { json("step-drop", `${p}/${i}`, x, undefined, (d) => set(d, `${p}/${i}`, undefined)); if (i + 1 < v.length) json("step-swap", `${p}/${i}`, [x, v[i + 1]], "swapped", (d) => { const a = get(d, p); [a[i], a[i + 1]] = [a[i + 1], a[i]]; return d; }); });
      else if (key === "cases") v.forEach((x, i) => { if (i + 1 < v.length) json("case-swap", `${p}/${i}`, [x, v[i + 1]], "swapped", (d) => { const a = get(d, p); [a[i], a[i + 1]] = [a[i + 1], a[i]]; return d; }); json("case-drop", `${p}/${i}`, x, undefined, (d) => set(d, `${p}/${i}`, undefined)); });
      else if (key === "options" || key === "source_fields") v.forEach((x, i) => { const k = x?.value !== undefined ? "value" : "id"; if (x?.[k] === undefined) return; const o = v[(i + 1) % v.length]; if (o !== x && o?.[k] !== undefined) { json("option-swap", `${p}/${i}`, [x, o], "values swapped", (d) => { const a = get(d, p), j = (i + 1) % v.length; [a[i][k], a[j][k]] = [a[j][k], a[i][k]]; return d; }); json("option-same", `${p}/${i}/${k}`, x[k], o[k], (d) => set(d, `${p}/${i}/${k}`, o[k])); } if (typeof x[k] === "string") { json("option-other", `${p}/${i}/${k}`, x[k], x[k] + "_x", (d) => set(d, `${p}/${i}/${k}`, String(x.display ?? x.title ?? "other").toLowerCase().replaceAll(" ", "-") + "x")); if (/[a-z]/.test(x[k])) json("option-case", `${p}/${i}/${k}`, x[k], x[k].toUpperCase(), (d) => set(d, `${p}/${i}/${k}`, x[k].toUpperCase())); } if (typeof x[k] === "number") json("option-number", `${p}/${i}/${k}`, x[k], x[k] * 7, (d) => set(d, `${p}/${i}/${k}`, x[k] * 7)); });
      v.forEach((x, i) => walk(x, `${p}/${i}`, key, v));
      return;
    }
    if (v && typeof v === "object") {
      const ks = Object.keys(v);
      if (["params", "headers", "body"].includes(key)) { for (const k of ks) { if (k.startsWith("_")) continue; json(`${key}-drop`, `${p}/${esc(k)}`, v[k], undefined, (d) => set(d, `${p}/${esc(k)}`, undefined)); } const ss = ks.filter((k) => typeof v[k] === "string"); ss.forEach((k, i) => { const o = ss[i + 1]; if (o && v[k] !== v[o]) json(`${key}-swap`, `${p}/${esc(k)}`, { [k]: v[k], [o]: v[o] }, "swapped", (d) => { const b = get(d, p); [b[k], b[o]] = [b[o], b[k]]; return d; }); }); }
      for (const k of ks) {
        if (k.startsWith("_")) continue; const q = `${p}/${esc(k)}`; const x = v[k];
        if (k === "process_payload") json("payload-flip", q, x, !x, (d) => set(d, q, !x));
        if (k === "code" && typeof x === "number") json("code-other", q, x, x < 300 ? 401 : 200, (d) => set(d, q, x < 300 ? 401 : 200));
        if (k === "method") json("method-other", q, x, x === "POST" ? "PUT" : "POST", (d) => set(d, q, x === "POST" ? "PUT" : "POST"));
        if (k === "required" && typeof x === "boolean") json("required-flip", q, x, !x, (d) => set(d, q, !x));
        if (k === "scope" && typeof x === "string") json("scope-other", q, x, x === "workflow" ? "app" : "workflow", (d) => set(d, q, x === "workflow" ? "connection" : "workflow"));
        if (typeof x === "number" && x >= 10 && k !== "code") { json("json-number*1000", q, x, x * 1000, (d) => set(d, q, x * 1000)); json("json-number/60", q, x, Math.round(x / 60), (d) => set(d, q, Math.max(1, Math.round(x / 60)))); }
        if (["create", "update", "delete", "initial_setup", "pre_poll", "post_poll", "verification"].includes(k)) json(`drop-${k}`, q, x, undefined, (d) => set(d, q, undefined));
        if (k === "path" && typeof x === "string") { const m = x.match(/\/[a-z_]+(?=\/|$|\?)/g); if (m && m.length > 1) json("path-last-drop", q, x, x.replace(/\/[^/]*$/, ""), (d) => set(d, q, x.replace(/\/[^/]*$/, ""))); }
        if (k === "algorithm") json("algorithm", q, x, x === "sha256" ? "sha1" : "sha256", (d) => set(d, q, x === "sha256" ? "sha1" : "sha256"));
        walk(x, q, k, v);
      }
    }
  })(doc, "", "", null);
  return ms;
}
const stats = new Map<string, [number, number]>(); const lines: string[] = [];
for (const dir of dirs.split(",")) for (const [name, c] of configsIn(pathToFileURL(`${dir}/configs/`))) {
  const doc = JSON.parse(c.text); const { model, found } = findings(c.text, c.samples, name); const known = new Set(found.map(id));
  const all = Map.groupBy ? Map.groupBy(mutantsOf(model, doc), (m: any) => m.op) : mutantsOf(model, doc).reduce((m, x) => (m.get(x.op)?.push(x) ?? m.set(x.op, [x]), m), new Map<string, Mutant[]>());
  for (const [op, list] of all as Map<string, Mutant[]>) { if (only && !new RegExp(only).test(op)) continue; for (const m of pick(list, Number(kArg))) {
    const text = JSON.stringify(m.make(JSON.parse(c.text)), null, 2); let f: any[]; try { f = findings(text, c.samples, name).found; } catch (e) { lines.push(`CRASH ${op} ${name} ${m.at} ${e}`); continue; }
    const fresh = f.filter((x) => !known.has(id(x))); const isTold = fresh.some(loud); const s = stats.get(op) ?? stats.set(op, [0, 0]).get(op)!; s[1]++; if (isTold) s[0]++; else lines.push(`${op} ${name} ${m.at}\n   ${m.was}\n   → ${m.now}${fresh.length ? `   hints: ${fresh.map((x) => x.rule)}` : ""}`);
  } }
}
let a = 0, b = 0; for (const [op, [k, n]] of [...stats].sort((x, y) => (y[1][1] - y[1][0]) - (x[1][1] - x[1][0]))) { a += k; b += n; console.log(`${op.padEnd(22)} ${k}/${n}  ${Math.round(100 * k / n)} %`); }
console.log(a, "of", b); writeFileSync(out, lines.sort().join("\n"));
