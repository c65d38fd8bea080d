import { readFileSync } from "node:fs";
import { compile, render } from "@configc/compiler";
for (const f of process.argv.slice(2)) { const c = compile(readFileSync(f, "utf8"), { uri: f }); for (const d of c.diagnostics) { const r: any = render(c.model, d, { fixes: false }); if (r.severity !== "hint" && r.severity !== "info") console.log(f.split("/").pop(), r.rule, r.pointer, r.message); } }
