import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import type { Environment, Machine, Maybe } from "../machine.ts";
import { bytes } from "../meter.ts";
import { turns } from "./sites.ts";

/** Collects what an expression gives for each item of a list. */
export type ListLoop = (env: Environment, list: readonly Json[], span: Span) => readonly Json[];

/**
 * The loop over a list, with a call in it that an engine can put the called code in the place of: see `sites.ts`.
 *
 * @param each what is done with an item
 * @param isOneToOne whether that always has an output
 */
export function listLoop(each: Maybe, isOneToOne: boolean): ListLoop {
  return next()(each, isOneToOne);
}

/** Room for more than that at once would be taken as a table. */
const MOST_ROOM = 1_000_000;

function startOf(length: number, isOneToOne: boolean): Json[] {
  return isOneToOne && length < MOST_ROOM ? new Array<Json>(length) : [];
}

function done(outputs: Json[], machine: Machine, span: Span): readonly Json[] {
  machine.charge(outputs.length, span);
  machine.makes(bytes.growing + outputs.length * bytes.item, span);
  return outputs;
}

const next = turns<(each: Maybe, isOneToOne: boolean) => ListLoop>([
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
  (each, isOneToOne) => (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs: Json[] = startOf(length, isOneToOne);
    for (let at = 0; at < length; at++) {
      machine.tick(span);
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
    return done(outputs, machine, span);
  },
]);
