import { readdirSync, readFileSync } from "node:fs"; import { join } from "node:path";
import { compile, render } from "@configc/compiler";
const folder = process.argv[2]!; const dir = join(folder, "configs"); let n = 0;
for (const name of readdirSync(dir).filter(n => n.endsWith(".json")).sort()) { n++; const text = readFileSync(join(dir, name), "utf8");
 const { model, diagnostics } = compile(text, { uri: name });
 for (const d of diagnostics) { const f = render(model, d, { fixes: false }); console.log(`${name}\n  ${f.severity} ${f.rule} ${f.pointer}\n  ${f.message}`); } }
console.log(n, "configs");
