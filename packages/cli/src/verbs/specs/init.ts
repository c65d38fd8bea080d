import type { VerbSpec } from "../../command-line/verb.ts";
import { templateNames } from "../../template-names.ts";

export const init: VerbSpec = {
  name: "init",
  summary: "Writes a config to start from",
  operands: "[NAME]",
  atMost: 1,
  details: [
    "Writes NAME.app.json, with NAME as the name of the service in it. NAME may stand below a folder. Default: the name of the current folder.",
    "Templates: outbound (a workflow that adds contacts to a list of the service), inbound-webhook (contacts from events that the service sends), inbound-polling (contacts from records that the service is asked for), historical-sync (past records first, then events).",
  ],
  options: [
    {
      name: "template",
      value: "TEMPLATE",
      choices: templateNames,
      summary: `${templateNames.join(", ")}. Default: outbound.`,
    },
    {
      name: "agents",
      summary:
        "Write AGENTS.md and a skill that teach coding agents to work with configs; without NAME and --template nothing else. What else stands in AGENTS.md stays.",
    },
    { name: "force", summary: "Overwrite a file that exists." },
  ],
  examples: {
    "configc init shop --template inbound-webhook": "Writes shop.app.json.",
    "configc init configs/shop": "Writes configs/shop.app.json.",
    "configc init --agents": "Writes AGENTS.md and .agents/skills/configc/SKILL.md.",
  },
  exit: { 0: "the file was written", 2: "wrong usage, or the file exists" },
  load: async () => (await import("../modules.ts")).init,
};
