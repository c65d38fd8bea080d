import { readdirSync, existsSync } from "node:fs"; import { pathToFileURL } from "node:url";
import { compile, render } from "@configc/compiler"; import { configsIn } from "./test/support/mistakes/configs.ts";
const roots = [...readdirSync("test/blind").map(n => `${process.cwd()}/test/blind/${n}`), `${process.cwd()}/test/meaning`, ...(process.argv[2] === "all" ? ["t29","t30","t31","t32","q1","q2","q3","q4","q5","q6","q7","q8","q9","q10"].map(n => `/work/h/${n}`) : ["t29","t30"].map(n => `/work/h/${n}`))].filter(p => existsSync(`${p}/configs`));
let n = 0;
for (const r of roots) for (const [name, c] of configsIn(pathToFileURL(`${r}/configs/`))) { n++; const { model, diagnostics } = compile(c.text, { uri: `${name}.app.json`, samples: c.samples });
 for (const d of diagnostics) { const f = render(model, d, { fixes: false }); if ((f.severity === "error" || f.severity === "warning") && !(/^intake.update-without-url$|^http.unchecked-errors$/.test(f.rule) || name.includes("werkverbund"))) console.log(r.split("/").pop(), name, f.severity, f.rule, f.pointer, f.message); } }
console.log(n, "right configs");
