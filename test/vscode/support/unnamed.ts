/** Roles that say nothing without a name. */
const NAMELESS =
  /^\s*- '?(?:button|link|textbox|searchbox|combobox|checkbox|radio|tab|tablist|tabpanel|tree|treeitem|listbox|option|region|toolbar|heading)(?![\w ]* ["/])/;

/**
 * What a screen reader couldn't tell apart.
 *
 * @param snapshot of the accessibility tree, as `ariaSnapshot` gives it
 * @returns its lines that have a role which needs a name, and none
 */
export function unnamed(snapshot: string): string[] {
  return snapshot.split("\n").filter((line) => NAMELESS.test(line));
}
