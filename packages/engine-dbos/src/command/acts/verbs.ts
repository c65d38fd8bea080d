import { disconnect, refresh } from "../../acts/connections.ts";
import { deleteCustomer } from "../../acts/delete-customer.ts";
import { hold, release } from "../../acts/hold.ts";
import { purgeItems, retryItems, skipItems } from "../../acts/items.ts";
import { activate, pause } from "../../acts/pause.ts";
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
    summary: "retry now what failed or waits for its time",
    help: `Services that are left alone because they didn't answer are tried, too. With an app alone, only installations that have something to retry are
affected; with an installation, a customer or a fingerprint, each gets a cycle. Workers start at their next look.`,
  }),
  actVerb({
    act: hold,
    operands: ["app", "installation"],
    summary: "stop all runs of installations",
    help: "A run that is under way ends before its next step. Webhooks are still taken. With --app or --customer alone, installations that are made later are held, too.",
  }),
  actVerb({
    act: release,
    operands: ["app", "installation"],
    summary: "let held installations run again",
    help: "A run that `hold` ended continues after its last step.",
  }),
  actVerb({
    act: pause,
    summary: "pause installations, as their customers can",
    help: "Workers delete their webhooks at the services. What waits for delivery waits on. `hold` is for a while in which webhooks are still taken.",
  }),
  actVerb({
    act: activate,
    summary: "put paused installations to work again",
    help: "Workers register their webhooks anew, with secrets of their own where services give some.",
  }),
  actVerb({
    act: retryItems,
    summary: "deliver failed items again",
    help: "They keep their place in the line and their keys. --item also takes an item that waits for its time.",
  }),
  actVerb({
    act: skipItems,
    needsReason: true,
    summary: "give up items without delivering them",
    help: "Their content is deleted, and their record is kept as long as that of delivered items. --item also takes an item that waits and keeps others waiting.",
  }),
  actVerb({
    act: purgeItems,
    needsReason: true,
    summary: "delete failed items",
    help: "Nothing of them is kept. --item also takes an item that waits.",
  }),
  actVerb({
    act: refresh,
    summary: "renew tokens before their next use",
    help: "Connections that were given up are tried again, too: for example after the app's secret was replaced. Needs CONFIGC_KEY.",
  }),
  actVerb({
    act: disconnect,
    needsReason: true,
    summary: "forget the tokens of connections",
    help: "Nothing runs for them until the customers connect again. They are told why.",
  }),
  exportVerb,
  actVerb({
    act: deleteCustomer,
    needsReason: true,
    summary: "delete all that is kept for a customer",
    help: `First, workers remove the installations, at the services too. When they have, call it again to delete the rest. The record of what operators did
stays.`,
  }),
  actsVerb,
];
