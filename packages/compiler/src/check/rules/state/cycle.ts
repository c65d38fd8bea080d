import { types } from "@configc/jq";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { savedStates } from "../../../flow/polling-state.ts";
import { producedType, producersOf } from "../../../flow/producers.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import { type KeyRead, keyReads } from "./key-reads.ts";

/** The order in which an intake's commands run (`spec: States and transitions`). */
export class Cycle {
  private readonly intake: IntakeSymbol;
  private readonly model: Model;
  private readonly flow: TypeFlow;

  constructor(intake: IntakeSymbol, model: Model) {
    this.intake = intake;
    this.model = model;
    this.flow = flowOf(model);
  }

  /** Reads that meet the state as this command leaves it. */
  readsAfter(name: string): readonly KeyRead[] {
    return this.readsFrom(this.next(name));
  }

  /** Reads that meet the empty state. */
  readsAtStart(): readonly KeyRead[] {
    const { commands } = this.intake;
    return this.readsFrom([commands.has("initial_setup") ? "initial_setup" : this.first()]);
  }

  /** Reads that meet the state as the cycle before left it. */
  readsOfKept(): readonly KeyRead[] {
    return this.readsFrom([this.first()]);
  }

  private readsFrom(names: readonly string[]): readonly KeyRead[] {
    const seen = new Set<string>();
    const pending = [...names];
    const found: KeyRead[] = [];
    for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
      const command = this.intake.commands.get(name);
      if (seen.has(name) || command === undefined) continue;
      seen.add(name);
      for (const reads of keyReads(this.intake, this.model).values())
        found.push(...reads.filter((read) => read.command === command));
      if (keepsState(command, this.flow)) pending.push(...this.next(name));
    }
    return found;
  }

  private first(): string {
    return this.intake.commands.has("pre_poll") ? "pre_poll" : "request";
  }

  private next(name: string): string[] {
    const { commands } = this.intake;
    if (name === "initial_setup") return [this.first()];
    if (name === "pre_poll") return ["request"];
    if (name !== "request") return [this.first()];
    const after = commands.has("post_poll") ? "post_poll" : this.first();
    return this.mayIterate() ? ["request", after] : [after];
  }

  private mayIterate(): boolean {
    const request = this.intake.commands.get("request");
    const iterate = types
      .partsOf(this.flow.output(request))
      .flatMap((part) =>
        part.kind === "object" ? (part.members.get("iterate")?.type ?? types.unknown) : types.unknown,
      );
    return iterate.some((type) => !(type.kind === "boolean" && type.value === false));
  }
}

/** Whether a command certainly leaves the state as it is: it returns none, or the one that it got. */
function keepsState(command: Command, flow: TypeFlow): boolean {
  return producersOf(command, flow).every((maker) => {
    const made = maker.program === undefined ? undefined : finalObject(maker.program);
    const state = made === undefined ? undefined : literalMembers(made)?.get("polling_state");
    if (state?.kind === "Hole") {
      const hole = maker.program?.holes[state.hole];
      return hole?.root === "polling_state" && hole.rootExact && hole.syntax.path.length === 1;
    }
    // What a request to an API answers is no state of ours.
    return maker.key === "!http" || savedStates(producedType(maker, flow)).length === 0;
  });
}
