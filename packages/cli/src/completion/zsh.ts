import { type CompletedOption, type CompletedVerb, levels, type Offer } from "./candidates.ts";

/** A completion function for zsh. */
export function zsh(verbs: readonly CompletedVerb[]): string {
  const described = verbs.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = verbs.map(({ name, options, operand }) => {
    const specs = [...options.map(option), quote(`*:operand:${action(operand)}`)];
    return `    ${name})\n      _arguments -s \\\n        ${specs.join(" \\\n        ")} ;;`;
  });
  return `#compdef configc
# Completion of configc for zsh: eval "$(configc completion zsh)"
_configc() {
  local curcontext=$curcontext state line
  local -a verbs
  verbs=(
${described.join("\n")}
  )
  _arguments -C '1: :->verb' '*:: :->rest'
  case $state in
    verb) _describe verb verbs ;;
    rest) case $words[1] in
${cases.join("\n")}
    esac ;;
  esac
}
compdef _configc configc
`;
}

function option({ spec, offer }: CompletedOption): string {
  const text = spec.summary.replace(/[[\]:\\]/g, "\\$&");
  const values = (spec.value ?? "")
    .split(" ")
    .map((name) => `:${name}:${offer === undefined ? "" : action(offer)}`);
  return quote(`*--${spec.name}[${text}]${offer === undefined ? "" : values.join("")}`);
}

function action(offer: Offer): string {
  switch (offer.kind) {
    case "words":
      return `(${offer.words.join(" ")})`;
    case "levels":
      return `(${offer.rules.flatMap((rule) => levels.map((level) => `${rule}=${level}`)).join(" ")})`;
    case "files":
      return "_files";
    case "nothing":
      return " ";
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
