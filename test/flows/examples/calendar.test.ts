import { expect, test } from "vitest";
import { Calendly } from "../../api/services/calendly.ts";
import { install, logIn } from "../../support/customer.ts";
import { runs } from "./runs.ts";
import { Story } from "./story.ts";

const MINUTE = 60_000;

test.each(runs(2_500))("calendar, $name", async ({ items, seed }) => {
  const story = await Story.begin({ example: "calendar", party: (now) => new Calendly(now), seed });
  const { party, clock } = story;
  for (let number = 0; number < 130; number++) party.kinds.push({ id: `K${number}`, name: `Kind ${number}` });
  const course = { id: "COURSE", name: "Course" };
  const call = { id: "CALL", name: "Call" };
  party.kinds.push(course, call);
  const connection = await logIn(story, "ada");
  const fields = [
    ["Email", "Email"],
    ["First name", "First name"],
    ["Last name", "Last name"],
  ] as const;

  // Attendees after their meeting: of the chosen type, who came.
  const attendees = await install(story, {
    workflow: "calendly-tag-attendees-after-the-meeting",
    connection,
    answers: { "event-type": "Course", tag: "follow-up" },
    mapping: fields,
  });
  const guest = (number: number) => ({ email: `p${number}@example.com`, name: `P ${number} Q` });
  const start = clock.now() + MINUTE;
  const expected: string[] = [];
  for (let number = 0; number < items; ) {
    // A minute apart from each other, two at once.
    const meeting = party.addMeeting(course, start + Math.floor(party.meetings.length / 2) * 10_000, 200);
    const size = party.meetings.length === 5 ? 120 : 20;
    for (let place = 0; place < size && number < items; place++) {
      party.book(meeting, guest(++number));
      expected.push(guest(number).email);
    }
    party.book(meeting, { ...guest(-1), status: "canceled" });
    party.book(meeting, { ...guest(-2), no_show: {} });
  }
  party.book(party.addMeeting(call, start), guest(-3));
  party.book(party.addMeeting(course, start + 900 * MINUTE), guest(-4));
  await story.work();
  clock.advance(30 * MINUTE);
  const cycles = await story.work();
  if (seed === undefined) {
    expect(cycles.length).toBeGreaterThanOrEqual(3);
    expect(cycles[0]).toMatchObject({ reason: "max-results" });
    // What is read again at the edge of a cycle is no more than the meetings that begin in one moment.
    expect(cycles.reduce((sum, { delivered }) => sum + delivered, 0)).toBeLessThan(items * 1.1);
  }
  expect(story.contacts().map(({ email }) => email)).toEqual(expected);
  expect(story.kept("Contact")[0]).toEqual({
    fields: { email: "p1@example.com", first_name: "P", last_name: "1 Q" },
    tags: ["follow-up"],
  });
  await story.again(() => story.runtime.pause(attendees));

  // Bookings, as they are made: both installations share the subscription of the connection.
  const booked = { workflow: "calendly-add-invitees-to-contacts", connection };
  const mapping = [...fields, ["Company", "Phone"]] as const;
  const calls = await install(story, { ...booked, answers: { "event-type": "Call" }, mapping });
  const courses = await install(story, { ...booked, answers: { "event-type": "Course" }, mapping });
  expect(party.subscriptions.size).toBe(1);
  const meeting = party.addMeeting(call, clock.now() + 60 * MINUTE);
  const questions_and_answers = [{ question: "Company", answer: "Acme", position: 0 }];
  const ada = party.book(meeting, {
    email: "ada@example.com",
    name: "Ada Lovelace",
    questions_and_answers,
  });
  expect(await party.tell(meeting, ada)).toEqual([200]);
  const elsewhere = party.addMeeting({ id: "K1", name: "Kind 1" }, clock.now());
  const [refused] = await party.tell(elsewhere, party.book(elsewhere, guest(-5)));
  expect(refused).toBeGreaterThanOrEqual(400);
  await story.work();
  expect(story.contacts()).toHaveLength(items + 1);
  expect(story.kept("Contact").at(-1)).toEqual({
    fields: { email: "ada@example.com", first_name: "Ada", last_name: "Lovelace", phone: "Acme" },
    tags: ["calendly", "Call"],
  });
  await story.again(() => story.runtime.pause(calls));
  expect(party.subscriptions.size).toBe(1);
  await story.again(() => story.runtime.remove(courses));
  expect(party.subscriptions.size).toBe(0);

  // The next one-on-one meeting is called off; a group's isn't, nor one that is over.
  const group = party.addMeeting(call, clock.now() + 60 * MINUTE, 10);
  const [next, later] = [120, 240].map((minutes) => party.addMeeting(call, clock.now() + minutes * MINUTE));
  const past = party.addMeeting(call, clock.now() - 60 * MINUTE);
  for (const each of [group, next, later, past]) if (each !== undefined) party.book(each, guest(7));
  const cancel = await install(story, {
    workflow: "calendly-cancel-the-next-meeting",
    connection,
    answers: { "event-type": "Call", reason: "Dear %FIRST_NAME%, not today." },
    mapping: [["Email", "Email"]],
  });
  await story.send(cancel, { ...guest(7), first_name: "Grace" });
  await story.send(cancel, { email: "nobody@example.com", first_name: "Nobody" });
  await story.work();
  expect([group, next, later, past].map((each) => each?.status)).toEqual([
    "active",
    "canceled",
    "active",
    "active",
  ]);
  expect(party.reasons).toEqual(["Dear Grace, not today."]);

  for (const id of [attendees, calls, cancel]) await story.again(() => story.runtime.remove(id));
  expect(party.oauth.refreshes).toBeGreaterThan(1);
  expect(party.oauth.reused).toBe(false);
  await story.isInOrder();
});
