import type { IntakeSymbol } from "../bind/bound-nodes.ts";
import { pointerTo } from "../findings/pointer.ts";
import { textOf } from "../parse/syntax-tree.ts";
import type { AppIntake } from "./app.ts";
import { optional, placeOf, record } from "./context.ts";

/** An intake. One whose `type` can't be told is what its commands say. */
export function emitIntake(intake: IntakeSymbol): AppIntake {
  const { index, name, node, commands } = intake;
  const type = intake.type ?? (commands.has("request") ? "polling" : "webhook");
  const frequency = node.get("frequency");
  const importOption = textOf(node, "import_option");
  return {
    ...placeOf(node),
    index,
    name: name ?? "",
    type,
    ...(type === "webhook" ? optional("scope", intake.scope) : {}),
    commands: record([...commands].map(([member, command]) => [member, pointerTo(command.node)])),
    ...(type === "polling" && frequency?.kind === "number" ? { frequency: frequency.value } : {}),
    ...(type === "polling" && (importOption === "single" || importOption === "recurring")
      ? { importOption }
      : {}),
  };
}
