// What builds for browsers leave out: texts that only pages of the documentation show, and every finding links to its page.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emptyTexts, leaveOut } from "./leave-out.mjs";

const onlyInRulePages = ["why", "examples", "guards", "summary"];

/** Not the facts of a finding, which may have a `why` as well. */
const isRule = (names) => names.includes("why") && (names.includes("message") || names.includes("summary"));

/** Without what only a rule's own page needs: a third of the compiler's size. */
export const withoutRulePages = leaveOut(
  "without-rule-pages",
  /[\\/](?:check|breaking)[\\/]rules[\\/].*\.ts$/,
  (names) => (isRule(names) ? onlyInRulePages : []),
);

/** Without the evidence and the help of findings too, for a build that says what is wrong and mends it: hover, `explain` and the pages have them. */
export const withoutEvidence = leaveOut(
  "without-evidence",
  /[\\/](?:check|breaking)[\\/]rules[\\/].*\.ts$/,
  (names) => (isRule(names) ? [...onlyInRulePages, "because", "help"] : []),
);

const onlyInCompletion = ["where", "effective"];

/**
 * Without what only the reference, hover and completion show of the language: for a build that has none of them. What findings say
 * stays: the prose of members that may be missing (of an auth entry that may be any), and the examples of expansions.
 */
export const withoutReference = leaveOut(
  "without-reference",
  /[\\/]compiler[\\/]src[\\/]language[\\/](?:commands[\\/]|sections[\\/]|roots|resources).*\.ts$/,
  (names, path) => {
    if (!names.includes("doc")) return [];
    if (path.endsWith("roots.ts")) return ["doc", "form", "type"];
    if (path.endsWith("resources.ts")) return ["doc"];
    const canBeMissing = path.endsWith("auth.ts") || names.some((name) => name.startsWith("required"));
    return [...(canBeMissing ? [] : ["doc"]), "example", "source", ...onlyInCompletion];
  },
);

/** Without the documentation of jq's builtins, which only hover and completion show. */
export const withoutBuiltinTexts = emptyTexts(
  "without-builtin-texts",
  /[\\/]jq[\\/]src[\\/]builtins[\\/].*\.ts$/,
);

/**
 * Without the names of Unicode's properties (`\\p{Greek}` in a pattern), for a build that runs no pattern: it takes each for one that is
 * known. The list alone is as large as a tenth of the rules.
 *
 * @type {import("esbuild").Plugin}
 */
export const withoutPropertyNames = {
  name: "without-property-names",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]oniguruma-parser[\\/]dist[\\/]unicode\.js$/ }, () => ({
      contents: 'export const OnigUnicodePropertyMap = { get: () => "Any" };',
      loader: "js",
    }));
  },
};

/**
 * Without what OpenAPI documents tell: they are files, which pages haven't got, and a twentieth of the compiler. Their rules stay known
 * by name, for settings and suppressions.
 *
 * @type {import("esbuild").Plugin}
 */
export const withoutOpenApi = {
  name: "without-openapi",
  setup({ onLoad }) {
    const empty = (filter, contents) => onLoad({ filter }, () => ({ contents, loader: "js" }));
    empty(
      /[\\/]samples[\\/]openapi[\\/]described\.ts$/,
      "export const describedRequests = () => new Map(); export const describedType = () => undefined;",
    );
    empty(/[\\/]samples[\\/]openapi[\\/]webhooks\.ts$/, "export const describedPayloads = () => new Map();");
    onLoad({ filter: /[\\/]rules[\\/]openapi[\\/]index\.ts$/ }, ({ path }) => {
      const folder = dirname(path);
      const rules = readdirSync(folder).flatMap((name) => rulesIn(readFileSync(join(folder, name), "utf8")));
      return { contents: `export const openapiRules = [{ rules: [${rules}], checks: {} }];`, loader: "js" };
    });
  },
};

/**
 * Without what gives hints alone: a page says what is wrong, and the command and editors what may be. Their rules stay known by name, and
 * where the core language makes an error of one it is kept.
 *
 * @type {import("esbuild").Plugin}
 */
export const withoutHints = {
  name: "without-hints",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]check[\\/]rules[\\/][\w-]+[\\/][\w-]+\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const rules = rulesIn(text);
      const isShared = /^export (?!default module)/m.test(text);
      const isHint = rules.length > 0 && rules.every((rule) => /severity: "(?:hint|info)"/.test(rule));
      if (!isHint || isShared || /^ {2}core: "/m.test(text)) return undefined;
      return { contents: `export default { rules: [${rules}], checks: {} };`, loader: "js" };
    });
  },
};

/** The ids and severities of the rules of a file. */
const rulesIn = (text) =>
  [...text.matchAll(/\bid: ("[^"]+"),\s+severity: ("[^"]+")/g)].map(
    ([, id, severity]) => `{ id: ${id}, severity: ${severity} }`,
  );
