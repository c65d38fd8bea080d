import type { ServiceHook } from "./hooks.ts";
import { filledIn, type Proof } from "./proof.ts";
import type { Sender } from "./sender.ts";
import type { Call } from "./verifier.ts";
import type { Forgery } from "./world.ts";

/** A delivery as a stranger sends it. @param own it without a proof; @param now in milliseconds since 1970 */
export async function forgedCall(
  sender: Sender,
  own: Call,
  hook: ServiceHook,
  { forged, proof, now }: { readonly forged: Forgery; readonly proof: Proof; readonly now: number },
): Promise<Call> {
  switch (forged) {
    case "unsigned":
      return own;
    case "signature":
      return filledIn(sender.wrong(proof), own, "ab".repeat(32), now);
    case "body": {
      if (proof.kind === "token") return own;
      // Somebody has seen a genuine delivery, and sends another body with its headers.
      const seen = { ...own, body: own.body.replace(/\s*}\s*$/, ',"seen":true}') };
      return { ...(await sender.prove(seen, hook)), body: own.body };
    }
  }
}
