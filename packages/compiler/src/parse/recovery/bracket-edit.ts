import { Scanner, Token } from "../scanner.ts";
import type { SyntaxProblem } from "../syntax-problem.ts";

/** One bracket that is put in, taken out or changed, so that the brackets of a document pair up. */
export interface BracketEdit {
  /** The token that is there instead; none where a bracket is taken out. */
  readonly token: number | undefined;
  /** Where it is put, or the bracket of the document. */
  readonly at: number;
  /** The end of the token before, if it is put behind that. */
  readonly behind: number | undefined;
  readonly problem: SyntaxProblem;
}

/** A scanner that gives the tokens of the document with one bracket changed. */
export class EditedScanner extends Scanner {
  private edit: BracketEdit | undefined;

  constructor(text: string, start: number, comments: boolean, edit: BracketEdit) {
    super(text, start, comments);
    this.edit = edit;
  }

  override scan(): number {
    const { edit } = this;
    if (edit?.behind === this.end && edit.token !== undefined) {
      this.edit = undefined;
      this.offset = edit.at;
      this.end = edit.at;
      return edit.token;
    }
    const token = super.scan();
    if (edit === undefined || edit.behind !== undefined || edit.at !== this.offset || token === Token.End)
      return token;
    this.edit = undefined;
    return edit.token ?? super.scan();
  }
}
