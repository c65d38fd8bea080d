import { expect, test } from "vitest";
import { divide, type Share } from "../../src/engine/shares.ts";

const share = (name: string, active = 0, circuit: Share["circuit"] = "closed"): Share => ({
  name,
  active,
  circuit,
});

const given = (shares: readonly Share[], places: number, of = shares.length) =>
  Object.fromEntries(
    divide(shares, { places, active: shares.reduce((sum, { active }) => sum + active, 0), shares: of }),
  );

test("one app alone has all places, and the next jobs are there when they are over", () => {
  expect(given([share("a")], 8)).toEqual({ a: 16 });
  expect(given([share("a", 10)], 8)).toEqual({ a: 6 });
});

test("apps have the same, and who needs less leaves it to the others", () => {
  expect(given([share("a"), share("b")], 8)).toEqual({ a: 6, b: 6 });
  expect(given([share("a", 5), share("b", 1), share("c", 0)], 8)).toEqual({ a: 1, b: 4, c: 5 });
});

test("of several apps none has all places, whether the others need them now or not", () => {
  expect(given([share("a")], 8, 2)).toEqual({ a: 6 });
  expect(given([share("a")], 1, 2)).toEqual({ a: 1 });
});

test("an app whose service doesn't answer has nothing, or one job that tries it", () => {
  expect(given([share("a", 0, "open"), share("b")], 8)).toEqual({ b: 6 });
  expect(given([share("a", 0, "probe"), share("b")], 8)).toEqual({ a: 1, b: 6 });
  expect(given([share("a", 1, "probe"), share("b")], 8)).toEqual({ b: 6 });
});

test("where there are more apps than places, those come first that have least", () => {
  const shares = Array.from({ length: 5 }, (_, n) => share(`${n}`, n < 3 ? 1 : 0));
  expect(given(shares, 2)).toEqual({ 3: 1 });
});
