import type { VerbSpec } from "../../command-line/verb.ts";

export const completion: VerbSpec = {
  name: "completion",
  summary: "Prints the completion script of a shell",
  operands: "SHELL",
  atLeast: 1,
  atMost: 1,
  choices: ["bash", "zsh", "fish"],
  details: ["SHELL is bash, zsh or fish."],
  options: [],
  examples: {
    'eval "$(configc completion bash)"': "In ~/.bashrc.",
    'eval "$(configc completion zsh)"': "In ~/.zshrc, after compinit.",
    "configc completion fish > ~/.config/fish/completions/configc.fish": "Once.",
  },
  exit: { 0: "always", 2: "wrong usage" },
  load: async () => (await import("../modules.ts")).completion,
};
