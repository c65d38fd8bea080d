import { escapedPattern } from "@configc/jq/internal";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { allCodes, type Codes, codesBySubject, keyOf, rankOf } from "./code-tables.ts";

const otherCode = defineRule<{ code: string; other: string; label: string; subject: string }>({
  id: "value/other-code",
  severity: "warning",
  summary: "Two tables agree in all codes but one, which has the same name in both",
  why: "What customers choose is sent to the service and compared with what it sends. If a table has `SCREENING` where the options have `SCREEN`, one of the two is never found, and nothing fails.",
  guards: ["D23", "field.options", "field_option.value"],
  message: ({ code, other, label, subject }) =>
    `“${label}” is \`${code}\` here, and \`${other}\` where the app has the \`${subject}\` elsewhere. All other codes are the same.`,
  because: ({ code, other }) => [`here: \`${code}\``, `elsewhere: \`${other}\``],
  help: () => "Write the service's code in both.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Stages", "id": "stages", "type": "multiselect", "options": [{"display": "New", "value": "NEW"}, {"display": "Screening", "value": "SCREEN"}, {"display": "Offer made", "value": "OFFER"}]}',
      },
      bad: '{"!jq": "if ([.stage.code] - ${custom_data.stages.value}) != [] then null else {email: .email, stage: «{NEW: \\"New\\", SCREENING: \\"Screening\\", OFFER: \\"Offer made\\"}»[.stage.code]} end"}',
      good: '{"!jq": "if ([.stage.code] - ${custom_data.stages.value}) != [] then null else {email: .email, stage: {NEW: \\"New\\", SCREEN: \\"Screening\\", OFFER: \\"Offer made\\"}[.stage.code]} end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherCode],
  checks: {
    document(model, report) {
      if (allCodes(model).length < 2) return;
      // Options that have two names are of two subjects.
      const told = new Set<Codes>();
      for (const [subject, same] of codesBySubject(model))
        for (const one of same)
          for (const two of same) {
            if (rankOf(one) >= rankOf(two)) continue;
            const found = strangers(one, two);
            if (found === undefined) continue;
            if (isOnce(found.code, model))
              report(otherCode, one.at, { ...found, subject }, [{ message: "elsewhere", at: two.at }]);
            // What else the program knows by the same code is right, and the option is wrong that nothing else knows.
            else if (
              isOption(two) &&
              !told.has(two) &&
              isUsed(found.code, one) &&
              isOnce(found.other, model)
            ) {
              const { code: other, other: code, label } = found;
              told.add(two);
              report(otherCode, two.at, { code, other, label, subject }, [
                { message: "elsewhere", at: one.at },
              ]);
            }
          }
      for (const [subject, same] of codesBySubject(model))
        for (const one of same) {
          const isAsked = same.length > 2 && one.by === "option" && !told.has(one);
          const found = isAsked ? outvoted(one, same) : undefined;
          if (found === undefined || !isOnce(found.code, model)) continue;
          const { at, code, other, label } = found;
          told.add(one);
          report(otherCode, one.at, { code, other, label, subject }, [{ message: "elsewhere", at }]);
        }
    },
  },
};
export default module;

/** The one code that options have otherwise than two or more other tables have it, and no comment. */
function outvoted(one: Codes, same: readonly Codes[]) {
  const others = same.filter((two) => two !== one && two.at !== one.at);
  const found = others.flatMap((two) => {
    const each = strangers(one, two);
    return each === undefined ? [] : [{ ...each, at: two.at, isLess: rankOf(one) < rankOf(two) }];
  });
  const [first] = found;
  // Against what says more, one is enough: that is told already.
  if (first === undefined || found.length < 2 || found.some(({ isLess }) => isLess)) return undefined;
  const isSame = found.every(({ code, other }) => code === first.code && other === first.other);
  return isSame && found.length === others.length ? first : undefined;
}

/** The one code that a table has and another one hasn't, where that has another one for the same name, and all others are the same. */
function strangers(
  one: Codes,
  two: Codes,
): { readonly code: string; readonly other: string; readonly label: string } | undefined {
  if (one.pairs.length < 3 || one.pairs.length !== two.pairs.length) return undefined;
  const [own, known] = [new Map(one.pairs), new Map(two.pairs)];
  const [stranger, ...more] = one.pairs.filter(([code]) => !known.has(code));
  const [missing, ...others] = two.pairs.filter(([code]) => !own.has(code));
  if (stranger === undefined || missing === undefined || more.length + others.length > 0) return undefined;
  const [code, label] = stranger;
  return keyOf(label) === keyOf(missing[1]) ? { code, other: missing[0], label } : undefined;
}

const isOption = ({ by }: Codes): boolean => by === "option";

/** Whether the program that has a table uses one of its codes elsewhere too: `.state == "running"`. */
function isUsed(code: string, { at }: Codes): boolean {
  if (!("node" in at)) return false;
  const { value } = at.node;
  return `${value.slice(0, at.from)} ${value.slice(at.to)}`.includes(`"${code}"`);
}

/** Whether a code stands in one place alone: what is written again is known to the app. The same word in a label or a sentence is no code. */
const isOnce = (code: string, { document }: Model): boolean => {
  const written = escapedPattern(code);
  const asCode = `"${written}\\\\?"|(?<=[{,(\\s])${written}\\s*:|\\.${written}(?![\\w-])`;
  const isWord = /^[a-z]+$/.test(code);
  const all = new RegExp(isWord ? asCode : `(?<![\\w-])${written}(?![\\w-])`, "g");
  return [...document.text.matchAll(all)].length === 1;
};
