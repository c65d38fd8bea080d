import type { Json } from "@configc/jq";
import { SetupError } from "@configc/runtime";
import type { Exchange } from "../exchange.ts";
import { valueAt } from "../service/json.ts";
import { MARK } from "../service/leaf.ts";
import { CUSTOMER, connectionOf, Stage } from "../stage/stage.ts";
import { failureOf, type StepFailure } from "../stage/tries.ts";
import { SetupSite } from "./site.ts";
import { optionsTold, type SetupSubject } from "./subject.ts";
import type { SetupWorld } from "./world.ts";

/** Something that the customer does, and what the app's commands made of it. */
interface SetupAct {
  readonly number: number;
  /** “the account is connected”, “the options of `list`”. */
  readonly what: string;
  readonly at: number;
  readonly exchanges: readonly Exchange[];
  readonly failure: StepFailure | undefined;
  /** The options that it showed. */
  readonly shown: Shown | undefined;
}

/** Options as a customer sees them. */
export interface Shown {
  readonly count: number;
  /** Numbers of the records that they are about; none where they don't say it. */
  readonly records: ReadonlySet<number>;
}

/** Everything that a world made of a guided setup. */
export interface SetupLog {
  readonly world: SetupWorld;
  readonly acts: readonly SetupAct[];
  readonly exchanges: readonly Exchange[];
  readonly secrets: readonly string[];
  /** Why it ended before its end: nothing that is required can be chosen, for instance. */
  readonly stopped: string | undefined;
}

/** Walks through the guided setup as a customer does. @param isWhole whether lists come in one answer, however long they are */
export async function runSetup(subject: SetupSubject, world: SetupWorld, isWhole = false): Promise<SetupLog> {
  const { workflow, form } = subject;
  const site = new SetupSite(subject, world, isWhole);
  const stage: Stage = new Stage(subject, {
    seed: world.seed,
    faults: [],
    serve: (request) => site.answer(request, stage.now),
  });
  await stage.keep({ id: CUSTOMER, status: "paused", customer: 1, form: {}, mapping: undefined });
  const setup = stage.runtime().setup(workflow.name, undefined, { subdomain: "customer" });
  const acts: SetupAct[] = [];
  let stopped: string | undefined;
  async function act<T>(
    what: string,
    work: () => Promise<T>,
    shownOf?: (made: T) => Shown,
  ): Promise<T | undefined> {
    if (stopped !== undefined) return undefined;
    stage.now += 1_000;
    const at = stage.now;
    const from = stage.exchanges.length;
    let failure: StepFailure | undefined;
    let made: T | undefined;
    try {
      made = await work();
    } catch (error) {
      if (error instanceof SetupError) stopped = error.message;
      else {
        failure = failureOf(error);
        stopped = failure.message;
      }
    }
    acts.push({
      number: acts.length + 1,
      what,
      at,
      exchanges: stage.exchanges.slice(from),
      failure,
      shown: made === undefined ? undefined : shownOf?.(made),
    });
    return made;
  }
  const { connect, select, map } = workflow.setup;
  if (connect !== undefined) await act("the account is connected", () => setup.connect(connectionOf(1)));
  for (const { id, type, options, required } of select?.fields ?? []) {
    const choices =
      options === undefined
        ? undefined
        : await act(
            optionsTold(id),
            () => setup.options(id),
            (made) => shownIn(made as unknown as Json),
          );
    const isChoice = type === "dropdown" || type === "multiselect";
    const [first] = choices ?? [];
    if (isChoice && first === undefined) {
      if (required) stopped ??= `there is nothing to choose for \`${id}\``;
      continue;
    }
    const value = isChoice ? first!.value : (valueAt(form, [id, "value"]) ?? null);
    await act(`\`${id}\` is filled in`, () => setup.answer(id, type === "multiselect" ? [value] : value));
  }
  if (select !== undefined) await act("the selection is described", () => setup.select());
  if (map !== undefined) await act("the fields of both sides are shown", () => setup.mapFields());
  return {
    world,
    acts,
    exchanges: stage.exchanges,
    secrets: stage.accounts.flatMap(({ secrets }) => secrets),
    stopped,
  };
}

function shownIn(options: Json): Shown {
  const records = new Set<number>();
  for (const [, number] of JSON.stringify(options).matchAll(MARK)) records.add(Number(number));
  return { count: Array.isArray(options) ? options.length : 0, records };
}
