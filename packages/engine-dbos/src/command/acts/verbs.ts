import { disconnect, refresh } from "../../acts/connections.ts";
import { deleteCustomer } from "../../acts/delete-customer.ts";
import { hold, release } from "../../acts/hold.ts";
import { purgeItems, retryItems, skipItems } from "../../acts/items.ts";
import { retry } from "../../acts/retry.ts";
import type { Verb } from "../usage.ts";
import { actsVerb } from "./acts.ts";
import { exportVerb } from "./export.ts";
import { actVerb } from "./verb.ts";

/** What operators do, each kept with who did it, when and why. */
export const actVerbs: readonly Verb[] = [
  actVerb({
    act: retry,
    operands: ["app", "installation"],
    summary: "try now what failed or waits for its time",
    help: `Also at a service that is left alone because it didn't answer. For all installations of an app that have something to try; where an installation, a
customer or a fingerprint is named, a cycle is due in any case. Workers find it at their next look.`,
  }),
  actVerb({
    act: hold,
    operands: ["app", "installation"],
    summary: "let nothing run for installations",
    help: "A run that is under way ends before its next step. Webhooks are still taken.",
  }),
  actVerb({
    act: release,
    operands: ["app", "installation"],
    summary: "let installations go on that were held",
    help: "A run that was ended for that is taken up after its last step.",
  }),
  actVerb({
    act: retryItems,
    summary: "have items delivered again that failed",
    help: "They go to their place in the line, under the keys that they had. --item also names one that waits for its time.",
  }),
  actVerb({
    act: skipItems,
    needsReason: true,
    summary: "give up items, as if they had nothing to deliver",
    help: "What they hold is deleted; that they were there is told as long as of delivered ones. --item also names one that waits, and keeps others waiting.",
  }),
  actVerb({
    act: purgeItems,
    needsReason: true,
    summary: "delete items that failed",
    help: "With all that is kept of them. --item also names one that waits.",
  }),
  actVerb({
    act: refresh,
    summary: "have tokens renewed before they are used next",
    help: "Connections that were given up are tried again too: when a client's secret was mended, say. Needs CONFIGC_KEY.",
  }),
  actVerb({
    act: disconnect,
    needsReason: true,
    summary: "forget the tokens of connections",
    help: "Nothing is tried for them until the customers have connected again, who are told why.",
  }),
  exportVerb,
  actVerb({
    act: deleteCustomer,
    needsReason: true,
    summary: "delete all that is kept for a customer",
    help: `Installations are removed first, by workers, at the services too; called again when that is done, it deletes the rest. The record of what operators
did stays.`,
  }),
  actsVerb,
];
