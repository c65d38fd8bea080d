import { type JsonNode, parseDocument, rules, toJson } from "@configc/compiler";
import { didYouMean } from "../command-line/did-you-mean.ts";
import { either } from "../command-line/words.ts";
import { validate } from "../generated/settings-validator.ts";
import type { SettingsFile } from "./project-settings.ts";

export interface SettingsMistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

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

/** Parses a settings file and finds every mistake in it, each at its own place. */
export function parseSettings(text: string): {
  readonly settings: SettingsFile;
  readonly mistakes: readonly SettingsMistake[];
} {
  const document = parseDocument(text, "configc.config.json");
  const at = (offset: number, message: string): SettingsMistake => {
    const { line, column } = document.position(offset);
    return { line, column, message };
  };
  const { root, problems } = document;
  if (problems.length > 0 || root === undefined) {
    const mistakes = problems.map(({ kind, span }) =>
      at(span.start, `This isn't JSON: ${kind.replaceAll("-", " ")}.`),
    );
    return { settings: {}, mistakes };
  }
  const settings = toJson(root) as SettingsFile;
  const mistakes: SettingsMistake[] = [];
  if (!validate(settings)) {
    for (const mistake of (validate as unknown as { readonly errors: readonly SchemaMistake[] }).errors) {
      const name = mistake.params["additionalProperty"];
      const segments = [...segmentsOf(mistake.instancePath), ...(typeof name === "string" ? [name] : [])];
      mistakes.push(at(placeOf(root, segments), `${pointerOf(segments)}${messageOf(mistake)}`));
    }
  }
  for (const id of Object.keys(levelsIn(settings))) {
    if (rules.some((rule) => rule.id === id)) continue;
    mistakes.push(at(placeOf(root, ["rules", id]), `${pointerOf(["rules", id])}${unknownRule(id)}`));
  }
  return { settings, mistakes };
}

/** "There is no rule `x`. …" */
export function unknownRule(id: string): string {
  const ids = rules.map((rule) => rule.id);
  return `There is no rule “${id}”.${didYouMean(id, ids)} “configc rules” lists them.`;
}

function levelsIn(settings: SettingsFile): object {
  const levels: unknown = typeof settings === "object" && settings !== null ? settings.rules : undefined;
  return typeof levels === "object" && levels !== null ? levels : {};
}

function messageOf({ keyword, params, parentSchema, data }: SchemaMistake): string {
  switch (keyword) {
    case "additionalProperties": {
      const names = Object.keys(parentSchema.properties ?? {});
      const name = String(params["additionalProperty"]);
      return `There is no setting “${name}”.${didYouMean(name, names)} Settings here are ${either(names)}.`;
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
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function pointerOf(segments: readonly string[]): string {
  if (segments.length === 0) return "";
  const escaped = segments.map((segment) => segment.replaceAll("~", "~0").replaceAll("/", "~1"));
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
