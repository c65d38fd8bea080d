import { escapedPattern } from "@configc/jq/internal";
import type { Command } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { commentsOver } from "../counted.ts";
import { clausesOf } from "../documented-clauses.ts";

/*
 * What comments say of a name, for rules that go by names: a comment may say that the service means something else by it. Rules ask for it
 * last, when they would tell.
 */

/** More than this behind a name is about something else. */
const NEAR = 100;

const verb = /^["'`]?\s+(?:is|are|has|have|holds|means|counts?|stands for|takes?|wants?|shows?)\b/i;
const denial = /\b(?:not|never|no|nor)\b|n't\b/i;

/** Whether a comment says of a name that it is something: `crates counts bottles already`, `A person's id is their email`. */
export const saysOf = (name: string, what: RegExp, command: Command, model: Model): boolean =>
  commentsOver(command, model).some(({ value }) => {
    if (!value.includes(name)) return false;
    const named = new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`, "g");
    return clausesOf(value).some((clause) =>
      [...clause.matchAll(named)].some(({ index }) => {
        const behind = clause.slice(index + name.length, index + name.length + NEAR);
        const at = verb.test(behind) ? behind.search(what) : -1;
        return at >= 0 && !denial.test(behind.slice(0, at));
      }),
    );
  });

/**
 * Whether a comment says that the records of one kind have the ids of another one: `An invoice has the id of its order`,
 * `GET /carts/{customer_id}`.
 */
export function sharesIds(noun: string, id: string, command: Command, model: Model): boolean {
  const [own, other] = [noun, id].map(escapedPattern);
  const said = `\\b${own}s? (?:has|have|takes?|goes by|is asked for by|is found by) (?:the |its |their )?`;
  const shared = `${said}(?:(?:same )?id of (?:its|their|the|an?) ${other}\\b|${other}(?:'s|s')? id\\b)`;
  return saysAround(new RegExp(`${shared}|/${own}e?s/[{<:$]{1,2}${other}`, "i"), command, model);
}

/** Whether a comment around says something. */
export const saysAround = (what: RegExp, command: Command, model: Model): boolean =>
  commentsOver(command, model).some(({ value }) => what.test(value));
