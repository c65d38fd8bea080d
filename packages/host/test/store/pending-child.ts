import { writeSync } from "node:fs";
import { sqliteStore } from "@configc/host";

/** Keeps rows until it is ended, and prints the number of each as soon as it is kept. Arguments: file, number of the first. */
const [file, first] = process.argv.slice(2);
if (file !== undefined && first !== undefined) {
  const store = await sqliteStore(file);
  for (let number = Number(first); ; number++) {
    const row = { id: `${number}`, scope: "workflow", values: { text: "x".repeat(number % 5_000) } } as const;
    await store.transaction((transaction) => transaction.put("saved", row), { durable: number % 7 === 0 });
    writeSync(1, `${number}\n`);
    // Others have their turn now and then: what is committed by the clock.
    if (number % 50 === 0)
      await new Promise((resolve) => setTimeout(resolve, number % 300 === 0 ? 1_100 : 0));
  }
}
