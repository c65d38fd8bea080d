import type { Direction, Place } from "../language/index.ts";
import type { Command, FieldSymbol, Unit } from "./bound-nodes.ts";

/** Where a value stands. Immutable: a nested place makes a new one. */
export interface BindingContext {
  readonly unit: Unit | undefined;
  readonly direction: Direction | undefined;
  readonly field: FieldSymbol | undefined;
  readonly place: Place | undefined;
  /** The command whose argument this is part of. */
  readonly command: Command | undefined;
  readonly pipe: Command | undefined;
  readonly stepsRun: number;
}

export const rootContext: BindingContext = {
  unit: undefined,
  direction: undefined,
  field: undefined,
  place: undefined,
  command: undefined,
  pipe: undefined,
  stepsRun: 0,
};
