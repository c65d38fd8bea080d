/** What is known of a builtin function; the tables beside this file hold all of jq 1.8's. */
export interface Builtin {
  readonly name: string;
  /** As written at the call, `$` marking those that are evaluated first: `["$from", "$upto"]`. */
  readonly parameters: readonly string[];
  /** One line of documentation. */
  readonly doc: string;
  /** Reads or affects the process around the program: has no place in a hosted config (decision D23). */
  readonly forbiddenInHost: boolean;
}

/** A table of builtins: signature (`name` or `name(parameter; parameter)`) and documentation. */
export type BuiltinTable = Readonly<Record<string, string>>;

export function builtinsOf(table: BuiltinTable, forbiddenInHost = false): readonly Builtin[] {
  return Object.entries(table).map(([signature, doc]) => {
    const open = signature.indexOf("(");
    const name = open === -1 ? signature : signature.slice(0, open);
    const parameters = open === -1 ? [] : signature.slice(open + 1, -1).split("; ");
    return { name, parameters, doc, forbiddenInHost };
  });
}
