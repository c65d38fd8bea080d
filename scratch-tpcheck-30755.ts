// tpcheck.ts LIST.json [write ID FILE | ids…]: what is told of each transplanted mistake; or writes the config with it
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { compile, render } from "@configc/compiler";
import { configsIn } from "./test/support/mistakes/configs.ts";
import { withMistake } from "./test/support/mistakes/mistake.ts";
const [, , file, ...args] = process.argv as any[];
const list = JSON.parse(readFileSync(file, "utf8"));
const folders = new Map<string, Map<string, any>>();
const cfg = (key: string) => { const [d, name] = key.split("/") as [string, string]; const f = folders.get(d) ?? configsIn(/^q\d+$/.test(d) ? pathToFileURL(`/work/h/${d}/configs/`) : pathToFileURL(`${process.cwd()}/test/blind/${d}/configs/`)); folders.set(d, f); return f.get(name)!; };
const loud = (f: any) => f.severity === "error" || f.severity === "warning";
const fid = (f: any) => `${f.rule} ${f.message}`;
const found = (text: string, c: any) => { const { model, diagnostics } = compile(text, { uri: `x.app.json`, samples: c.samples }); return diagnostics.map((d) => render(model, d, { fixes: false })); };
const mutated = (t: any) => withMistake(cfg(t.target).text, { config: t.target, class: "", mistake: "", ...t.m });
if (args[0] === "write") { const t = list.find((x: any) => x.id === Number(args[1])); writeFileSync(args[2], mutated(t)); console.log(t.target, t.m.at); process.exit(0); }
const ids = new Set(args.map(Number)); let n = 0, told = 0;
for (const t of list) { if (ids.size && !ids.has(t.id)) continue; const c = cfg(t.target); const was = new Set(found(c.text, c).map(fid)); const fresh = found(mutated(t), c).filter((f) => !was.has(fid(f))); const good = fresh.filter(loud); n++; if (good.length) told++; console.log(t.id, t.target, t.m.at, "|", good.map((f) => f.rule).join(", ") || "-", fresh.filter((f) => !loud(f)).map((f) => `(hint ${f.rule})`).join(" ")); if (ids.size) for (const f of fresh) console.log("    ", f.severity, f.rule, f.pointer, f.message); }
console.log(`${told} of ${n} told`);
