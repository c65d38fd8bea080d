import { EditorState, type Extension } from "@codemirror/state";
import type { JqChoices } from "../tools/protocol.ts";

/** What the library asks for completions with. */
interface Asking {
  readonly pos: number;
  readonly explicit: boolean;
  readonly state: EditorState;
}

/** Completion of a jq program: the library asks for it through the language's data. */
export function jqCompletion(choicesAt: (offset: number) => Promise<JqChoices>): Extension {
  const autocomplete = async ({ pos, explicit, state }: Asking) => {
    const before = state.sliceDoc(Math.max(0, pos - 1), pos);
    if (!explicit && !/[\w.$]/.test(before)) return null;
    const { from, choices } = await choicesAt(pos);
    const options = choices.map(({ label, kind, detail, info }) => ({
      label,
      type: kind,
      ...(detail === undefined ? {} : { detail }),
      ...(info === undefined ? {} : { info }),
    }));
    return options.length === 0 ? null : { from, options, validFor: /^\w*$/ };
  };
  return EditorState.languageData.of(() => [{ autocomplete }]);
}
