import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { subjectOf } from "/work/wt/sim/packages/simulate/src/subject.ts";
import { runWorld } from "/work/wt/sim/packages/simulate/src/polling/run.ts";
import { plannedWorlds, randomWorld } from "/work/wt/sim/packages/simulate/src/world/world.ts";
import { told } from "/work/wt/sim/packages/simulate/src/world/hypotheses.ts";
import { pollingLaws } from "/work/wt/sim/packages/simulate/src/laws/index.ts";
import { SMALL } from "/work/wt/sim/packages/simulate/src/world/world.ts";
for (const file of process.argv.slice(2)) {
  const { app } = compile(readFileSync(file, "utf8"), { uri: file });
  for (const w of app.workflows) {
    const s = subjectOf(app, w);
    console.log("##", file.split("/").at(-1), w.name);
    if ("reason" in s) { console.log("  untried:", s.reason); continue; }
    const p = s.protocol;
    console.log("  list", p.list.join("."), "roles", JSON.stringify(p.roles), "ind", JSON.stringify(p.indicators), "field", JSON.stringify(p.field), "imm", p.isImmutable, "order", JSON.stringify(p.order), "size", JSON.stringify(p.size), "initial", p.initial);
    console.log("  answer", JSON.stringify(p.answer).slice(0,300));
    const extent = { page: p.size.isFixed ? p.size.size : SMALL, isImmutable: p.isImmutable };
    const worlds = [...plannedWorlds(extent, (h) => h), ...Array.from({length: 40}, (_, i) => randomWorld(i + 1, extent, (h) => h))];
    const t = process.cpuUsage();
    const seen = new Map<string, number>();
    for (const [i, world] of worlds.entries()) {
      const log = await runWorld(s, world);
      for (const law of pollingLaws) {
        const b = law.broken(log);
        if (b) { const k = `${law.name}`; const n = seen.get(k) ?? 0; seen.set(k, n + 1); if (n < 4) console.log("   ", i, law.name, "|", b.message, "|", told(world.hypotheses).join("; "), b.pointer ?? ""); }
      }
    }
    console.log("  ", JSON.stringify([...seen]), "cpu ms", process.cpuUsage(t).user / 1000);
  }
}
