import { readFileSync } from "node:fs";
import { compile } from "@configc/compiler";
import { explore } from "/work/wt/sim/packages/simulate/src/explore.ts";
import { subjectOf } from "/work/wt/sim/packages/simulate/src/subject.ts";

for (const file of process.argv.slice(2)) {
  const { app } = compile(readFileSync(file, "utf8"), { uri: file });
  for (const w of app.workflows) {
    const s = subjectOf(app, w);
    if ("reason" in s) {
      if (!s.reason.includes("poll")) console.log(w.name, "untried:", s.reason);
      continue;
    }
    console.log("##", file.split("/").at(-1), w.name);
    const t = process.cpuUsage();
    const r = await explore(s, {
      seeds: Number(process.env.SEEDS ?? 40),
      time: 0,
      now: () => 0,
      known: {},
      assumptions: [],
    });
    for (const l of r.roles) console.log("  ", l);
    for (const f of r.failures) {
      console.log("  ✗", f.law, "—", f.message, "| needs:", f.needs.join("; "), "| seed", f.seed, f.pointer);
      for (const l of f.story) console.log("      ", l);
      console.log("      cure:", f.cure);
    }
    console.log(
      "  ",
      r.worlds,
      "worlds",
      r.cycles,
      "cycles",
      r.requests,
      "requests",
      r.arrived,
      "arrived",
      r.again,
      "again; cpu ms",
      process.cpuUsage(t).user / 1000,
    );
  }
}
