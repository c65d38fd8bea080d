import { isObject, type JsonObject } from "@configc/jq/internal";

/**
 * What an author knows of the service, in `NAME.world.json` beside the config (D50). What isn't said may be either way: `simulate` tries both,
 * and rules that depend on it look for other evidence.
 */
export interface WorldFile {
  /** By name of the intake. */
  readonly intakes: Readonly<Record<string, IntakeWorld>>;
}

/** What is known of the service of one intake. */
export interface IntakeWorld {
  /** Where the service says so: told with the results. */
  readonly because?: string;
  /** `frozen`: later pages show the list as it was at the first one. */
  readonly pages?: "frozen" | "moving";
  /** Whether a bound takes in what lies on it. */
  readonly bounds?: "inclusive" | "exclusive";
  /** How exact the service's times are. */
  readonly times?: "millisecond" | "second" | "minute";
  /** In which order the list comes. */
  readonly order?: "oldest-first" | "newest-first";
  /** How records of the same time follow each other. */
  readonly ties?: "stable" | "any";
  /** Seconds after which a list shows a change at the latest. */
  readonly lag?: number;
  /** Records that change at one time, at most. */
  readonly burst?: number;
  /** Records of the list, at most: no more than one cycle can read. */
  readonly records?: number;
  /** What happens to records; by default all of it. */
  readonly changes?: readonly Change[];
  /** What parameters are taken for, by their names, where that isn't found out. */
  readonly parameters?: Readonly<Record<string, ParameterMeaning>>;
}

/** What happens to records. */
type Change = "create" | "update" | "delete";
/**
 * What a parameter is to the service: `after` is the id of the last record that was read, `as-of` the time as of which the list is shown;
 * `none` says that it has nothing to do with the list.
 */
export type ParameterMeaning =
  | "page"
  | "offset"
  | "cursor"
  | "after"
  | "from"
  | "to"
  | "as-of"
  | "size"
  | "none";

const choices: Readonly<Record<string, readonly string[]>> = {
  pages: ["frozen", "moving"],
  bounds: ["inclusive", "exclusive"],
  times: ["millisecond", "second", "minute"],
  order: ["oldest-first", "newest-first"],
  ties: ["stable", "any"],
};
const changes: readonly string[] = ["create", "update", "delete"];
const meanings: readonly ParameterMeaning[] = [
  "page",
  "offset",
  "cursor",
  "after",
  "from",
  "to",
  "as-of",
  "size",
  "none",
];

/**
 * Reads a world file.
 *
 * @param names of the app's intakes; without them it isn't looked whether the file names others
 * @returns the file as far as it can be read, and a sentence for each mistake in it
 */
export function readWorldFile(
  json: unknown,
  names?: readonly string[],
): { readonly file: WorldFile; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const intakes: Record<string, IntakeWorld> = {};
  const given = isObject(json) ? json["intakes"] : undefined;
  if (!isObject(json)) problems.push("A world file is an object with `intakes`.");
  else {
    for (const name of Object.keys(json))
      if (name !== "intakes" && name !== "$schema")
        problems.push(`A world file has no member \`${name}\`. It has \`intakes\`.`);
    if (!isObject(given))
      problems.push("`intakes` must be an object: facts about the service, by the name of the intake.");
  }
  for (const [name, world] of isObject(given) ? Object.entries(given) : []) {
    if (names !== undefined && !names.includes(name))
      problems.push(
        `The app has no intake \`${name}\`. It has ${names.map((each) => `\`${each}\``).join(", ") || "none"}.`,
      );
    if (isObject(world)) intakes[name] = readIntake(world, `intakes.${name}`, problems);
    else problems.push(`\`intakes.${name}\` must be an object.`);
  }
  return { file: { intakes }, problems };
}

/** Results after which a cycle ends (D33). */
const READABLE = 1_000;

function readIntake(world: JsonObject, at: string, problems: string[]): IntakeWorld {
  const read: Record<string, unknown> = {};
  const refuse = (name: string, wanted: string): void =>
    void problems.push(`\`${at}.${name}\` must be ${wanted}.`);
  for (const [name, value] of Object.entries(world)) {
    const known = choices[name];
    if (known !== undefined) {
      if (typeof value === "string" && known.includes(value)) read[name] = value;
      else refuse(name, known.map((each) => `"${each}"`).join(" or "));
    } else if (name === "lag") {
      if (typeof value === "number" && value >= 0) read[name] = value;
      else refuse(name, "a number of seconds, 0 or more");
    } else if (name === "burst") {
      if (typeof value === "number" && value >= 1) read[name] = value;
      else refuse(name, "a number of records, 1 or more");
    } else if (name === "records") {
      if (typeof value === "number" && value >= 1 && value <= READABLE) read[name] = value;
      else refuse(name, `a number of records from 1 to ${READABLE}, the most that a cycle reads`);
    } else if (name === "because") {
      if (typeof value === "string") read[name] = value;
      else refuse(name, "a string: where the service says so");
    } else if (name === "changes") {
      if (Array.isArray(value) && value.every((each) => changes.includes(each as string))) read[name] = value;
      else refuse(name, 'a list of "create", "update" and "delete"');
    } else if (name === "parameters") {
      if (
        isObject(value) &&
        Object.values(value).every((each) => (meanings as readonly unknown[]).includes(each))
      )
        read[name] = value;
      else
        refuse(
          name,
          `an object: the name of a parameter, and one of ${meanings.map((each) => `"${each}"`).join(", ")}`,
        );
    } else if (name !== "_comment") problems.push(`\`${at}.${name}\` is unknown.`);
  }
  return read;
}
