/**
 * What runs did, and files of those that failed (E203, E204): sealed, for a day or so, and gone with the runs. Customers' roles may not read them.
 * Neither is logged for a crash of the server: who asks about a run of before one has its steps.
 */
export const storyTables = `
  CREATE UNLOGGED TABLE configc.stories (
    run text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    installation text COLLATE "C" NOT NULL,
    story text NOT NULL,
    PRIMARY KEY (run, at)
  );
  CREATE INDEX stories_at ON configc.stories (at);
  CREATE INDEX stories_installation ON configc.stories (installation, at);
  CREATE UNLOGGED TABLE configc.saved_runs (
    installation text COLLATE "C" NOT NULL,
    -- Of the command that failed: the newest failure of each is kept.
    node text COLLATE "C" NOT NULL,
    app text COLLATE "C" NOT NULL,
    version text NOT NULL,
    run text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    at timestamptz NOT NULL,
    saved text NOT NULL,
    PRIMARY KEY (installation, node)
  );
  CREATE INDEX saved_runs_at ON configc.saved_runs (at);`;
