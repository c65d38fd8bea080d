import { startStdioServer } from "./stdio.ts";

/** Entry of a server process without a command line around it. */
startStdioServer();
