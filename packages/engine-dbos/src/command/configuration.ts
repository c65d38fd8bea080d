import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type App, compile, sourceOf } from "@configc/compiler";
import type { Platform } from "@configc/runtime";
import { UsageError } from "./usage.ts";

/** The configuration of a host, with the environment's part in it; secrets stand nowhere but there. */
export interface Configuration {
  readonly database: string;
  readonly listenUrl?: string;
  /** Paths of the configs, by the host's name for the app. */
  readonly apps: Readonly<Record<string, string>>;
  /** Path of a module whose default export is the platform. */
  readonly platform?: string;
  readonly publicUrl?: string;
  readonly port: number;
  /** Where Prometheus asks for what was measured. */
  readonly metricsPort?: number;
  readonly slot?: string;
  readonly parallel?: number;
  readonly interval?: number;
  readonly retentionDays?: number;
  readonly failedDays?: number;
  readonly runDays?: number;
  readonly connections?: number;
  /** Megabytes that answers, payloads and what is made of them may take up together. */
  readonly memory?: number;
  /** The header in which a proxy of the operator's names who sends. */
  readonly sourceHeader?: string;
  /** Where operators' pages are served. */
  readonly adminHost?: string;
  readonly adminPort?: number;
  /** Path of a folder in which workers save runs that failed, sealed. */
  readonly savedRuns?: string;
  /** Which runs are told with their requests: all, failed or none. */
  readonly stories?: "all" | "failed" | "none";
  /** Failed runs that the database keeps as files, at most. */
  readonly savedFailures?: number;
  /** Seconds for which work under way may go on after SIGTERM. */
  readonly grace: number;
  readonly allowPrivateNetwork: boolean;
  readonly origins: Readonly<Record<string, readonly string[]>>;
}

type Kind = "stories" | "text" | "header" | "number" | "flag" | "texts" | "lists";

const settings = {
  database: { kind: "text", variable: "DATABASE_URL" },
  listenUrl: { kind: "text", variable: "LISTEN_URL" },
  apps: { kind: "texts" },
  platform: { kind: "text" },
  publicUrl: { kind: "text", variable: "PUBLIC_URL" },
  port: { kind: "number", variable: "PORT" },
  metricsPort: { kind: "number", variable: "METRICS_PORT" },
  slot: { kind: "text", variable: "CONFIGC_SLOT" },
  parallel: { kind: "number" },
  interval: { kind: "number" },
  retentionDays: { kind: "number" },
  failedDays: { kind: "number" },
  runDays: { kind: "number" },
  connections: { kind: "number" },
  memory: { kind: "number" },
  sourceHeader: { kind: "header" },
  adminHost: { kind: "text", variable: "ADMIN_HOST" },
  adminPort: { kind: "number", variable: "ADMIN_PORT" },
  savedRuns: { kind: "text" },
  stories: { kind: "stories" },
  savedFailures: { kind: "number" },
  grace: { kind: "number" },
  allowPrivateNetwork: { kind: "flag" },
  origins: { kind: "lists" },
} as const satisfies Readonly<Record<string, { readonly kind: Kind; readonly variable?: string }>>;

type Setting = keyof typeof settings;

/**
 * Reads the configuration file; variables of the environment come before it. Paths in it are relative to it.
 *
 * @param file undefined: only the environment counts
 * @throws UsageError that says what is wrong and what is accepted
 */
export async function readConfiguration(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Configuration> {
  const given: Record<string, unknown> = file === undefined ? {} : await readObject(file);
  for (const name of Object.keys(given)) {
    if (name === "$schema") continue;
    if (!Object.hasOwn(settings, name))
      throw new UsageError(
        `${file}: \`${name}\` isn't a setting. Settings are ${Object.keys(settings).join(", ")}.`,
      );
    check(`${file}: \`${name}\``, settings[name as Setting].kind, given[name]);
  }
  for (const [name, setting] of Object.entries(settings)) {
    const variable = "variable" in setting ? setting.variable : undefined;
    const value = variable === undefined ? undefined : environment[variable];
    if (value === undefined || value === "") continue;
    given[name] = setting.kind === "number" ? Number(value) : value;
    check(`The variable ${variable}`, setting.kind, given[name]);
  }
  if (given["database"] === undefined)
    throw new UsageError(
      "The database isn't known: set DATABASE_URL, such as postgres://configc@localhost/configc.",
    );
  for (const name of ["database", "listenUrl"] as const)
    if (given[name] !== undefined && !/^postgres(?:ql)?:\/\//.test(String(given[name])))
      throw new UsageError(
        `${settings[name].variable} needs a URL of Postgres, such as postgres://configc@localhost/configc.`,
      );
  const folder = file === undefined ? process.cwd() : dirname(resolve(file));
  const paths = Object.entries((given["apps"] ?? {}) as Readonly<Record<string, string>>).map(
    ([name, path]) => [name, resolve(folder, path)] as const,
  );
  // Each member was checked against the table above.
  const known = given as Partial<Configuration>;
  return {
    ...known,
    database: given["database"] as string,
    apps: Object.fromEntries(paths),
    ...(known.platform === undefined ? {} : { platform: resolve(folder, known.platform) }),
    ...(known.savedRuns === undefined ? {} : { savedRuns: resolve(folder, known.savedRuns) }),
    port: known.port ?? 8080,
    grace: known.grace ?? 20,
    allowPrivateNetwork: known.allowPrivateNetwork ?? false,
    origins: known.origins ?? {},
  };
}

async function readObject(file: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    throw new UsageError(`${file} isn't JSON: ${(error as Error).message}`);
  }
  throw new UsageError(`${file} needs a JSON object.`);
}

const wanted: Readonly<Record<Kind, string>> = {
  stories: "`all`, `failed` or `none`",
  text: "a string",
  header: "the name of a header, such as x-forwarded-for",
  number: "a number, zero or more",
  flag: "true or false",
  texts: "an object of strings",
  lists: "an object of lists of strings",
};

function check(what: string, kind: Kind, value: unknown): void {
  const isText = (each: unknown): boolean => typeof each === "string";
  const every = (test: (each: unknown) => boolean): boolean =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(test);
  const right = {
    text: () => isText(value),
    stories: () => ["all", "failed", "none"].includes(value as string),
    header: () => typeof value === "string" && /^[!#$%&'*+.^`|~\w-]+$/.test(value),
    number: () => typeof value === "number" && value >= 0,
    flag: () => typeof value === "boolean",
    texts: () => every(isText),
    lists: () => every((each) => Array.isArray(each) && each.every(isText)),
  }[kind]();
  if (!right) throw new UsageError(`${what} needs ${wanted[kind]}.`);
}

/** @throws UsageError if a config has errors: none of its customers would be served well by half an app */
export async function readApps({ apps }: Configuration): Promise<Record<string, App>> {
  const read: [string, App][] = [];
  for (const [name, path] of Object.entries(apps)) {
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      throw new UsageError(`The app \`${name}\` can't be read: ${(error as Error).message}`);
    }
    const { app, model, diagnostics } = compile(text, { uri: path });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    const [first] = errors;
    if (first !== undefined) {
      const { rule, args } = first.finding;
      throw new UsageError(
        `The app \`${name}\` (${path}) has ${errors.length === 1 ? "an error" : `${errors.length} errors, the first`}: ${rule.message(args)}\n\`configc check\` tells all.`,
      );
    }
    // What fails is told with its line.
    read.push([name, { ...app, source: sourceOf(model, basename(path)) }]);
  }
  if (read.length === 0)
    throw new UsageError("No apps are given: `apps` of the configuration names their configs.");
  return Object.fromEntries(read);
}

/** @throws UsageError */
export async function readPlatform({ platform }: Configuration): Promise<Platform> {
  if (platform === undefined)
    throw new UsageError(
      "The platform isn't known: `platform` of the configuration names a module whose default export has `fields`, `upsert` and `sync`.",
    );
  let loaded: { readonly default?: unknown };
  try {
    loaded = (await import(pathToFileURL(platform).href)) as { readonly default?: unknown };
  } catch (error) {
    throw new UsageError(`The platform ${platform} can't be loaded: ${(error as Error).message}`);
  }
  const found = loaded.default;
  const missing = ["fields", "upsert", "sync"].filter(
    (name) => typeof (found as Record<string, unknown> | undefined)?.[name] !== "function",
  );
  if (missing.length > 0)
    throw new UsageError(
      `The default export of ${platform} lacks ${missing.join(", ")}: a platform has \`fields\`, \`upsert\` and \`sync\`.`,
    );
  // Its functions are those of a platform; what they give is checked where it is used.
  return found as Platform;
}

/** The keys that seal tokens: the one in use, and those before it. @throws UsageError */
export async function readKeys(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly key: Uint8Array; readonly oldKeys: readonly Uint8Array[] }> {
  const file = environment["CONFIGC_KEY_FILE"];
  const text = environment["CONFIGC_KEY"] ?? (file === undefined ? undefined : await readKeyFile(file));
  if (text === undefined)
    throw new UsageError(
      "The key that seals tokens isn't known: set CONFIGC_KEY to 32 random bytes in base64 (`openssl rand -base64 32`), or CONFIGC_KEY_FILE to a file with them. All workers have the same.",
    );
  const decode = (one: string, name: string): Uint8Array => {
    const key = Buffer.from(one.trim(), "base64");
    if (key.length !== 32)
      throw new UsageError(
        `${name} needs 32 bytes in base64 (\`openssl rand -base64 32\`); it has ${key.length}.`,
      );
    return key;
  };
  const old = (environment["CONFIGC_OLD_KEYS"] ?? "").split(/[\s,]+/).filter((one) => one !== "");
  return { key: decode(text, "The key"), oldKeys: old.map((one) => decode(one, "Each of CONFIGC_OLD_KEYS")) };
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`CONFIGC_KEY_FILE can't be read: ${(error as Error).message}`);
  }
}
