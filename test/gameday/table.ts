import type { Fault, Signal } from "./fault.ts";

/** The faults as the documentation lists them. */
export function tableOf(faults: readonly Fault[]): string {
  const rows = faults.map(({ name, broken, signal, answer, mended, acts }) => {
    const place =
      typeof answer.verb === "string" ? ` at \`${(answer as { readonly pointer: string }).pointer}\`` : "";
    const asked =
      typeof answer.verb === "string"
        ? [answer.verb, ...(answer.verb === "items" ? ["--failed"] : [])]
        : answer.verb;
    const what = "kind" in answer ? `: ${answer.kind}${"status" in answer ? ` ${answer.status}` : ""}` : "";
    const done = acts
      .map((act) => `\`${act.map((each) => (each.includes(" ") ? `"${each}"` : each)).join(" ")}\``)
      .join(", ");
    return `| ${name} | ${broken} | ${signalText(signal)} | \`${asked.join(" ")}\`${what}${place} | ${mended}${done === "" ? "" : ` ${done}`} |`;
  });
  return ["| fault | broken | signal | answer | mended by |", "|---|---|---|---|---|", ...rows].join("\n");
}

function signalText(signal: Signal): string {
  if ("alert" in signal) return `${signal.alert}`;
  if ("metric" in signal) return `\`${signal.metric}\``;
  if ("log" in signal) return `log: “${signal.log} …”`;
  if ("readyz" in signal) return `/readyz: ${signal.readyz}`;
  return `\`${signal.verb.join(" ")}\`: status ${signal.status}`;
}
