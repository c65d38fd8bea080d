import type { Json } from "../../json.ts";
import type { Span } from "../../syntax-tree.ts";
import type { Environment, Maybe } from "../machine.ts";
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
  const collect = next()(each, isOneToOne);
  return (env, list, span) => {
    const { machine } = env;
    const { length } = list;
    const outputs = isOneToOne && length < MOST_ROOM ? new Array<Json>(length) : [];
    for (let from = 0; from < length; ) {
      const upto = machine.ticks(from, length, span);
      collect(env, list, outputs, from, upto);
      from = upto;
    }
    machine.charge(outputs.length, span);
    machine.makes(bytes.growing + outputs.length * bytes.item, span);
    return outputs;
  };
}

/** Room for more than that at once would be taken as a table. */
const MOST_ROOM = 1_000_000;

/** Goes over a part of a list. */
type Collect = (env: Environment, list: readonly Json[], outputs: Json[], from: number, upto: number) => void;

const next = turns<(each: Maybe, isOneToOne: boolean) => Collect>([
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
  (each, isOneToOne) => (env, list, outputs, from, upto) => {
    for (let at = from; at < upto; at++) {
      const output = each(env, list[at]!);
      if (isOneToOne) outputs[at] = output!;
      else if (output !== undefined) outputs.push(output);
    }
  },
]);
