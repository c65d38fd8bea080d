import { expect, test } from "vitest";
import { divide, type Share } from "../../src/engine/shares.ts";

const share = (
  name: string,
  active = 0,
  circuit: Share["circuit"] = "closed",
  { placed = active, onTop = 0 } = {},
): Share => ({ name, active, placed, onTop, circuit });

const sum = (shares: readonly Share[], of: "active" | "placed" | "onTop") =>
  shares.reduce((all, each) => all + each[of], 0);

const turns = (shares: readonly Share[], places: number, of: number, others: readonly Share[] = []) => {
  const all = [...shares, ...others];
  const counts = { active: sum(all, "active"), placed: sum(all, "placed"), onTop: sum(all, "onTop") };
  return divide(shares, { places, ...counts, shares: of });
};

const given = (shares: readonly Share[], places: number, of = shares.length) =>
  Object.fromEntries([...turns(shares, places, of)].map(([name, { jobs }]) => [name, jobs]));

test("one app alone has all places, and the next jobs are there when they are over", () => {
  expect(given([share("a")], 8)).toEqual({ a: 16 });
  expect(given([share("a", 10, "closed", { placed: 8 })], 8)).toEqual({ a: 6 });
});

test("apps have the same, and who needs less leaves it to the others", () => {
  expect(given([share("a"), share("b")], 8)).toEqual({ a: 6, b: 6 });
  expect(given([share("a", 5, "closed", { placed: 2 }), share("b", 1), share("c")], 8)).toEqual({
    a: 1,
    b: 4,
    c: 5,
  });
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

test("who has less than an even part, because another holds more, has the rest on top of the places", () => {
  expect(turns([share("a")], 8, 2, [share("slow", 6)])).toEqual(new Map([["a", { jobs: 6, onTop: 2 }]]));
  // While it waits for more itself, too; and it isn't given any meanwhile.
  expect(turns([share("a"), share("slow", 6)], 8, 2)).toEqual(new Map([["a", { jobs: 6, onTop: 2 }]]));
  const full = share("a", 6, "closed", { placed: 2, onTop: 2 });
  expect(turns([full, share("slow", 6)], 8, 2)).toEqual(new Map());
  // Nobody holds more than a part: there is nothing to make up for.
  expect(turns([share("a", 2), share("b", 4)], 8, 2)).toEqual(
    new Map([
      ["a", { jobs: 4, onTop: 0 }],
      ["b", { jobs: 2, onTop: 0 }],
    ]),
  );
});

test("all together are at most twice the places", () => {
  const slow = ["a", "b", "c", "d"].map((name) => share(name, 4, "closed", { placed: 2, onTop: 2 }));
  expect(turns([share("e")], 8, 5, slow)).toEqual(new Map([["e", { jobs: 6, onTop: 0 }]]));
});
