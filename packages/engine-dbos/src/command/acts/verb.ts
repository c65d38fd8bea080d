import { userInfo } from "node:os";
import { type Act, type Performed, performAct, type Target } from "../../acts/index.ts";
import { count } from "../answers/words.ts";
import { print } from "../output.ts";
import { type Environment, type Option, UsageError, type Verb } from "../usage.ts";
import { checkThere, withActs } from "./context.ts";

const targets: Readonly<Record<keyof Target, Option>> = {
  app: { value: "NAME", help: "of this app" },
  customer: { value: "ID", help: "of this customer" },
  installation: { value: "ID", help: "of this installation" },
  fingerprint: { value: "ID", help: "what fails in this way at this place, as `failing` says" },
  item: { value: "ID", help: "this one" },
};

const common: Readonly<Record<string, Option>> = {
  "dry-run": { help: "say what would be changed, and change nothing" },
  why: { value: "TEXT", help: "why, for the record" },
  by: { value: "NAME", help: "who does it (default: CONFIGC_OPERATOR, or the user of this system)" },
  request: { value: "ID", help: "an id of yours: what was done under it isn't done again" },
};

/** What a verb has that does an act. */
interface ActVerb {
  readonly act: Act;
  readonly summary: string;
  readonly help: string;
  /** Operands in place of `--app` and `--installation`. */
  readonly operands?: readonly ("app" | "installation")[];
  /** It loses something, so it needs a reason. */
  readonly needsReason?: true;
}

/** A verb that does an act with all that fits its options. */
export function actVerb({ act, summary, help, operands = [], needsReason }: ActVerb): Verb {
  return {
    name: act.name,
    operands: [],
    optional: operands.map((name) => name.toUpperCase()),
    options: { ...Object.fromEntries(act.targets.map((name) => [name, targets[name]])), ...common },
    summary,
    help,
    async run(args, environment) {
      const { options, json } = args;
      const target: Record<string, string> = {};
      for (const name of act.targets) if (options[name] !== undefined) target[name] = options[name];
      for (const [at, name] of operands.entries()) {
        const given = args.operands[at];
        if (given !== undefined) target[name] = given;
      }
      if (Object.keys(target).length === 0)
        throw new UsageError(
          `Say with what: ${act.targets.map((name) => `--${name} ${targets[name].value}`).join(", ")}, or several of them.`,
        );
      const dryRun = options["dry-run"] !== undefined;
      if (needsReason === true && !dryRun && options["why"] === undefined)
        throw new UsageError(`\`${act.name}\` needs a reason for the record: --why TEXT.`);
      const done = await withActs(args, environment, async (context) => {
        await checkThere(context, target);
        return await performAct(act, context, { target, dryRun, ...asked(options, environment) });
      });
      print(json ? JSON.stringify(done, undefined, 2) : textOf(act, done));
      return 0;
    },
  };
}

/** Who asks, why, and under which id. */
export function asked(options: Readonly<Record<string, string>>, environment: Environment) {
  return {
    by: options["by"] ?? environment["CONFIGC_OPERATOR"] ?? userInfo().username,
    why: options["why"] ?? "",
    request: options["request"] ?? crypto.randomUUID(),
  };
}

function textOf(act: Act, { affected, examples, note, dryRun, before, request }: Performed): string {
  const [one, many] = act.of;
  const some =
    examples.length === 0 ? "" : ` (${examples.join(", ")}${affected > examples.length ? " …" : ""})`;
  const state = dryRun === true ? " would be changed" : before === true ? ", done before" : "";
  return [
    `${act.name}: ${count(affected, one, many)}${state}${some}.`,
    ...(note === undefined ? [] : [note]),
    ...(dryRun === true ? [] : [`Request ${request}.`]),
  ].join(" ");
}
