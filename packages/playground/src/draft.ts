/** What was written on the page: it outlives a reload, in its own tab and nowhere else. */
export interface Draft {
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
