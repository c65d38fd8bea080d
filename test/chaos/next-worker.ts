// A worker of the next version, which needs a newer schema.
import "./next-schema.ts";
import "./chaos-worker.ts";
