import type { JqWork } from "./tools/protocol.ts";

/** What was written on the page: it outlives a reload, in its own tab and nowhere else. */
interface Draft {
  /** The address's fragment that it was written at: another link isn't covered by it. */
  readonly hash: string;
  readonly text: string;
}

const KEY = "configc-playground-draft";

/** Keeps what is written; `undefined` forgets it. A browser that keeps nothing, or not so much, is no failure. */
export function keepDraft(draft: Draft | undefined): void {
  try {
    if (draft === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {}
}

/** The text that was written at a fragment, if there is one. */
export function draftAt(hash: string): string | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Draft> | null;
    return draft?.hash === hash && typeof draft.text === "string" ? draft.text : undefined;
  } catch {
    return undefined;
  }
}

const JQ_KEY = "configc-playground-jq";

/** Keeps what is written in the tab of jq alone, by itself. */
export function keepJq(work: JqWork): void {
  try {
    sessionStorage.setItem(JQ_KEY, JSON.stringify(work));
  } catch {}
}

export function keptJq(): JqWork | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(JQ_KEY) ?? "null") as Partial<JqWork> | null;
    if (typeof kept?.program !== "string" || typeof kept.input !== "string") return undefined;
    return { program: kept.program, input: kept.input, type: typeof kept.type === "string" ? kept.type : "" };
  } catch {
    return undefined;
  }
}
