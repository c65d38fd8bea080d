import type { JsonNode } from "@configc/compiler";
import { parseDocument, toJson } from "@configc/compiler/internal";
import { nameOfToken, pointerToken } from "@configc/jq/internal";
import { didYouMean } from "../command-line/did-you-mean.ts";
import { either } from "../command-line/phrases.ts";

/** What is wrong in a file of ours, and where; line and column count from 1. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A function that ajv compiled ahead of time; the mistakes that it finds stand beside it. */
export type Validator = ((data: unknown) => boolean) & { errors?: readonly SchemaMistake[] | null };

/** The parts of ajv's findings that messages are made of. */
interface SchemaMistake {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema: {
    readonly type?: string;
    readonly description?: string;
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  readonly data: unknown;
}

interface CheckedJson {
  /** Undefined if it isn't JSON at all. */
  readonly value: unknown;
  readonly mistakes: Mistake[];
  /** A mistake at the value that the names lead to. */
  at(segments: readonly string[], message: string): Mistake;
}

/**
 * Reads a file of ours and finds every mistake in it, each at its own place.
 *
 * @param noun what its members are called: setting, member
 */
export function readChecked(text: string, name: string, validate: Validator, noun: string): CheckedJson {
  const document = parseDocument(text, name);
  const place = (offset: number, message: string): Mistake => {
    const { line, column } = document.position(offset);
    return { line, column, message };
  };
  const { root, problems } = document;
  if (problems.length > 0 || root === undefined) {
    const mistakes = problems.map(({ kind, span }) =>
      place(span.start, `This isn't JSON: ${kind.replaceAll("-", " ")}.`),
    );
    return { value: undefined, mistakes, at: (_segments, message) => place(0, message) };
  }
  const at = (segments: readonly string[], message: string): Mistake =>
    place(placeOf(root, segments), `${pointerOf(segments)}${message}`);
  const value = toJson(root);
  const mistakes: Mistake[] = [];
  if (!validate(value)) {
    for (const mistake of validate.errors ?? []) {
      const member = mistake.params["additionalProperty"];
      const segments = [...segmentsOf(mistake.instancePath), ...(typeof member === "string" ? [member] : [])];
      mistakes.push(at(segments, messageOf(mistake, noun)));
    }
  }
  return { value, mistakes, at };
}

function messageOf({ keyword, params, parentSchema, data }: SchemaMistake, noun: string): string {
  switch (keyword) {
    case "additionalProperties": {
      const names = Object.keys(parentSchema.properties ?? {});
      const name = String(params["additionalProperty"]);
      return `There is no ${noun} “${name}”.${didYouMean(name, names)} ${noun.charAt(0).toUpperCase()}${noun.slice(1)}s here are ${either(names)}.`;
    }
    case "enum": {
      const allowed = params["allowedValues"] as readonly string[];
      const suggestion = typeof data === "string" ? didYouMean(data, allowed) : "";
      return `This must be ${either(allowed.map((value) => JSON.stringify(value)))}, not ${shown(data)}.${suggestion}`;
    }
    case "required":
      return `“${String(params["missingProperty"])}” is missing here.`;
    case "pattern":
      return `${shown(data)} can't stand here. ${parentSchema.description ?? "An empty text names nothing."}`;
    default:
      return `This must be ${article(String(params["type"]))}, not ${shown(data)}.`;
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function shown(data: unknown): string {
  const text = JSON.stringify(data);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function segmentsOf(pointer: string): string[] {
  return pointer.split("/").slice(1).map(nameOfToken);
}

function pointerOf(segments: readonly string[]): string {
  if (segments.length === 0) return "";
  const escaped = segments.map(pointerToken);
  return `/${escaped.join("/")}: `;
}

/** Where a value stands; the last member by its key. */
function placeOf(root: JsonNode, segments: readonly string[]): number {
  let node: JsonNode | undefined = root;
  let place = root.start;
  for (const [index, segment] of segments.entries()) {
    if (node?.kind === "object") {
      const member = node.member(segment);
      node = member?.value;
      place = (index === segments.length - 1 ? member?.start : node?.start) ?? place;
    } else if (node?.kind === "array") {
      node = node.items[Number(segment)];
      place = node?.start ?? place;
    }
  }
  return place;
}
