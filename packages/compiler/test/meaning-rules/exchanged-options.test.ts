import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

/** Options that have each other's values, and lists that look like it and are right. */

/** `Yes = no; No = yes` */
const pairsIn = (text: string): readonly (readonly [string, string])[] =>
  text.split("; ").map((pair) => pair.split(" = ") as [string, string]);

const inField = (text: string): string[] =>
  findings("setup/exchanged-values", "outbound", {
    "/workflows/0/setup/select/form_fields/0/options": pairsIn(text).map(([display, value]) => ({
      display,
      value,
    })),
  });
const inMap = (text: string): string[] =>
  findings("setup/exchanged-values", "outbound", {
    "/workflows/0/setup/map/describe_target/options": pairsIn(text).map(([title, id]) => ({ title, id })),
  });

describe("setup/exchanged-values of a form field", () => {
  test.each([
    ["Two weeks = 42; Six weeks = 14"],
    ["One week = 14; Two weeks = 7"],
    ["2 hours = 1440; 1 day = 120; 1 week = 10080"],
    ["3 months = 12; 12 months = 3; 24 months = 24"],
    ["In half a year = 52; In a year = 26"],
    ["20 % = 100; 100 % (free) = 20"],
    ["1 kg = 5; 5 kg = 1"],
    ["Yes = no; No = yes"],
    ["Normal = low_stock; Stock is low = normal"],
    ["Full member = trial; On trial = full"],
    ["Stay-over clean = TURN; Turndown = STAY"],
    ["Email = sms; Text messages = email"],
    ["Travel = medication; Medication = travel; Other = other"],
  ])("%s", (pairs) => {
    expect(inField(pairs)).toHaveLength(1);
  });

  test.each([
    ["Two weeks = 14; Six weeks = 42"],
    ["One week = 1; Two weeks = 2"],
    ["In three months = 13; In half a year = 26"],
    ["Never = 0; After 30 days = 30"],
    ["One = 1; Two = 2"],
    // Codes, and other words for them.
    ["Sponsor = SP; Family = FA"],
    ["Not yet paid = open; Open for review = pending"],
    ["Small = 1; Medium = 2; Large = 3"],
    ["From 1 to 5 = a; From 5 to 1 = b"],
    ["Newest first = desc; Oldest first = asc"],
    // Places in an order, counted down.
    ["Priority 1 = high; Priority 2 = low"],
    ["Everything = all; All but drafts = published"],
  ])("%s is right", (pairs) => {
    expect(inField(pairs)).toEqual([]);
  });
});

describe("setup/exchanged-values of a mapping", () => {
  test.each([
    ["First name = email; Email = first_name"],
    ["Given name = email; E-mail = givenName"],
    ["Email = email; Date of birth = open_matters; Open matters = birth_date"],
    ["Email = email; Requester's name = requester_phone; Requester's mobile = requester_name"],
    ["Parcel weight in kilograms = site_name; Site = weight_kg"],
    ["Contractor's fee (EUR) = moisture_percent; Grain moisture (%) = fee"],
    ["Last name = phone; Mobile = family-name"],
    // One of them is called otherwise than its value, and all others aren't.
    ["First name = first_name; Phone = phone; City = city; Email = contact_id; Docketry number = email"],
  ])("%s", (pairs) => {
    expect(inMap(pairs)).toHaveLength(1);
  });

  test.each([
    ["First name = first_name; Email = email"],
    ["Email = mail; Mobile = phone"],
    // The title of a person, and of what they do.
    ["Email = email; First name = first_name; Phone = phone; Title = salutation; Job = title"],
    ["Company = account; Person = contact"],
    ["Site = site_name; Name = full_name"],
    ["Number = contact_no; Contact = person_id"],
    ["Email = field_12; First name = field_13"],
  ])("%s is right", (pairs) => {
    expect(inMap(pairs)).toEqual([]);
  });

  test("the opposite is told as that", () => {
    expect(inMap("First name = last_name; Last name = first_name")).toEqual([]);
  });

  test("values that are written instead", () => {
    const found = findings("setup/exchanged-values", "outbound", {
      "/workflows/0/setup/map/describe_target/options": [
        { title: "Email", id: "email" },
        {
          title: "Source",
          id: "source",
          source_fields: [
            { title: "Newsletter", id: "telephone" },
            { title: "Telephone", id: "newsletter" },
          ],
        },
      ],
    });
    expect(found).toHaveLength(1);
  });
});
