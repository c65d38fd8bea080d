import {
  BranchCoverage,
  FileCoverage,
  Position,
  Range,
  StatementCoverage,
  TestCoverageCount,
  type TestRun,
  type TestRunProfile,
  Uri,
} from "vscode";
import type { Place, Tested, TestedCoverage } from "./run-tests.ts";

/** What of configs ran, as a run of tests shows it. */
export interface CoverageView {
  /** Adds what the cases of a file ran. */
  add(run: TestRun, tested: Tested): void;
}

/** Lets a profile show which commands ran, beside their lines, when a config is opened. */
export function showsCoverage(profile: TestRunProfile): CoverageView {
  const details = new WeakMap<FileCoverage, TestedCoverage>();
  profile.loadDetailedCoverage = async (_, file) => {
    const coverage = details.get(file);
    return coverage === undefined ? [] : statementsOf(coverage);
  };
  return {
    add(run, { config, coverage }) {
      if (coverage === undefined) return;
      const { commands, switchCases, jqBranches } = coverage;
      const branches = new TestCoverageCount(
        switchCases.covered + jqBranches.covered,
        switchCases.total + jqBranches.total,
      );
      const statements = new TestCoverageCount(commands.covered, commands.total);
      const file = new FileCoverage(Uri.file(config), statements, branches);
      details.set(file, coverage);
      run.addCoverage(file);
    },
  };
}

/** A statement for each command, at its key, with the branches of its program that were never taken. */
function statementsOf({ commands, jqBranches }: TestedCoverage): StatementCoverage[] {
  return commands.places.map(({ pointer, ran, range }) => {
    const untaken = jqBranches.missing.filter((branch) => ran && branch.pointer === pointer);
    const branches = untaken.map(
      ({ branch, text, range: place }) =>
        new BranchCoverage(
          false,
          place === undefined ? undefined : toRange(place),
          `${branch} ${text}`.trim(),
        ),
    );
    return new StatementCoverage(ran, toRange(range), branches);
  });
}

function toRange({ start, end }: Place): Range {
  return new Range(position(start), position(end));
}

function position({ line, column }: Place["start"]): Position {
  return new Position(line - 1, column - 1);
}
