import { breakingChanges, compile, type Model } from "@configc/compiler";
import { parseDocument, toJson } from "@configc/compiler/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../../test/support/cases.ts";
import { validConfigs } from "../support/configs.ts";

/** D40 without false alarms: what changes nothing for customers is no finding, whatever of it comes together. */

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Edit = (app: { [name: string]: Json }, random: () => number) => void;

const configs = validConfigs().map(({ path, text }) => ({
  path,
  app: toJson(parseDocument(text, path).root!) as { [name: string]: Json },
}));

const edits: Readonly<Record<string, Edit>> = {
  "members in another order": (app, random) => shuffleMembers(app, random),
  "workflows, intakes and fields in another order": (app, random) => {
    for (const list of [app["workflows"], app["data_intake"], ...workflowsOf(app).map(formOf)])
      if (Array.isArray(list)) shuffle(list, random);
  },
  "other labels and help texts": (app) => {
    walk(app, (object) => {
      for (const name of ["label", "title", "help_text", "placeholder", "description"])
        if (typeof object[name] === "string") object[name] = `${object[name]} (new)`;
    });
  },
  comments: (app) => {
    app["_comment"] = "nothing changed";
    for (const workflow of workflowsOf(app)) workflow["_comment"] = ["nothing", "at all"];
  },
  "an optional field": (app) => {
    for (const workflow of workflowsOf(app))
      formOf(workflow)?.push({ id: "added", label: "Added", type: "textarea", required: false });
  },
  "a required field that is optional now": (app) => {
    for (const workflow of workflowsOf(app))
      for (const field of formOf(workflow) ?? []) if (isObject(field)) field["required"] = false;
  },
  "a new workflow with an intake of its own": (app) => {
    const [workflow] = workflowsOf(app);
    if (workflow === undefined) return;
    const copy = structuredClone(workflow);
    copy["name"] = "added-by-the-new-version";
    (app["workflows"] as Json[]).push(copy);
  },
  "another option to choose and to map": (app) => {
    walk(app, (object) => {
      const { options } = object;
      if (!Array.isArray(options) || options.length === 0) return;
      const first = options[0];
      if (!isObject(first)) return;
      const added = structuredClone(first);
      if ("id" in added) added["id"] = "added";
      if ("value" in added) added["value"] = "added";
      delete added["required"];
      options.push(added);
    });
  },
  "programs laid out otherwise": (app) => {
    walk(app, (object) => {
      if (typeof object["!jq"] === "string") object["!jq"] = `  (${object["!jq"]}\n) # as before`;
    });
  },
  "expansions spelled otherwise": (app) => {
    walk(app, (object) => {
      for (const [name, value] of Object.entries(object))
        if (typeof value === "string" && name !== "!jq")
          object[name] = value.replace(/\$\{(custom_data|data)\.([\w.]+)\}/g, "${ $1::$2 }");
    });
  },
  "fewer scopes": (app) => {
    walk(app, (object) => {
      if (Array.isArray(object["scopes"])) object["scopes"].pop();
    });
  },
};

describe("each kind of harmless edit", () => {
  test.each(Object.keys(edits))("%s", (name) => {
    for (const { path, app } of configs) {
      const edited = structuredClone(app);
      edits[name]!(edited, Math.random);
      expect(said(app, edited), path).toEqual([]);
    }
  });
});

test("several of them together, printed in another layout", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...configs),
      fc.uniqueArray(fc.constantFrom(...Object.keys(edits)), { minLength: 1 }),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
      fc.constantFrom(0, 2, 4),
      ({ app }, names, numbers, indentation) => {
        const edited = structuredClone(app);
        for (const name of names) edits[name]!(edited, () => numbers.next().value ?? 0);
        expect(said(app, edited, indentation)).toEqual([]);
      },
    ),
    { numRuns: cases(60) },
  );
});

test("the edits do change the documents, and a harmful one among them is still said", () => {
  for (const [name, edit] of Object.entries(edits)) {
    const changed = configs.some(({ app }) => {
      const edited = structuredClone(app);
      edit(edited, () => 0);
      return JSON.stringify(edited) !== JSON.stringify(app);
    });
    expect(changed, name).toBe(true);
  }
  const { app } = configs[0]!;
  const edited = structuredClone(app);
  for (const edit of Object.values(edits)) edit(edited, () => 0);
  (edited["workflows"] as { name: string }[])[0]!.name = "another";
  expect(said(app, edited)).not.toEqual([]);
});

function said(previous: Json, current: Json, indentation = 2): string[] {
  const model = compiled(JSON.stringify(current, null, indentation));
  return breakingChanges(compiled(JSON.stringify(previous)), model).map(
    ({ finding }) => `${finding.rule.id}: ${finding.rule.message(finding.args)}`,
  );
}

function compiled(text: string): Model {
  return compile(text, { uri: "shop.app.json" }).model;
}

function workflowsOf(app: { [name: string]: Json }): { [name: string]: Json }[] {
  return Array.isArray(app["workflows"]) ? app["workflows"].filter(isObject) : [];
}

function formOf(workflow: { [name: string]: Json }): Json[] | undefined {
  const setup = workflow["setup"];
  const select = isObject(setup) ? setup["select"] : undefined;
  const fields = isObject(select) ? select["form_fields"] : undefined;
  return Array.isArray(fields) ? fields : undefined;
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function walk(value: Json, visit: (object: { [name: string]: Json }) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else if (isObject(value)) {
    visit(value);
    for (const member of Object.values(value)) walk(member, visit);
  }
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
}

function shuffleMembers(value: Json, random: () => number): void {
  walk(value, (object) => {
    const entries = Object.entries(object);
    shuffle(entries, random);
    for (const name of Object.keys(object)) delete object[name];
    for (const [name, member] of entries) object[name] = member;
  });
}
