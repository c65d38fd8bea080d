import type { SyntaxForm } from "@configc/jq/internal";
import type { Entry } from "./jq-members.ts";

/** How a form is written, with a place for each of its parts, and what it does. */
const written: Readonly<Record<SyntaxForm, readonly [snippet: string, doc: string]>> = {
  if: [
    "if ${1:.} then ${2:.} else ${3:.} end",
    "One of two values, by a condition. Without `else`, the input itself.",
  ],
  then: ["then ${1:.}", "What it gives if the condition is true."],
  elif: ["elif ${1:.} then ${2:.}", "Another condition."],
  else: ["else ${1:.} end", "What it gives if no condition is true."],
  end: ["end", "Ends the condition."],
  try: [
    "try ${1:.} catch ${2:.}",
    "What to give if the first part fails. The second part gets the error's message.",
  ],
  catch: ["catch ${1:.}", "What to give instead. It gets the error's message."],
  reduce: [
    "reduce ${1:.} as \\$${2:item} (${3:null}; ${4:.})",
    "Goes through all outputs and gives one value: it starts with the third part, and the fourth makes the next value.",
  ],
  foreach: [
    "foreach ${1:.} as \\$${2:item} (${3:null}; ${4:.})",
    "Like `reduce`, but gives every intermediate value.",
  ],
  as: ["as \\$${1:name} | ${2:.}", "Names the value for the rest of the program."],
  def: ["def ${1:name}: ${2:.}; ${3:.}", "Defines a function for the rest of the program."],
  label: ["label \\$${1:out} | ${2:.}", "A place that `break` leaves."],
  and: ["and ${1:.}", "Whether both are true."],
  or: ["or ${1:.}", "Whether one of them is true."],
};

/** Forms of the syntax as they are written, between members and functions. */
export function* syntax(forms: readonly SyntaxForm[]): Generator<Entry> {
  for (const form of forms) {
    const [snippet, documentation] = written[form];
    yield { label: form, kind: "syntax", detail: "syntax", documentation, snippet, rank: 1 };
  }
}
