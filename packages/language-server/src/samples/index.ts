export { SampleFiles, type SampleSources, samplesFolder } from "./sample-files.ts";
