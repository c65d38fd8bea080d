import type { Glob } from "./syntax.ts";

/**
 * Whether a pattern matches a whole path.
 *
 * All ways through the pattern are gone at once: a part takes the set of places where it may begin to the set of those where it may
 * end. So the work grows with the length of pattern and path, and not with the number of ways, which is exponential; a repository
 * that strangers wrote decides both.
 */
export function matchesGlob(glob: Glob, path: string): boolean {
  const ends = after(glob, path, new Set([0]));
  return ends.has(path.length);
}

/** Offsets in a path. */
type Places = ReadonlySet<number>;

function after(glob: Glob, path: string, from: Places): Places {
  switch (glob.kind) {
    case "text":
      return moved(from, (at) => (path.startsWith(glob.text, at) ? at + glob.text.length : undefined));
    case "character":
      return moved(from, (at) => {
        const character = characterAt(path, at);
        return character !== undefined && !isParent(path, at) && glob.matches(character)
          ? at + character.length
          : undefined;
      });
    case "name":
      return withNames(path, from);
    case "folders":
      return withFolders(path, from);
    case "below":
      return withAll(path, from);
    case "sequence":
      return glob.of.reduce((places: Places, each) => after(each, path, places), from);
    case "choice":
      return afterChoice(glob, path, from);
  }
}

function moved(from: Places, step: (at: number) => number | undefined): Places {
  const to = new Set<number>();
  for (const at of from) {
    const end = step(at);
    if (end !== undefined) to.add(end);
  }
  return to;
}

/** One character that isn't `/`, whole; undefined where there is none. */
function characterAt(path: string, at: number): string | undefined {
  const code = path.codePointAt(at);
  return code === undefined || path[at] === "/" ? undefined : String.fromCodePoint(code);
}

/** Whether a segment begins here that leads up: only a pattern that says so goes there. */
function isParent(path: string, at: number): boolean {
  return (at === 0 || path[at - 1] === "/") && /^\.{1,2}(?:\/|$)/.test(path.slice(at, at + 3));
}

function withNames(path: string, from: Places): Places {
  const to = new Set<number>();
  // What another place has walked through already needn't be walked again.
  for (const start of from)
    for (let at = start; !to.has(at); at++) {
      to.add(at);
      if (at >= path.length || path[at] === "/" || isParent(path, at)) break;
    }
  return to;
}

function withFolders(path: string, from: Places): Places {
  const to = new Set(from);
  for (const start of from)
    for (let at = start; ; ) {
      const slash = path.indexOf("/", at);
      if (slash < 0 || isParent(path, at) || (at !== start && to.has(slash + 1))) break;
      at = slash + 1;
      to.add(at);
    }
  return to;
}

function withAll(path: string, from: Places): Places {
  let lastParent = -1;
  for (let at = 0; at >= 0 && at < path.length; at = path.indexOf("/", at) + 1 || path.length)
    if (isParent(path, at)) lastParent = at;
  return [...from].some((at) => at > lastParent) ? new Set([path.length]) : new Set();
}

function afterChoice({ of, times }: Extract<Glob, { kind: "choice" }>, path: string, from: Places): Places {
  const once = (places: Places): Places => union(of.map((each) => after(each, path, places)));
  switch (times) {
    case "once":
      return once(from);
    case "maybe":
      return union([from, once(from)]);
    case "any":
      return repeated(once, from);
    case "some":
      return repeated(once, once(from));
    case "not":
      return union(
        [...from].map((at) => {
          const taken = once(new Set([at]));
          return new Set([...withNames(path, new Set([at]))].filter((end) => !taken.has(end)));
        }),
      );
  }
}

function repeated(once: (places: Places) => Places, from: Places): Places {
  const all = new Set(from);
  for (let fresh: Places = from; fresh.size > 0; ) {
    fresh = new Set([...once(fresh)].filter((at) => !all.has(at)));
    for (const at of fresh) all.add(at);
  }
  return all;
}

function union(sets: readonly Places[]): Places {
  return new Set(sets.flatMap((places) => [...places]));
}
