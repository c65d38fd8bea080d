/** Steps of a pipe in as few words as a table of cases wants. */
export const get = (path: string, params?: unknown): unknown => ({ "!http": { path, params } });
export const post = (path: string, body: unknown): unknown => ({ "!http": { method: "POST", path, body } });
export const jq = (program: string): unknown => ({ "!jq": program });
export const cases = (condition: string, ...all: readonly unknown[]): unknown => ({
  "!switch": { jq: condition, cases: all },
});
export const byEmail = { email: "${piped_content.0.email}" };
