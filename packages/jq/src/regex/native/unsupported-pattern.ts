/** Why a pattern isn't left to JavaScript's engine. */
export class UnsupportedPattern extends Error {}
