import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, nodeAt } from "@configc/compiler";
import { type Graph, graphOf, partOf, toDot, toMermaid, toSvg } from "@configc/compiler/graph";
import { pointerTo } from "@configc/compiler/internal";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { validConfigs } from "../support/configs.ts";

const template = (name: string) =>
  readFileSync(new URL(`../../../cli/templates/${name}.app.json`, import.meta.url), "utf8");

function graphOfText(text: string): Graph {
  return graphOf(compile(text, { uri: "shop.app.json" }).model);
}

describe("what is in the picture", () => {
  const graph = graphOfText(template("inbound-webhook"));
  const node = (id: string) => graph.nodes.find((each) => each.id === id);

  test("an intake with its commands: requests, and what they save", () => {
    expect(node("intake_0")).toMatchObject({
      kind: "intake",
      title: "submission.created",
      subtitle: "webhook, one for each workflow",
      rows: [
        { name: "create", details: ["POST /forms/{form}/hooks", "saves hook_id"] },
        { name: "update", details: ["PUT /hooks/{hook_id}"] },
        { name: "delete", details: ["DELETE /hooks/{hook_id}"] },
      ],
    });
  });

  test("a workflow with its steps, fields and pipeline", () => {
    expect(node("workflow_0")?.rows.map(({ name, details }) => [name, ...details])).toEqual([
      ["connect", "GET /me"],
      ["form", "dropdown", "GET /forms"],
      ["map", "from GET /forms/{form}", "to PlatformContact.fields"],
      ["source", "[.answers[] | {key: .question_id, value: .text}] | from_entries"],
      ["target", "PlatformContact"],
    ]);
  });

  test("hosts, the platform and saved keys, and how data flows", () => {
    expect(node("saved_workflow")?.rows.map(({ name }) => name)).toEqual(["hook_id"]);
    expect(graph.edges.map(({ from, to, kind, label }) => [from, to, kind, label])).toEqual([
      ["host_source_api_2eexample_2ecom", "intake_0", "data", "events"],
      ["intake_0", "workflow_0", "data", "items"],
      ["workflow_0", "platform_target", "data", "PlatformContact"],
      ["intake_0", "saved_workflow", "saves", "saves"],
    ]);
  });

  test("another host than the service's, also one that only a setup asks", () => {
    const other = template("inbound-webhook").replace(
      '"path": "/forms"',
      '"url": "https://lists.example.org/all"',
    );
    const { nodes, edges } = graphOfText(other);
    expect(nodes.map(({ title }) => title)).toContain("lists.example.org");
    expect(edges.map(({ kind, label }) => `${kind} ${label}`)).toContain("requests setup");
  });
});

describe.each(validConfigs().map(({ path, text }) => [path, text] as const))("%s", (path, text) => {
  const { model } = compile(text, { uri: path });
  const graph = graphOf(model);
  const svg = toSvg(graph);

  test("each line leads from a card to a card, and each card stands once", () => {
    const ids = graph.nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { from, to } of graph.edges) expect(ids).toEqual(expect.arrayContaining([from, to]));
    expect(graph.nodes.filter(({ kind }) => kind === "workflow")).toHaveLength(model.workflows.length);
    expect(graph.nodes.filter(({ kind }) => kind === "intake")).toHaveLength(model.intakes.length);
  });

  test("what carries a pointer stands there in the document", () => {
    const sources = graph.nodes.flatMap(({ source, rows }) => [source, ...rows.map((row) => row.source)]);
    for (const source of sources) {
      if (source === undefined) continue;
      const node = nodeAt(model.document.root, source.span.start);
      expect(text.slice(source.span.start, source.span.end).length).toBeGreaterThan(1);
      expect(source.pointer.startsWith(pointerTo(node))).toBe(true);
      expect(svg).toContain(`data-pointer="${source.pointer}"`);
    }
  });

  test("the picture is XML that needs nothing else, and no card covers another", () => {
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).not.toMatch(/<script|href=|url\((?!#)|@import|https?:\/\/(?!www\.w3\.org\/2000\/svg)[^<"]*"/);
    const boxes = cardsIn(svg);
    expect(boxes).toHaveLength(graph.nodes.length);
    for (const [index, a] of boxes.entries())
      for (const b of boxes.slice(index + 1))
        expect(
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
        ).toBe(true);
  });
});

describe("as a picture", () => {
  const svg = toSvg(graphOfText(template("inbound-webhook")), { title: "shop" });

  test("its lines in words, for those who hear it", () => {
    const [, description] = /<desc>([^<]*)<\/desc>/.exec(svg) ?? [];
    expect(description).toBe(
      "From api.example.com to submission.created (data: events). From submission.created to acme-import-submissions (data: items). From acme-import-submissions to Platform (data: PlatformContact). From submission.created to data.workflow (saves).",
    );
  });

  test("a key to the kinds of lines that it has; none where data flows only", () => {
    const keys = (text: string) => [...text.matchAll(/class="key"[^>]*>([^<]*)</g)].map(([, key]) => key);
    expect(keys(svg)).toEqual(["data flows", "kept and read again"]);
    expect(keys(toSvg(graphOfText(template("outbound"))))).toEqual([]);
  });

  test("what comes first in the document stands above", () => {
    const many = JSON.parse(template("outbound")) as { workflows: object[] };
    many.workflows = Array.from({ length: 12 }, (_, index) => ({
      ...many.workflows[0],
      name: `workflow-${index}`,
    }));
    const picture = toSvg(graphOfText(JSON.stringify(many)));
    const heights = cardsIn(picture)
      .filter(({ height }) => height > 100)
      .map(({ y }) => y);
    expect(heights).toHaveLength(12);
    expect(heights).toEqual([...heights].sort((a, b) => a - b));
    // The lines go with their cards.
    const ends = [...picture.matchAll(/<path class="edge [^"]*" d="M \S+ (\S+) .* (\S+)" marker/g)];
    expect(ends).toHaveLength(24);
    const middles = cardsIn(picture).map(({ y, height }) => Math.round(y + height / 2));
    for (const [, from, to] of ends)
      for (const y of [from, to]) expect(middles).toContain(Math.round(Number(y)));
  });

  test("cards that list steps are as wide as the others in their column", () => {
    const two = JSON.parse(template("inbound-webhook")) as { workflows: object[] };
    two.workflows.push({ ...two.workflows[0], name: "a-name-that-takes-a-good-deal-more-room-than-others" });
    const boxes = cardsIn(toSvg(graphOfText(JSON.stringify(two))));
    const [first, second] = boxes.filter(({ height }) => height > 150).slice(-2);
    expect([first?.x, first?.width]).toEqual([second?.x, second?.width]);
  });
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function cardsIn(svg: string): Box[] {
  const found = svg.matchAll(
    /<g class="card \w+" transform="translate\(([-\d.]+) ([-\d.]+)\)"[^>]*>\s*<title>[^<]*<\/title>\s*<rect class="body" width="([\d.]+)" height="([\d.]+)"/g,
  );
  return [...found].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }));
}

describe("documents of any kind", () => {
  test.each([
    ["nothing", ""],
    ["an empty object", "{}"],
    ["what isn't JSON", '{"workflows": [{"name": '],
    ["names that are hostile", JSON.stringify(hostile())],
    ["deep nesting", `{"workflows": ${"[".repeat(20_000)}`],
    [
      "many workflows",
      JSON.stringify({ workflows: Array.from({ length: 60 }, (_, i) => ({ name: `w${i}` })) }),
    ],
  ])("%s", (_, text) => {
    const graph = graphOfText(text);
    expect(XMLValidator.validate(toSvg(graph))).toBe(true);
    expect(toMermaid(graph)).toMatch(/^flowchart LR\n/);
    expect(toDot(graph)).toMatch(/^digraph app \{\n[\s\S]*\}\n$/);
  });

  function hostile() {
    const name = '__proto__ "];<script>&-->\u0000\ud800\n%%{init}%% 名前👍';
    return {
      data_intake: [{ type: "polling", name, request: { "!http": { url: `https://${name}/x` } } }],
      workflows: [
        { name, type: "generic", data_intake: name, setup: { select: { form_fields: [{ id: name }] } } },
      ],
    };
  }

  test.each([
    [1800, "polled every 30 min"],
    [3600, "polled every 1 h"],
    [90, "polled every 90 s"],
    [undefined, "polled"],
  ])("a polling intake says how often: %s s", (frequency, label) => {
    const text = JSON.parse(template("inbound-polling"));
    if (frequency !== undefined) text.data_intake[0].frequency = frequency;
    const { edges } = graphOfText(JSON.stringify(text));
    expect(edges.find(({ to }) => to === "intake_0")?.label).toBe(label);
  });

  test("one workflow with what it has to do with", () => {
    const twice = JSON.parse(template("inbound-webhook"));
    const [first] = twice.workflows;
    twice.workflows.push({ ...first, name: "other" });
    const whole = graphOfText(JSON.stringify(twice));
    const part = partOf(whole, first.name)!;
    expect(part.nodes.filter(({ kind }) => kind === "workflow").map(({ title }) => title)).toEqual([
      first.name,
    ]);
    expect(part.nodes.map(({ id }) => id)).toEqual(expect.arrayContaining(["intake_0", "platform_target"]));
    const ids = new Set(part.nodes.map(({ id }) => id));
    for (const { from, to } of part.edges) expect(ids.has(from) && ids.has(to)).toBe(true);
    expect(partOf(whole, "nobody")).toBeUndefined();
  });

  test("any names at all: the texts stay inside their quotes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const graph = graphOfText(JSON.stringify({ workflows: [{ name, type: "generic" }] }));
        const svg = toSvg(graph);
        expect(XMLValidator.validate(svg)).toBe(true);
        // One statement a line, whatever the name.
        expect(toMermaid(graph).trimEnd().split("\n")).toHaveLength(3);
        expect(toDot(graph).trimEnd().split("\n")).toHaveLength(6);
        new XMLParser().parse(svg);
      }),
      { numRuns: 50 },
    );
  });
});

test.each(["inbound-webhook", "inbound-polling", "historical-sync", "outbound"])(
  "%s as Mermaid and DOT: `npx vitest run packages/compiler/test/graph -u` renews it",
  async (name) => {
    const graph = graphOfText(template(name));
    const at = (kind: string) => fileURLToPath(new URL(`./expected/${name}.${kind}`, import.meta.url));
    await expect(toMermaid(graph)).toMatchFileSnapshot(at("mmd"));
    await expect(toDot(graph)).toMatchFileSnapshot(at("dot"));
  },
);
