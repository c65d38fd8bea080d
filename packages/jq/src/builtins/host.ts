import type { BuiltinTable } from "./builtin.ts";

/** What reads or affects the process around the program (decision D23). */
export const hostBuiltins: BuiltinTable = {
  input: "Reads the next input.",
  inputs: "Reads all further inputs.",
  debug: "Writes the input to the log and passes it on.",
  "debug(message)": "Writes the message to the log and passes the input on.",
  stderr: "Writes the input to the error output and passes it on.",
  input_filename: "The name of the file that is being read.",
  env: "The environment variables as an object.",
  halt: "Ends the program.",
  halt_error: "Ends the program with an error.",
  "halt_error($status)": "Ends the program with an error and an exit status.",
  get_search_list: "The folders in which modules are looked for.",
  get_jq_origin: "The folder of the jq program.",
  get_prog_origin: "The folder of the program's file.",
};
