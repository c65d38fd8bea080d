import type { Json } from "../../json.ts";
import { bytes } from "../meter.ts";
import { add } from "../operators.ts";
import type { Direct } from "./contract.ts";
import { editsOf } from "./regex.ts";

/** `sub` and `gsub`: the text is put together in one pass. The prelude has them for replacements with several outputs. */
function replacing(isGlobal: boolean): Direct {
  return ([pattern, replacement, flags], span) => {
    const regex = pattern!.single;
    const insert = replacement!.single;
    const letters = flags === undefined ? undefined : flags.single;
    if (regex === undefined || insert === undefined || (flags !== undefined && letters === undefined))
      return undefined;
    return (env, input) => {
      const { machine } = env;
      machine.reads(input, span);
      const expression = regex(env, input);
      const given = letters === undefined ? null : letters(env, input);
      const all = isGlobal ? add(given, "g", machine, span) : given;
      let result: Json = null;
      const rest = editsOf(input, expression, all, machine, span, (before, groups) => {
        const inserted = insert(env, groups);
        if (typeof inserted === "string" && (result === null || typeof result === "string")) {
          result = (result ?? "") + before + inserted;
        } else {
          result = add(result, add(before, inserted, machine, span), machine, span);
        }
      });
      if (result === null) return input;
      const text = typeof result === "string" ? result + rest : add(result, rest, machine, span);
      if (typeof text === "string") {
        machine.fits(text.length);
        machine.makes(bytes.text + text.length * bytes.character, span);
      }
      return text;
    };
  };
}

export const replacements: Readonly<Record<string, Direct>> = {
  "sub/2": replacing(false),
  "sub/3": replacing(false),
  "gsub/2": replacing(true),
  "gsub/3": replacing(true),
};
