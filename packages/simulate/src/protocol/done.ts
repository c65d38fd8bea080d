import { doneNames } from "../service/names.ts";
import type { Shape } from "../service/shape.ts";

/** An answer whose states are those at the end, where programs look for one: `ready` rather than `failed`. */
export function done(shape: Shape): Shape {
  switch (shape.kind) {
    case "object": {
      const members = Object.entries(shape.members).map(([name, member]) => [name, done(member)] as const);
      return { ...shape, members: Object.fromEntries(members) };
    }
    case "list":
      return { ...shape, item: done(shape.item) };
    default: {
      const last = shape.choices.filter((choice) => doneNames.has(String(choice).toLowerCase()));
      return last.length === 0 ? shape : { ...shape, choices: last, isOpen: false };
    }
  }
}
