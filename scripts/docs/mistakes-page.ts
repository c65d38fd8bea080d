import { kinds } from "../../test/mutants/kinds/index.ts";
import { code, page, table } from "./markdown.ts";
import { type MistakeClass, mistakeClasses } from "./mistake-classes.ts";

const trials = [
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
  "eleventh",
  "twelfth",
  "thirteenth",
  "fourteenth",
  "fifteenth",
  "sixteenth",
  "seventeenth",
].map((name) => ({ title: `${name} trial`, path: `test/blind/${name}/told.txt` }));

const lists = [
  ...trials,
  { title: "cousins of the trials’ mistakes", path: "test/blind/cousins/told.txt" },
  { title: "ten of each class", path: "test/blind/classes/told.txt" },
  { title: "nine of each class, in other forms", path: "test/blind/forms/told.txt" },
  { title: "mistakes of the start", path: "test/meaning/told.txt" },
];

/** A mistake of a list, as `told.txt` has it. */
interface Told {
  readonly list: string;
  readonly label: string;
  readonly rules: readonly string[];
}

/** Families of mutators that make mistakes of meaning. */
const families = /^(?:meaning|flow)\//;

/** The page of the classes of mistakes of meaning, by what the tests recorded last. */
export function mistakesPage(read: (path: string) => string): {
  readonly text: string;
  readonly problems: readonly string[];
} {
  const all = lists.flatMap(({ title, path }) => toldIn(title, read(path)));
  const problems = [
    ...new Set(
      all
        .filter(({ label }) => mistakeClasses.filter(({ labels }) => labels.test(label)).length !== 1)
        .map(
          ({ label }) => `scripts/docs/mistake-classes.ts: “${label}” belongs to no class, or to several.`,
        ),
    ),
    ...kinds
      .filter(({ name }) => families.test(name) && !mistakeClasses.some((each) => each.kinds.includes(name)))
      .map(({ name }) => `scripts/docs/mistake-classes.ts: the mutator ${name} belongs to no class.`),
    ...mistakeClasses.flatMap(({ kinds: own }) =>
      own
        .filter((name) => !kinds.some((kind) => kind.name === name))
        .map((name) => `scripts/docs/mistake-classes.ts: there is no mutator ${name}.`),
    ),
  ];
  const text = page(
    "Mistakes of meaning",
    "A config can be valid, run without an error and still lose data: a page that is never asked for, a watermark that moves too early, an id where a name stands. These are the classes of such mistakes, the mutators of `npm run mutants` that make them in every example, and the rules that tell them.",
    "The scores are those of lists of single mistakes in configs that are right. People who had read no rule wrote them, from the specification alone. When a list was new, between a quarter and three quarters of it were told ([trials](trials.md) has each). The rest is what later rules were written for, so today’s scores say what is told, and not what would be told of the next list. A mistake counts as told if a warning or an error stands in the right place; a hint only counts where its author asked for no more.",
    table(
      ["class", "told", "mutators", "rules"],
      mistakeClasses.map((each) => overview(each, all)),
    ),
    ...mistakeClasses.flatMap((each) => details(each, all)),
    "## By list",
    table(
      ["list", "told"],
      lists.map(({ title }) => [title, score(all.filter(({ list }) => list === title))]),
    ),
    "`test/blind/*/told.txt` says of each mistake by which rules it is told.",
  );
  return { text, problems };
}

function toldIn(list: string, text: string): readonly Told[] {
  return text.split("\n").flatMap((line): Told[] => {
    const cells = line.split(" | ");
    const [label, told] = [cells[0], cells.at(-1)];
    if (cells.length < 4 || label === undefined || told === undefined) return [];
    return [{ list, label, rules: told === "-" ? [] : told.split(", ") }];
  });
}

function overview({ name, labels, kinds: own }: MistakeClass, all: readonly Told[]): readonly string[] {
  const mistakes = all.filter(({ label }) => labels.test(label));
  return [name, score(mistakes), `${own.length}`, `${rulesFor(mistakes).length}`];
}

function details({ name, what, labels, kinds: own }: MistakeClass, all: readonly Told[]): readonly string[] {
  const rules = rulesFor(all.filter(({ label }) => labels.test(label)));
  return [
    `## ${name}`,
    what,
    ...(own.length === 0 ? [] : [`Mutators: ${own.map((kind) => code(kind)).join(", ")}.`]),
    `Rules, by how many of the mistakes they tell: ${rules.map((rule) => `[${rule}](rules/${rule}.md)`).join(", ")}.`,
  ];
}

/** The rules that tell some of the mistakes, those of most mistakes first. */
function rulesFor(mistakes: readonly Told[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { rules } of mistakes) for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([rule]) => rule);
}

function score(mistakes: readonly Told[]): string {
  const told = mistakes.filter(({ rules }) => rules.length > 0).length;
  return `${told} of ${mistakes.length}`;
}
