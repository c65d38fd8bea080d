export { reasonOfBadJson } from "./bad-json.ts";
export { samplesFolder, worldFile } from "./folder.ts";
export { fileOnDisk, hashOf, type Input, inputsDigest, type ReadFile } from "./inputs.ts";
export { readApiDocument } from "./read-api-document.ts";
export { readWhole } from "./read-whole.ts";
export { SampleFiles } from "./sample-files.ts";
export { type SampleSources, sampleFilesOf } from "./sources.ts";
