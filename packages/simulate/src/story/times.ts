/** `12:30:00` of the day on which the simulation begins, with the day before it if it is another. */
export function clockTime(at: number): string {
  const text = new Date(at).toISOString();
  const time = text.slice(11, 19);
  return text.startsWith("2026-01-05") ? time : `${text.slice(0, 10)} ${time}`;
}
