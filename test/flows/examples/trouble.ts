import { cutShort, type Fault, half, late, status, truncated } from "../../api/faults.ts";
import type { Exchange } from "../../api/request.ts";
import type { ThirdParty, ThirdPartyServer } from "../../api/third-party.ts";

/** What goes wrong before the service has done anything: any request may be sent again. */
const before: readonly Fault[] = [
  status(429, '{"error": "slow_down"}', { "retry-after": "2" }),
  status(502, "<html>Bad gateway</html>", { "content-type": "text/html" }),
  truncated,
];

/** What goes wrong although it was done. */
const after: readonly Fault[] = [cutShort, half, late(60)];

/** Of all requests, how many fail. */
const SHARE = 1 / 25;

/** Has requests of any kind fail at random; the same ones each time for a seed. */
export class Trouble {
  readonly isOn: boolean;
  /** How many requests each kind met. */
  count = 0;

  constructor(server: ThirdPartyServer<ThirdParty>, seed: number | undefined) {
    this.isOn = seed !== undefined;
    if (seed === undefined) return;
    const random = generator(seed);
    const strikes = (_: string, { method, path }: Exchange): boolean => {
      if (random() >= SHARE) return false;
      this.count++;
      const isOnce = server.party.once.test(`${method} ${path}`);
      const kinds = isOnce ? before : [...before, ...after];
      const fault = kinds[Math.floor(random() * kinds.length)] ?? truncated;
      next = fault;
      return true;
    };
    let next: Fault = truncated;
    const rearm = (): void =>
      server.fault({ test: strikes }, (exchange, response, answer) => {
        rearm();
        return next(exchange, response, answer);
      });
    rearm();
  }
}

/** Numbers from 0 to 1, the same ones for a seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
