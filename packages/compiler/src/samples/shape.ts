import type { Json } from "@configc/jq";
import { pointerToken } from "@configc/jq/internal";

/**
 * What was seen at one place of a response, over all samples: how often which kind of value, and of objects how often which
 * member. Types are made of it, and what is said about them.
 */
export interface Shape {
  nulls: number;
  booleans: number;
  numbers: number;
  strings: number;
  arrays: number;
  objects: number;
  /** Numbers of the samples in which an object was seen. */
  readonly objectsIn: Set<number>;
  items: Shape | undefined;
  /** By name; how often it was there is the sum of its own counts. */
  readonly members: Map<string, Shape>;
  /** The first sample and place where it was seen. */
  readonly example: Place;
}

/** A place in the body of a sample. */
export interface Place {
  /** Index into the samples. */
  readonly sample: number;
  /** JSON Pointer. */
  readonly pointer: string;
}

/** Types tell no more levels than these; what is deeper isn't looked at. */
const DEPTH_LIMIT = 10;

/** The shape of the bodies of samples; undefined without any. */
export function shapeOf(bodies: readonly Json[]): Shape | undefined {
  let shape: Shape | undefined;
  for (const [sample, body] of bodies.entries())
    shape = see(shape, body, { sample, pointer: "" }, DEPTH_LIMIT);
  return shape;
}

/** The last shape that began with a sample: it is the same while somebody writes, and costs more than all else here. */
const shapes = new WeakMap<
  object,
  { readonly samples: readonly object[]; readonly shape: Shape | undefined }
>();

/** The shape of what samples have in them, kept as long as they are the same objects. */
export function keptShape<T extends object>(
  samples: readonly T[],
  bodyOf: (sample: T) => Json,
): Shape | undefined {
  const [first] = samples;
  if (first === undefined) return undefined;
  const known = shapes.get(first);
  if (
    known?.samples.length === samples.length &&
    known.samples.every((each, index) => each === samples[index])
  )
    return known.shape;
  const shape = shapeOf(samples.map(bodyOf));
  shapes.set(first, { samples, shape });
  return shape;
}

function see(known: Shape | undefined, value: Json, place: Place, depth: number): Shape {
  const shape = known ?? emptyShape(place);
  if (value === null) shape.nulls++;
  else if (typeof value === "boolean") shape.booleans++;
  else if (typeof value === "number") shape.numbers++;
  else if (typeof value === "string") shape.strings++;
  else if (Array.isArray(value)) {
    shape.arrays++;
    if (depth > 0)
      for (const [index, item] of (value as readonly Json[]).entries())
        shape.items = see(shape.items, item, below(place, index), depth - 1);
  } else {
    shape.objects++;
    shape.objectsIn.add(place.sample);
    if (depth > 0)
      for (const [name, member] of Object.entries(value as Readonly<Record<string, Json>>))
        shape.members.set(name, see(shape.members.get(name), member, below(place, name), depth - 1));
  }
  return shape;
}

function emptyShape(example: Place): Shape {
  return {
    nulls: 0,
    booleans: 0,
    numbers: 0,
    strings: 0,
    arrays: 0,
    objects: 0,
    objectsIn: new Set(),
    items: undefined,
    members: new Map(),
    example,
  };
}

function below({ sample, pointer }: Place, key: string | number): Place {
  const segment = typeof key === "number" ? key : pointerToken(key);
  return { sample, pointer: `${pointer}/${segment}` };
}

/** How often a value was seen there. */
export function seen({ nulls, booleans, numbers, strings, arrays, objects }: Shape): number {
  return nulls + booleans + numbers + strings + arrays + objects;
}

/** What is at a path of names, `[]` for the items of an array. */
export function shapeAt(shape: Shape | undefined, path: readonly string[]): Shape | undefined {
  let at = shape;
  for (const name of path) at = name === "[]" ? at?.items : at?.members.get(name);
  return at;
}
