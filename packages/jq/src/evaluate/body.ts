import type { Definition } from "../syntax-tree.ts";
import { lazily } from "./compiler.ts";
import { forgetFolds } from "./fold-code.ts";
import type { LazyCode } from "./machine.ts";
import type { Body, Outputs, Scope } from "./scope.ts";

/** What was found under the strongest assumptions; a definition never has fewer outputs than that. */
const found = new WeakMap<Definition, Outputs>();

/**
 * A body that calls itself is compiled as if each call had exactly one output. If it turns out to have more, or none, under that
 * assumption, it is compiled again with the weaker one. All that rests on an assumption is within the body: what comes
 * before a definition can't call it.
 */
export function bodyOf(definition: Definition, scope: () => Scope): Body {
  let code = lazily(definition.body, scope);
  let state: "new" | "begun" | "done" = "new";
  let outputs: Outputs = found.get(definition) ?? 2;
  let callsItself = false;
  const attempt = (): Outputs => {
    callsItself = false;
    code = lazily(definition.body, scope);
    if (code.single !== undefined) return 2;
    return code.maybe === undefined ? 0 : 1;
  };
  const compile = (): void => {
    if (state !== "new") return;
    state = "begun";
    try {
      let actual = attempt();
      while (callsItself && actual < outputs) {
        outputs = actual;
        found.set(definition, outputs);
        forgetFolds();
        actual = attempt();
      }
      outputs = actual;
      state = "done";
    } finally {
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
