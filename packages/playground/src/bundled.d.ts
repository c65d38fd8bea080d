/** Made by `scripts/playground-build.mjs`. */
declare module "playground:examples" {
  const examples: readonly import("./examples.ts").Example[];
  export default examples;
}
