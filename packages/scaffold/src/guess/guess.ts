/** Something that a document doesn't say outright, with what speaks for it. */
export interface Guess<Value> {
  readonly value: Value;
  /** The evidence, as half a sentence: “the parameter `updated_since`”. */
  readonly because: string;
  /** Whether a person has to look: nothing, or too little, speaks for it. */
  readonly isOpen?: boolean;
}
