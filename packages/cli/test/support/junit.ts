import { XMLParser, XMLValidator } from "fast-xml-parser";

/**
 * What the schema that Jenkins' xUnit plugin checks reports by (junit-10) says of the elements that we write: which attributes each
 * must and may have, and what stands in it.
 */
const elements: Readonly<Record<string, Rule>> = {
  testsuites: {
    required: [],
    optional: ["name", "time", "tests", "failures", "errors"],
    content: ["testsuite"],
  },
  testsuite: {
    required: ["name", "tests", "failures", "errors"],
    optional: [
      ...["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"],
    ],
    content: ["testsuite", "properties", "testcase", "system-out", "system-err"],
  },
  testcase: {
    required: ["name"],
    optional: ["time", "classname", "group"],
    content: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  failure: { required: [], optional: ["type", "message"], content: "text" },
  "system-out": { required: [], optional: [], content: "text" },
};

interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly content: readonly string[] | "text";
}

/** One element as the parser gives it in the order of the document: its name as the only other key beside its attributes. */
type Parsed = Readonly<Record<string, unknown>>;

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "", preserveOrder: true });

/** What a report says against that schema; empty if it is valid. */
export function junitProblems(xml: string): string[] {
  const wellFormed = XMLValidator.validate(xml);
  if (wellFormed !== true) return [wellFormed.err.msg];
  const roots = (parser.parse(xml) as Parsed[]).filter((node) => !("?xml" in node));
  return roots.flatMap((root) => ["testsuites" in root ? [] : ["another root"], problemsOf(root)].flat());
}

function problemsOf(node: Parsed): string[] {
  const name = Object.keys(node).find((key) => key !== ":@")!;
  const rule = elements[name];
  if (rule === undefined) return [`<${name}>`];
  const attributes = (node[":@"] ?? {}) as Readonly<Record<string, string>>;
  const { required, optional, content } = rule;
  const children = node[name] as readonly Parsed[];
  return [
    ...required.filter((key) => !(key in attributes)).map((key) => `<${name}> without ${key}`),
    ...Object.keys(attributes)
      .filter((key) => ![...required, ...optional].includes(key))
      .map((key) => `<${name} ${key}>`),
    ...(name !== "testcase" && "time" in attributes && !/^\d*(\.\d*)?$/.test(`${attributes["time"]}`)
      ? [`<${name}> with the time ${attributes["time"]}`]
      : []),
    ...children.flatMap((child) => {
      const own = Object.keys(child).find((key) => key !== ":@")!;
      if (own === "#text") return content === "text" ? [] : [`text in <${name}>`];
      return content !== "text" && content.includes(own) ? problemsOf(child) : [`<${own}> in <${name}>`];
    }),
  ];
}
