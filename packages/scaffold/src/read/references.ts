import { nameOfToken, percentDecoded } from "@configc/jq/internal";
import { isObject, type JsonObject, objectOf } from "./json.ts";

/** References within a document, which are followed where they are met: a document may refer to itself without end. */
export class References {
  private readonly root: JsonObject;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** @returns what a value stands for; an empty object for what isn't there, or goes in circles */
  follow(value: unknown): JsonObject {
    let current = value;
    for (let steps = 0; steps < 20; steps++) {
      if (!isObject(current)) return {};
      const reference = current["$ref"];
      if (typeof reference !== "string") return current;
      current = this.at(reference);
    }
    return {};
  }

  private at(reference: string): unknown {
    if (!reference.startsWith("#/")) return undefined;
    let current: unknown = this.root;
    for (const part of reference.slice(2).split("/")) {
      const name = nameOfToken(percentDecoded(part));
      const owner = objectOf(current);
      current = Object.hasOwn(owner, name) ? owner[name] : undefined;
    }
    return current;
  }
}
