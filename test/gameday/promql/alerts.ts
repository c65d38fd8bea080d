import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { evaluate } from "./evaluate.ts";
import { type Expression, type Labels, parsePromql } from "./parse.ts";
import type { Samples } from "./samples.ts";

export interface Rule {
  readonly alert: string;
  readonly expression: Expression;
  /** Seconds for which it has to hold before somebody is told. */
  readonly patience: number;
}

const folder = new URL("../../../packages/engine-dbos/deploy/prometheus/", import.meta.url);

/** The rules that operators get. */
export function ourRules(): readonly Rule[] {
  const { groups } = parse(readFileSync(new URL("alerts.yaml", folder), "utf8")) as {
    readonly groups: readonly {
      readonly rules: readonly { readonly alert: string; readonly expr: string; readonly for: string }[];
    }[];
  };
  return groups.flatMap(({ rules }) =>
    rules.map((rule) => ({
      alert: rule.alert,
      expression: parsePromql(rule.expr),
      patience: secondsOf(rule.for),
    })),
  );
}

export function secondsOf(text: string): number {
  const [, number, unit = "s"] = /^(\d+)([smh])$/.exec(text) ?? [];
  return Number(number) * ({ s: 1, m: 60, h: 3_600 }[unit] ?? Number.NaN);
}

/** Which alerts fire, looked at again and again. */
export class Alerts {
  readonly #rules: readonly Rule[];
  readonly #samples: Samples;
  /** Since when each holds, by rule and labels. */
  readonly #since = new Map<
    string,
    { readonly alert: string; readonly labels: Labels; readonly at: number }
  >();

  constructor(rules: readonly Rule[], samples: Samples) {
    this.#rules = rules;
    this.#samples = samples;
  }

  /** @param at seconds @returns those that fire, with their labels */
  look(at: number): readonly { readonly alert: string; readonly labels: Labels }[] {
    const firing: { readonly alert: string; readonly labels: Labels }[] = [];
    const holds = new Set<string>();
    for (const { alert, expression, patience } of this.#rules)
      for (const { labels } of evaluate(expression, this.#samples, at)) {
        const key = `${alert} ${JSON.stringify(labels)}`;
        holds.add(key);
        const since = this.#since.get(key)?.at ?? at;
        this.#since.set(key, { alert, labels, at: since });
        if (at - since >= patience) firing.push({ alert, labels });
      }
    for (const key of this.#since.keys()) if (!holds.has(key)) this.#since.delete(key);
    return firing;
  }
}
