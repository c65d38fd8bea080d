import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { Alerts, ourRules, secondsOf } from "./alerts.ts";
import { evaluate } from "./evaluate.ts";
import { type Labels, parsePromql } from "./parse.ts";
import { Samples } from "./samples.ts";

interface Cases {
  readonly tests: readonly {
    readonly name: string;
    readonly interval: string;
    readonly input_series: readonly { readonly series: string; readonly values: string }[];
    readonly alert_rule_test: readonly {
      readonly eval_time: string;
      readonly alertname: string;
      readonly exp_alerts: readonly { readonly exp_labels: Labels }[];
    }[];
  }[];
}

const file = new URL("../../../packages/engine-dbos/deploy/prometheus/alerts.test.yaml", import.meta.url);
const { tests } = parse(readFileSync(file, "utf8")) as Cases;

/** `0+60x90 5+0x3`, as `promtool` writes series. */
function valuesOf(text: string): readonly number[] {
  return text.split(" ").flatMap((part) => {
    const [, from = "", step = "0", times = "0"] = /^(\d+)(?:\+(\d+)x(\d+))?$/.exec(part) ?? [];
    return Array.from({ length: Number(times) + 1 }, (_, n) => Number(from) + n * Number(step));
  });
}

test.each(tests)("the game day finds the alerts that promtool's own test expects: $name", (given) => {
  const samples = new Samples();
  const interval = secondsOf(given.interval);
  for (const { series, values } of given.input_series)
    for (const [n, value] of valuesOf(values).entries())
      samples.scrape(`${series.replace(/,? ?instance="\w+"/, "")} ${value}`, "a", n * interval);
  const alerts = new Alerts(ourRules(), samples);
  for (let at = 0; at <= 7_200; at += 60) {
    const firing = alerts.look(at);
    for (const { eval_time, alertname, exp_alerts } of given.alert_rule_test)
      if (secondsOf(eval_time) === at)
        expect(firing.filter(({ alert }) => alert === alertname).map(({ labels }) => labels)).toEqual(
          exp_alerts.map(({ exp_labels: { severity: _, ...labels } }) => labels),
        );
  }
});

test.each([
  // A counter that was set back began anew; the ends of the range are made up for, as Prometheus does it.
  ["increase(a[5m])", [100, 110, 2, 4], 14 * (210 / 180)],
  ["rate(a[5m])", [60, 120, 180, 240, 300], 1],
  ["increase(a[10m])", [7], undefined],
  ["max(a) - max(a offset 2m)", [1, 2, 3, 9], 7],
])("%s of %j", (expression, values, wanted) => {
  const samples = new Samples();
  for (const [n, value] of values.entries()) samples.add("a", { x: "y" }, { at: n * 60, value });
  const [point] = evaluate(parsePromql(expression), samples, (values.length - 1) * 60);
  if (wanted === undefined) expect(point).toBeUndefined();
  else expect(point?.value).toBeCloseTo(wanted);
});
