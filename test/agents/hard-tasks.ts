import { judgeLogin, judgeMovingList, judgeWindows } from "./judge/hard-lists.ts";
import { judgeGroups, judgeKept } from "./judge/hard-writes.ts";
import { judgeHistory } from "./judge/history.ts";
import { judgeWebhook } from "./judge/webhook.ts";
import { basic, bearer, header } from "./services/access.ts";
import { GroupService } from "./services/group-service.ts";
import { HistoryService } from "./services/history-service.ts";
import { type HookOptions, HookService } from "./services/hook-service.ts";
import { KeepService } from "./services/keep-service.ts";
import { type ListOptions, ListService } from "./services/list-service.ts";
import { LoginService } from "./services/login-service.ts";
import type { Task } from "./task.ts";

const people =
  "The customer maps fields with the titles Email, First name and Last name to those of contacts (`PlatformContact`).";
const polled = `Write an inbound app with one workflow that keeps importing people by polling, those who are there and those who are changed later. There is no form. ${people} Nobody may be lost.`;

const moving: ListOptions = { host: "api.ulmus.example", access: bearer, paging: "page" };
const windows: ListOptions = { host: "api.viburnum.example", access: header("X-Api-Key"), paging: "windows" };
const login = { host: "api.willowby.example", paging: "cursor" } as const;
const stamped: HookOptions = {
  host: "api.yewly.example",
  access: bearer,
  signature: "stamped",
  challenges: "get",
};
const history = { host: "api.zelkova.example", access: basic };
const kept = { host: "api.acerly.example", access: bearer };
const groups = { host: "api.bayberry.example", access: header("X-Token") };

/**
 * Tasks in which an app that looks right isn't: the service does what services do, and the judge lets it. What each of them needs to
 * know stands in the API's description.
 */
export const hardTasks: readonly Task[] = [
  {
    id: "hard-moving-pages",
    asks: polled,
    document: new ListService(moving, () => 0).document,
    judge: (app) => judgeMovingList(app, moving),
  },
  {
    id: "hard-windows",
    asks: polled,
    document: new ListService(windows, () => 0).document,
    judge: (app) => judgeWindows(app, windows),
  },
  {
    id: "hard-login",
    asks: polled,
    document: new LoginService(login, () => 0).document,
    judge: (app) => judgeLogin(app, login),
  },
  {
    id: "hard-stamped-hook",
    asks: `Write an inbound app with one workflow that makes a contact of each person who signs up, by webhook. There is no form. ${people} Deliveries that are forged or old are refused, and nothing stays registered when the customer switches the workflow off.`,
    document: new HookService(stamped).document,
    judge: (app) => judgeWebhook(app, stamped),
  },
  {
    id: "hard-history",
    asks: `Write an inbound app with one workflow that imports the people who are there once, and makes a contact of each person who signs up later, by webhook. There is no form. ${people} People without an address are left out. Nobody may be lost, forged deliveries are refused, and nothing stays registered when the customer switches the workflow off.`,
    document: new HistoryService(history, () => 0).document,
    judge: (app) => judgeHistory(app, history),
  },
  {
    id: "hard-kept-members",
    asks: "Write an outbound app with one workflow that writes each contact of the platform to the service. There is no form. The target has the fields Email (required) and First name. A contact that comes again changes what is there; what others have written about a member stays, and so does a first name if the contact has none. Nobody may be there twice.",
    document: new KeepService(kept).document,
    judge: (app) => judgeKept(app, kept),
  },
  {
    id: "hard-groups",
    asks: "Write an outbound app with one workflow that writes each contact of the platform to the service. There is no form. The target has two groups: Person, with the fields Email (required) and First name, and Company, with Name and Phone. A contact without a company's name, and one of a customer who maps no field of Company, is written without a company.",
    document: new GroupService(groups).document,
    judge: (app) => judgeGroups(app, groups),
  },
];
