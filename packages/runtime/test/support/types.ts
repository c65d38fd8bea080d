export type { Json } from "@configc/jq";
export type { Credential, Credentials, Effects, LogEntry, Platform } from "@configc/runtime";
