/** How a sender writes the time at which it signed. */
export type TimeForm = "seconds" | "milliseconds" | "microseconds" | "nanoseconds" | "date";
