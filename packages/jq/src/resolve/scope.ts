/**
 * A scoped symbol table: a stack of declarations for each name, and a log that undoes them. Lookup is
 * constant however many names are in scope (a program may bind 100,000 in one pipeline).
 */
export class Scope<Declaration> {
  private readonly stacks = new Map<string, Declaration[]>();
  private readonly log: string[] = [];

  declare(name: string, declaration: Declaration): void {
    const stack = this.stacks.get(name);
    if (stack === undefined) this.stacks.set(name, [declaration]);
    else stack.push(declaration);
    this.log.push(name);
  }

  find(name: string): Declaration | undefined {
    return this.stacks.get(name)?.at(-1);
  }

  /** Names with a declaration in scope. */
  *names(): Generator<string> {
    for (const [name, stack] of this.stacks) if (stack.length > 0) yield name;
  }

  /** The state to return to with `restore`. */
  mark(): number {
    return this.log.length;
  }

  restore(mark: number): void {
    while (this.log.length > mark) this.stacks.get(this.log.pop()!)!.pop();
  }
}
