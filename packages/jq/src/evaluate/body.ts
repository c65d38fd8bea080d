import type { Definition } from "../syntax-tree.ts";
import { lazily } from "./compiler.ts";
import { forgetFolds } from "./fold-code.ts";
import type { LazyCode } from "./machine.ts";
import type { Body, Outputs, Scope } from "./scope.ts";

/** What was found under the strongest assumptions; a definition never has fewer outputs than that. */
const found = { any: new WeakMap<Definition, Outputs>(), singles: new WeakMap<Definition, Outputs>() };

/** The most levels among the bodies that are called by the one that is being compiled. */
let levelsBelow = 0;

/** Says that the body that is being compiled calls another directly. */
export function callsDirectly({ levels }: Body): void {
  levelsBelow = Math.max(levelsBelow, levels);
}

/**
 * A body that calls itself is compiled as if each call had exactly one output. If it turns out to have more, or none, under that
 * assumption, it is compiled again with the weaker one. All that rests on an assumption is within the body: what comes
 * before a definition can't call it.
 *
 * @param given what is passed for its parameters: anything, or only what has exactly one output
 */
export function bodyOf(definition: Definition, scope: () => Scope, given: keyof typeof found): Body {
  const known = found[given];
  let code = lazily(definition.body, scope);
  let state: "new" | "begun" | "done" = "new";
  let outputs: Outputs = known.get(definition) ?? 2;
  let callsItself = false;
  let levels = 0;
  const attempt = (): Outputs => {
    callsItself = false;
    code = lazily(definition.body, scope);
    if (code.single !== undefined) return 2;
    return code.maybe === undefined ? 0 : 1;
  };
  const compile = (): void => {
    if (state !== "new") return;
    state = "begun";
    const around = levelsBelow;
    levelsBelow = 0;
    try {
      let actual = attempt();
      while (callsItself && actual < outputs) {
        outputs = actual;
        known.set(definition, outputs);
        forgetFolds();
        actual = attempt();
      }
      outputs = actual;
      levels = levelsBelow + 1;
      state = "done";
    } finally {
      levelsBelow = around;
      // The engine's stack may have ended.
      if (state === "begun") state = "new";
    }
  };
  const compiled = (): LazyCode => {
    compile();
    return code;
  };
  return {
    compile,
    get isNew() {
      return state === "new";
    },
    get levels() {
      return levels;
    },
    get outputs() {
      if (state === "begun") callsItself = true;
      return outputs;
    },
    get run() {
      return compiled().run;
    },
    get single() {
      return compiled().single;
    },
    get maybe() {
      return compiled().maybe;
    },
    get loop() {
      return compiled().loop;
    },
    get endsWithCall() {
      return state === "begun" || compiled().endsWithCall;
    },
    get paths() {
      return code.paths;
    },
    get inPlace() {
      return code.inPlace;
    },
    get isQuiet() {
      return code.isQuiet;
    },
  };
}
