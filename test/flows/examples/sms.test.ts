import { expect, test } from "vitest";
import { PICTURE, TWILIO_USER, Twilio } from "../../api/services/twilio.ts";
import { change, giveCredential, install } from "../../support/customer.ts";
import { runs } from "./runs.ts";
import { Story } from "./story.ts";

test.each(runs(60))("sms, $name", async ({ items, seed }) => {
  const story = await Story.begin({ example: "sms", party: () => new Twilio(), seed });
  const { party } = story;
  const connection = await giveCredential(story, TWILIO_USER);

  const texting = {
    workflow: "twilio-add-people-who-text-their-email",
    connection,
    searches: { number: "5550120" },
    answers: { account: "Acme", number: "+12025550120" },
    mapping: [
      ["Email in the text", "Email"],
      ["Sender", "Phone"],
      ["Carrier", "Last name"],
    ],
  } as const;
  const inbound = await install(story, texting);
  expect((await story.runtime.installations.get(inbound)).settings).toMatchObject({ accountId: "AC1" });
  expect(party.state().listening).toEqual(["PN120"]);
  const addOns = { results: { twilio_carrier_info: { result: { carrier: { name: "Acme Mobile" } } } } };
  for (let number = 1; number <= items; number++) {
    const carrier = number === 1 ? { AddOns: JSON.stringify(addOns) } : {};
    const body = number % 10 === 0 ? "hello & good-bye" : `I'm <p${number}@example.com>, hi + 100% 😀`;
    expect(await party.text("PN120", `+39${1_000_000 + number}`, body, carrier)).toBe(200);
  }
  await story.work();
  const numbers = Array.from({ length: items }, (_, index) => index + 1).filter((each) => each % 10 !== 0);
  expect(story.contacts().map(({ email }) => email)).toEqual(numbers.map((each) => `p${each}@example.com`));
  expect(story.kept("Contact")[0]).toEqual({
    fields: { email: "p1@example.com", phone: "+391000001", last_name: "Acme Mobile" },
    tags: ["texted in"],
  });
  // Another number: the old one is free again.
  await change(story, inbound, {
    ...texting,
    searches: {},
    answers: { account: "Acme", number: "+12025550007" },
  });
  await story.work();
  expect(party.state().listening).toEqual(["PN7"]);
  expect(await party.text("PN7", "+391", "late@example.com")).toBe(200);
  await story.work();
  expect(story.contacts().at(-1)).toMatchObject({ email: "late@example.com", phone: "+391" });
  await story.again(() => story.runtime.remove(inbound));
  expect(party.state().listening).toEqual([]);

  const messages = await install(story, {
    workflow: "twilio-send-a-text-message",
    connection,
    searches: { number: "0001" },
    answers: { account: "Acme", number: "+12025550001", text: "Hi %FIRST_NAME% & Co., 100% ready + paid" },
  });
  const pictures = await install(story, {
    workflow: "twilio-send-a-picture-message",
    connection,
    answers: { account: "Branch", number: "+12025550111", "media-url": PICTURE, caption: "For %FIRST_NAME%" },
    mapping: [["Phone", "Phone number"]],
  });
  for (let number = 0; number < 20; number++) {
    const contact = {
      email: `c${number}@example.com`,
      first_name: `Ç ${number}`,
      phone: `+39 06-${number + 100_000}`,
    };
    await story.send(messages, contact);
    await story.send(messages, contact);
    await story.send(pictures, { ...contact, phone: `+39${number + 100_000}` });
  }
  await story.work();
  const texts = party.messages.filter(({ MediaUrl }) => MediaUrl === undefined);
  expect(texts).toEqual(
    Array.from({ length: 20 }, (_, number) => ({
      To: `+3906${number + 100_000}`,
      From: "+12025550001",
      Body: `Hi Ç ${number} & Co., 100% ready + paid`,
    })),
  );
  expect(party.messages.filter((each) => !texts.includes(each))).toEqual(
    Array.from({ length: 20 }, (_, number) => ({
      To: `+39${number + 100_000}`,
      From: "+12025550111",
      Body: `For Ç ${number}`,
      MediaUrl: PICTURE,
      ValidityPeriod: "14400",
    })),
  );
  // No credentials go to where the pictures are.
  const elsewhere = story.server.requests.filter(({ host }) => host === "pictures.example");
  expect(elsewhere.map(({ headers }) => headers.authorization)).toEqual(elsewhere.map(() => undefined));
  await story.isInOrder();
  await story.again(() =>
    story.runtime.send(messages, { email: "x@example.com", phone: "06 1" }, { key: "x" }),
  );
  await expect
    .poll(() => story.failures())
    .toEqual(["The contact has no phone number in international format, such as +12025550123."]);
});
