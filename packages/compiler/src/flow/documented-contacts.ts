import { escapedPattern, memoize } from "@configc/jq/internal";

/** Whether comments say that a person of a record isn't the contact: `The contact is the customer, not the owner`. */
export function isNoContact(person: string, comments: readonly string[]): boolean {
  const { isDenied, isStaff, isOther } = formsOf(person);
  return comments.some(
    (comment) =>
      isDenied.test(comment) ||
      (isStaff.test(comment) && aboutContacts.test(comment)) ||
      (staff.test(person) && isOther.test(comment) && !/\b(?:or|also|else|too)\b/i.test(comment)),
  );
}

/** Whether they say that one may be the contact, be it in some cases: `The contact is customer, or owner where customer is null`. */
export const isSaidContact = (person: string, comments: readonly string[]): boolean =>
  comments.some((comment) => formsOf(person).isSaid.test(comment));

const aboutContacts =
  /\bcontacts?\b|\bperson (?:to write to|who (?:ordered|booked|bought|asked)|(?:the|a) \w+ is for)\b/i;
/** Who works for the business by the name. */
const staff =
  /^(?:owner|assignee|agent|rep|sales_?rep|seller|salesperson|technician|employee|operator|assigned_?(?:to|user)|account_?manager|created_?by|creator)$/i;
const worker =
  "(?:staff|employees?|agent|sales ?rep|sales ?person|seller|technician|colleague|internal user|works for us|user of the (?:CRM|app|service)|(?:one|person) who (?:does|handles|sells) (?:it|the \\w+))";

const formsOf = memoize((person: string) => {
  const own = String.raw`(?<![\w.])["'\`]?${escapedPattern(person)}["'\`]?(?![\w'’]|\.\w| of\b)`;
  const form = (source: string): RegExp => new RegExp(source, "i");
  const contact = "(?:an? |the |our )?contacts?";
  return {
    // `The owner is the contact`, `or owner where customer is null`
    isSaid: form(
      String.raw`${own} (?:is|becomes|may become|can become|may be|can be) (?:also )?${contact}\b|\bcontacts? (?:is|are|comes? from|may be) (?:the |made of )?${own}|\b(?:or|and|else|otherwise|then) (?:from )?(?:the |its )?${own}(?! (?:is|works|isn't)\b)`,
    ),
    isDenied: form(
      [
        // `owner is the agent, never the contact`, `owner is our own staff and must not become a contact`
        String.raw`${own} (?:is|are)\b[^.;]{0,40}?\b(?:never|not|must not become|mustn't become|must never become|and no|but no)(?: be| become)? ${contact}\b(?! but)`,
        String.raw`${own} (?:isn't|is not|is never|must not (?:be|become)|must never (?:be|become)|mustn't (?:be|become)|never becomes) ${contact}\b(?! but)`,
        // `The contact comes from customer, not from owner`
        String.raw`\bcontacts? (?:is|are|comes? from|are made (?:of|from)|is made (?:of|from)|from) [^.;]{1,40}?,? (?:and )?(?:not|never) (?:from |of )?(?:the |its )?${own}`,
        // `Don't use owner as contact`
        String.raw`\b(?:don't|do not|never) (?:use|take|make|save|send) (?:the )?${own} (?:as |for )?(?:the |a )?contact\b`,
      ].join("|"),
    ),
    // `owner is an employee`, `owner: internal user`, `owner works for us`
    isStaff: form(
      String.raw`${own}(?: is|:| =)? (?:an? |the |our |your )?(?:own )?${worker}\b(?! of\b)|\b(?:the )?${worker} (?:is )?in ${own}`,
    ),
    // `customer becomes the contact`
    isOther: form(
      String.raw`(?:^|[.;,] )(?:the )?["'\`]?(?!${escapedPattern(person)}\b)[a-z]\w*["'\`]? (?:becomes|is who becomes) ${contact}\b|\bthe contact is (?:the )?(?!${escapedPattern(person)}\b)["'\`]?(?:customer|client|buyer|guest|tenant|patient|member|resident|lead)\b`,
    ),
  };
}, 200);
