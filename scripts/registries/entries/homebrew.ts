import { type Entry, missingAddresses } from "../entry.ts";
import { UNKNOWN_ADDRESS } from "../facts.ts";

const FILE = "Formula/configc.rb";
/** The digest of the tarball is known once it is published. */
const NO_DIGEST = "0".repeat(64);

export const homebrew: Entry = {
  id: "homebrew",
  name: "Homebrew",
  goes: "a tap of our own, homebrew-configc; homebrew-core once enough people use it",
  files: ({ version, description, licence, homepage }) => ({
    [FILE]: `class Configc < Formula
  desc "${description}"
  homepage "${homepage ?? UNKNOWN_ADDRESS}"
  url "https://registry.npmjs.org/configc/-/configc-${version}.tgz"
  sha256 "${NO_DIGEST}"
  license "${licence}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    system bin/"configc", "init", "shop"
    assert_match "Nothing to report", shell_output("#{bin}/configc check shop.app.json 2>&1")
  end
end
`,
  }),
  problems(files, { description }) {
    const text = files[FILE] ?? "";
    const problems: string[] = [];
    if (description.length > 80) problems.push("`desc` may have 80 characters at most");
    if (/^(an?|the) /i.test(description)) problems.push("`desc` may not begin with an article");
    if (/^[a-z]|[.,]$/.test(description))
      problems.push("`desc` begins with a capital and ends without a sign");
    const opened = text.match(/\b(?:class|def)\b|\bdo\b/g)?.length ?? 0;
    const closed = text.match(/^\s*end$/gm)?.length ?? 0;
    if (opened !== closed) problems.push(`${opened} blocks are opened and ${closed} closed`);
    return problems;
  },
  missing: (facts) => [...missingAddresses(facts), "the tarball on npm, and its SHA-256 in `sha256`"],
};
