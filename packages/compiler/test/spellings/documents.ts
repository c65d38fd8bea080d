/** Another spelling of a document that does the same; undefined where it has nothing of the kind. */
export type DocumentSpelling = (root: Json) => Json | undefined;
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export const documentSpellings: Readonly<Record<string, DocumentSpelling>> = {
  "a step before": (root) => inPipelines(root, (steps) => [{ "!jq": "." }, ...steps.map(shifted)]),
  "a step behind": (root) => inPipelines(root, (steps) => [...steps, { "!jq": "." }]),
  "a pipe in a pipe": (root) => inPipelines(root, (steps) => [{ "!pipe": steps }]),
  "members in another order": (root) => reversed(root),
  "expansions in angle brackets": (root) =>
    mapStrings(root, (text) => text.replace(/\$\{([^{}$]*)\}/g, "$<$1>")),
};

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Changes the steps of what stands at a place for commands; a single command becomes a pipe. */
function inPipelines(root: Json, change: (steps: readonly Json[]) => readonly Json[]): Json | undefined {
  let isChanged = false;
  const visit = (value: Json): Json => {
    if (isList(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const names = Object.keys(value);
    const [first] = names;
    const commands = names.filter((name) => name.startsWith("!"));
    if (commands.length === 1 && first !== undefined && /^!(?:pipe|http|jq)$/.test(commands[0]!)) {
      isChanged = true;
      const piped = value["!pipe"];
      const { "!pipe": _, ...others } = value;
      return isList(piped) ? { ...others, "!pipe": change(piped) } : { "!pipe": change([value]) };
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each)]));
  };
  const result = visit(root);
  return isChanged ? result : undefined;
}

/** `${piped_content.1.id}` as `${piped_content.2.id}`: inside of a pipe within it the numbers are its own. */
function shifted(step: Json): Json {
  const shift = (text: string): string =>
    text.replace(/(\$[{<]\s*piped_content\.)(\d+)/g, (_, before: string, index: string) =>
      index === "0" ? before + index : before + (Number(index) + 1),
    );
  const visit = (value: Json): Json => {
    if (typeof value === "string") return shift(value);
    if (isList(value)) return value.map(visit);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, name === "!pipe" ? each : visit(each)]),
    );
  };
  return visit(step);
}

function reversed(value: Json): Json {
  if (isList(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, reversed(each)] as const)
      .toReversed(),
  );
}

function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (isList(value)) return value.map((each) => mapStrings(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapStrings(each, change)]));
}
