import { type CompletedVerb, levels, type Offer } from "./candidates.ts";

/** Completions for fish. */
export function fish(verbs: readonly CompletedVerb[]): string {
  const lines = verbs.flatMap(({ name, summary, operand, options }) => {
    const here = `complete -c configc -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c configc -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
      `${here} ${argument(operand)}`,
      ...options.map(({ spec, offer }) => {
        const short = spec.short === undefined ? "" : ` -s ${spec.short}`;
        const value = offer === undefined ? "" : ` -r ${argument(offer)}`;
        return `${here} -l ${spec.name}${short}${value} -d ${quote(spec.summary)}`;
      }),
    ];
  });
  return `# Completion of configc for fish: configc completion fish > ~/.config/fish/completions/configc.fish\n${lines.join("\n")}\n`;
}

function argument(offer: Offer): string {
  switch (offer.kind) {
    case "words":
      return `-f -a ${quote(offer.words.join(" "))}`;
    case "levels":
      return `-f -a ${quote(offer.rules.flatMap((rule) => levels.map((level) => `${rule}=${level}`)).join(" "))}`;
    case "files":
      return "-F";
    case "nothing":
      return "-f";
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
