import { memoryStore } from "../../src/store/index.ts";
import { storeContract } from "./contract.ts";

storeContract("in memory", async () => memoryStore());
