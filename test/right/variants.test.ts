import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allFindings, type Template } from "../../packages/compiler/test/support/rule-findings.ts";

/*
 * Legitimate and uncommon ways to poll, to register webhooks, to reshape records and to write them, as changes of the templates.
 * Each looks like a mistake that some rule tells, and is none. Taste and unused members are no subject here.
 */

interface Variant {
  readonly template: Template;
  /** New values by their JSON Pointers; `absent` takes a member away. */
  readonly changes: Readonly<Record<string, unknown>>;
}

const folder = new URL("variants/", import.meta.url);
const area = /^(?:style|unused)\//;

describe.each(readdirSync(folder))("%s", (name) => {
  const variants: Readonly<Record<string, Variant>> = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  test.each(Object.entries(variants))("%s", (_, { template, changes }) => {
    const given = Object.entries(changes).map(([at, json]) => [at, json === "absent" ? undefined : json]);
    const told = allFindings(template, Object.fromEntries(given)).filter(({ rule }) => !area.test(rule));
    expect(told).toEqual([]);
  });
});
