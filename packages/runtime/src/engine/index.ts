export type { Control, Engine, Job, Queue, Schedule, Steps, Turn } from "./engine.ts";
