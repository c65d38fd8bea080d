import { type CompletedVerb, levels, type Offer } from "./candidates.ts";

/** A completion function for bash, from 3.2 on. */
export function bash(verbs: readonly CompletedVerb[]): string {
  const names = verbs.map(({ name }) => name);
  const values = verbs.flatMap(({ name, options }) =>
    options.flatMap(({ spec, offer }) =>
      offer === undefined ? [] : [`    ${name}:--${spec.name}) ${reply(offer)}; return ;;`],
    ),
  );
  const flags = verbs.map(({ name, options }) => {
    const words = options.map(({ spec }) => `--${spec.name}`).join(" ");
    return `      ${name}) words="${words}" ;;`;
  });
  const operands = verbs.map(({ name, operand }) => `    ${name}) ${reply(operand)} ;;`);
  return `# Completion of configc for bash: eval "$(configc completion bash)"
_configc() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb= words= i IFS=$' \\t\\n'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${names.join("|")}) verb=\${COMP_WORDS[i]}; break ;;
    esac
  done
  # bash takes ID=LEVEL apart at the equal sign.
  if [[ $cur == "=" ]]; then cur=; prev="="; fi
  if [[ $prev == "=" ]]; then ${reply({ kind: "words", words: levels })}; return; fi
  case $verb:$prev in
${values.join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case $verb in
${flags.join("\n")}
      *) words="--help --version" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  case $verb in
    "") ${reply({ kind: "words", words: names })} ;;
${operands.join("\n")}
  esac
}
complete -F _configc configc
`;
}

function reply(offer: Offer): string {
  switch (offer.kind) {
    case "words":
      return `COMPREPLY=($(compgen -W "${offer.words.join(" ")}" -- "$cur"))`;
    case "levels":
      return `COMPREPLY=($(compgen -W "${offer.rules.join(" ")}" -S = -- "$cur")); compopt -o nospace 2>/dev/null`;
    case "files":
      return `IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null`;
    case "nothing":
      return ":";
  }
}
