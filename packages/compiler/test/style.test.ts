import { compile, render } from "@configc/compiler";
import { describe, expect, test } from "vitest";
import { pluralOf } from "../src/check/rules/style/singular.ts";
import { isSlugOf, kebab, slugOf } from "../src/check/rules/style/slug.ts";

/** Recommended forms: hints only, and only where a form is certainly another one. */

/** The findings of one rule about a workflow with these members; of a fix, the text that it gives. */
function check(rule: string, members: Readonly<Record<string, string>>) {
  const workflow = JSON.stringify({
    name: "acme-import",
    label: "Acme - Import",
    type: "generic",
    ...members,
  });
  const text = `{"$version": "2", "auth": {}, "api": {"base_url": "https://a.example.com"}, "workflows": [${workflow}]}`;
  const { model, diagnostics } = compile(text, { uri: "test.app.json" });
  return diagnostics
    .map((diagnostic) => render(model, diagnostic, { fixes: true }))
    .filter((finding) => finding.rule === rule)
    .map(({ severity, fixes = [] }) => {
      expect(severity).toBe("hint");
      const [fix] = fixes;
      const [edit] = fix?.edits ?? [];
      if (edit === undefined) return undefined;
      const { start, end } = edit.range;
      const fixed = text.slice(0, start.offset) + edit.newText + text.slice(end.offset);
      return (JSON.parse(fixed) as { workflows: Record<string, string>[] }).workflows[0];
    });
}

describe("names of workflows", () => {
  test.each([
    ["Acme - Import contacts", "acme-import-contacts"],
    ["  Acme:  (v2) Import! ", "acme-v2-import"],
    ["Café Übung", "cafe-ubung"],
    ["Заказы - Импорт", "заказы-импорт"],
    ["İstanbul", "istanbul"],
    ["--", ""],
    ["\ud800", ""],
  ])("the slug of %j is %j", (label, slug) => {
    expect(slugOf(label)).toBe(slug);
    if (slug !== "") expect(isSlugOf(slug, label)).toBe(true);
  });

  test.each([
    ["acme---import", "Acme - Import"],
    ["acme-import", "Acme 2 - Import"],
    ["acme-2-import", "Acme 2 - Import"],
    ["dont-import", "Don't import"],
    ["don-t-import", "Don't import"],
    ["café", "Café"],
    ["cafe", "Café"],
    ["anrufer-uebernehmen", "Anrufer übernehmen"],
    ["strasse-oeffnen", "Straße öffnen"],
    ["aendring-foer-allt", "Ändring för allt"],
    ["acme-kaeufer-uebernehmen", "Acme - Käufer übernehmen"],
    ["acme-kaufer-ubernehmen", "Acme - Käufer übernehmen"],
    ["acme-groesse-ae-roedgroed", "Acme - Größe, æ, rødgrød"],
  ])("%s is a slug of %j", (name, label) => {
    expect(isSlugOf(name, label)).toBe(true);
  });

  test.each([
    ["acme_import", "Acme - Import"],
    ["Acme-Import", "Acme - Import"],
    ["acme", "Acme - Import"],
  ])("%s is no slug of %j", (name, label) => {
    expect(isSlugOf(name, label)).toBe(false);
    expect(check("style/workflow-name", { name, label })).toEqual([
      expect.objectContaining({ name: slugOf(label) }),
    ]);
  });
});

describe("labels", () => {
  test.each(["Acme - Import", "Acme Inc. – Import contacts", "Acme - Import - again"])(
    "%s is fine",
    (label) => {
      expect(check("style/workflow-label", { label })).toEqual([]);
    },
  );

  test.each([
    ["Acme: Import", "Acme - Import"],
    ["Acme | Import", "Acme - Import"],
    ["Acme -Import", "Acme - Import"],
    ["Acme- Import", "Acme - Import"],
    ["Import contacts", undefined],
    ["E-mail contacts", undefined],
    ["-", undefined],
  ])("%s is better %s", (label, better) => {
    const [fixed, ...others] = check("style/workflow-label", { label });
    expect(others).toEqual([]);
    expect(fixed?.["label"]).toBe(better);
  });
});

describe("descriptions", () => {
  test.each([
    "",
    "Adds a contact.",
    "Adds a contact, e.g. Anna, from example.com.",
    "Adds contacts of Acme Inc. Ltd. to v2.1.",
    "Adds J. Doe and others.",
    'Adds the tag "new."',
    "Fügt Kontakte hinzu …",
    "連絡先を追加します。",
    "Adds a contact. ",
  ])("%j is fine", (description) => {
    expect(check("style/description", { description })).toEqual([]);
  });

  test.each([
    ["Adds a contact for each order", "Adds a contact for each order."],
    ["Adds a contact for “each” order  ", "Adds a contact for “each” order."],
    ["Adds a contact. Then a tag.", undefined],
    ["Adds a contact. Then a tag", undefined],
    ["Wants contacts? Adds them.", undefined],
    ["Adds a contact!", undefined],
    ["Adds the following:", undefined],
    ["Adds\na contact of yours", undefined],
    ["Import", undefined],
  ])("%j is better %j", (description, better) => {
    const [fixed, ...others] = check("style/description", { description });
    expect(others).toEqual([]);
    expect(fixed?.["description"]).toBe(better);
    // What a safe fix gives needs no other one.
    if (better !== undefined) expect(check("style/description", { description: better })).toEqual([]);
  });
});

describe("plurals", () => {
  test.each([
    ["form", "forms"],
    ["Form", "Forms"],
    ["form_entry", "form_entries"],
    ["eventType", "eventTypes"],
    ["sales company", "sales companies"],
    ["person", "people"],
  ])("the plural of %s is %s", (singular, plural) => {
    expect(pluralOf(singular)).toBe(plural);
    expect(check("style/resource-type", { resource_type: singular })).toEqual([
      expect.objectContaining({ resource_type: plural }),
    ]);
  });

  test.each([
    "forms",
    "people",
    "media",
    "data",
    "news",
    "inventory",
    "Kontakte",
    "foobar",
    "FORM",
    "form_42",
    "x".repeat(1e6),
  ])("of %.20s nothing is said", (name) => {
    expect(pluralOf(name)).toBeUndefined();
  });
});

test.each([
  ["listId", "list-id"],
  ["List_ID", "list-id"],
  ["myHTTPField", "my-httpfield"],
  ["id2Name", "id2-name"],
])("the id %s is suggested as %s", (id, suggestion) => {
  expect(kebab(id)).toBe(suggestion);
});

test("endless texts cost nothing", () => {
  for (const filler of ["a", " ", "-", ".", "'", ". ", "a.", " -", "A"]) {
    const text = filler.repeat(200_000);
    const workflow = {
      name: `${text}!`,
      label: `${text}1`,
      description: `${text},`,
      resource_type: `${text}0`,
    };
    expect(() => compile(JSON.stringify({ workflows: [workflow] }))).not.toThrow();
  }
});
