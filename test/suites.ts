/** Tests that `npm test` leaves out, so that it stays under three minutes; each list is a suite of its own in CI. */

/** What takes several processes, and a Postgres that comes and goes: `npm run fleet`. */
export const fleetTests: readonly string[] = [
  "packages/engine-dbos/test/{limits,auth}/*.test.ts",
  "packages/engine-dbos/test/{worker,migrate,restored,customers,plans,reseal,leftovers,journal-full,slots,ended,answered,put-off,dead-service,pooler,prepared-pool,command/{command,serve,deploy},engine/*,answers/*}.test.ts",
  "packages/engine-dbos/test/store/{leases,transactions,upgrade}.test.ts",
  "packages/engine-dbos/test/telemetry/*.test.ts",
  "test/flows/fleet.test.ts",
  "test/gameday/gameday.test.ts",
  "test/postgres.test.ts",
  "test/browser/operators.test.ts",
];

/** What starts the command again and again, looks at a great many documents or programs, waits for slow senders, or clicks through pages: `npm run test:long`. */
export const longTests: readonly string[] = [
  "packages/cli/test/debug/*.test.ts",
  "packages/debug/test/{examples,seeds}.test.ts",
  "packages/cli/test/{verbs,apptest,breaking,run,run-recorded,dev,mcp,init-from,simulate,cycles}.test.ts",
  "packages/cli/test/{baseline,build-verb,editor-beginnings,editor-scaffold,editor-simulation,examples,formats,login,samples,verify,watch,write}.test.ts",
  // Many megabytes through pipes.
  "packages/cli/test/jq-large.test.ts",
  "packages/language-server/test/{settings,lifecycle,broken}.test.ts",
  "packages/host/test/{incoming,memory}/*.test.ts",
  "packages/engine-dbos/test/store/{tenants,schema}.test.ts",
  "packages/host/test/store/private.test.ts",
  "packages/compiler/test/schema.test.ts",
  "packages/compiler/test/spellings/spellings.test.ts",
  "packages/jq/test/{budget,differential,folds}/*.test.ts",
  "packages/jq/test/types/soundness.test.ts",
  "test/docs/{types,blocks}.test.ts",
  "packages/simulate/test/{polling,mistakes,against,capacity,known,fit,setup}/*.test.ts",
  "packages/simulate/test/{verdicts,worlds/*}.test.ts",
  "test/properties/{extremes,fixes,fingerprints,refactorings/*}.test.ts",
  "test/browser/{compiler,dev,jq-csp,results-panel,simulate,worker}.test.ts",
  "test/flows/examples/*.test.ts",
  // What registries refuse matters to a release alone, and is checked file by file.
  "test/{agents,blind,cache,crash,embed,mutants,package,playground,registries,release}/*.test.ts",
  "test/outputs.test.ts",
];

/** Of them, what takes minutes although the file is small: begun first, so that it isn't waited for alone in the end. */
export const longestTests: readonly string[] = [
  "packages/simulate/test/polling/no-alarm.test.ts",
  "packages/simulate/test/mistakes/mistakes.test.ts",
  "packages/simulate/test/against/against.test.ts",
  "test/blind/blind.test.ts",
  "test/properties/fixes.test.ts",
];

/**
 * Of the long suite, what takes minutes of CPU to look at many apps or services as a whole: CI leaves it out, and `npm run test:long` runs
 * it, before a release or where somebody works on it.
 */
export const byHandTests: readonly string[] = [
  "packages/simulate/test/{against,capacity,known,mistakes}/*.test.ts",
  "packages/simulate/test/polling/{long-backlog,mistakes,no-alarm}.test.ts",
  "packages/simulate/test/worlds/propose.test.ts",
  "test/blind/simulated.test.ts",
  "test/crash/*.test.ts",
  "test/{agents,registries}/*.test.ts",
  // It sets up a repository and its history for each case, and matters to a release.
  "test/package/action.test.ts",
  // `.ci/run` runs the mutants themselves.
  "test/mutants/mutants.test.ts",
];

/** Tests with generated cases: `npm test` tries some of them, the long suite all. */
export const manyCases: readonly string[] = [
  "packages/cli/test/{fix,glob/glob}.test.ts",
  "packages/compiler/test/{incremental/recompile,breaking/{harmless,silent},recovery}.test.ts",
  "packages/debug/test/stages.test.ts",
  "packages/host/test/store/pending.test.ts",
  "packages/jq/test/{builtins/dates,compiling,evaluate,format-text,package/streams,progress,properties,reading,regex/native}.test.ts",
  "packages/language-server/test/{structure,typing}.test.ts",
  "packages/runtime/test/setup/random.test.ts",
  "test/properties/documents.test.ts",
];

/** What strangers send: processes that are attacked, and measured as they are: `npm run attack`. */
export const attackTests: readonly string[] = ["test/attack/**/*.test.ts"];
