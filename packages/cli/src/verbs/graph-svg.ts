/** The picture, in a file of its own: the library that lays it out is as large as all the other verbs' parts. */
export { toSvg } from "@configc/compiler/graph";
