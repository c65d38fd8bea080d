import type { Answer, AnyFault, Fault, Signal } from "./fault.ts";

/** The faults as the documentation lists them. */
export function tableOf(faults: readonly AnyFault[]): string {
  const rows = faults.map((fault) =>
    "play" in fault
      ? `| ${fault.name} | ${fault.broken} | ${fault.told} | ${fault.named} | ${fault.mended} |`
      : rowOf(fault),
  );
  return ["| fault | broken | signal | answer | mended by |", "|---|---|---|---|---|", ...rows].join("\n");
}

function rowOf({ name, broken, signal, answer, mended, acts }: Fault): string {
  const done = acts
    .map((act) => `\`${act.map((each) => (each.includes(" ") ? `"${each}"` : each)).join(" ")}\``)
    .join(", ");
  return `| ${name} | ${broken} | ${signalText(signal)} | ${answerText(answer)} | ${mended}${done === "" ? "" : ` ${done}`} |`;
}

function answerText(answer: Answer): string {
  if ("log" in answer) return `log: “… ${answer.log}”`;
  if (typeof answer.verb !== "string") return `\`${answer.verb.join(" ")}\``;
  const { verb, kind, pointer } = answer as Extract<Answer, { readonly pointer: string }>;
  const status = "status" in answer ? ` ${answer.status}` : "";
  return `\`${verb}${verb === "items" ? " --failed" : ""}\`: ${kind}${status} at \`${pointer}\``;
}

function signalText(signal: Signal): string {
  if ("alert" in signal) return `${signal.alert}`;
  if ("metric" in signal) return `\`${signal.metric}\``;
  if ("log" in signal) return `log: “${signal.log} …”`;
  if ("readyz" in signal) return `/readyz: ${signal.readyz}`;
  return `\`${signal.verb.join(" ")}\`: status ${signal.status}`;
}
