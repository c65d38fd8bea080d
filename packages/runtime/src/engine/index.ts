export { embeddedSteps } from "./embedded.ts";
export type { Control, Engine, Job, Queue, Schedule, Steps, Turn } from "./engine.ts";
export { isPutOff, putOffUntil } from "./put-off.ts";
