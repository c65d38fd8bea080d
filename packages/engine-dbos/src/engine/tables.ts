/**
 * What waits for the engine (E38). Its own queue is looked through again and again by each worker, so it never holds more than the workers can
 * take soon; all else waits here. Nothing is lost with it: what is due follows from the store alone. So it needn't be logged.
 */
export const backlogTables = `
  CREATE UNLOGGED TABLE configc.backlog (
    queue text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    key text NOT NULL,
    input text NOT NULL,
    share text COLLATE "C" NOT NULL,
    member text COLLATE "C" NOT NULL,
    -- Its place in the line of its share.
    turn timestamptz NOT NULL,
    -- It isn't begun before; NULL: it may be.
    starts timestamptz,
    PRIMARY KEY (queue, id)
  );
  CREATE INDEX backlog_turn ON configc.backlog (queue, share, turn) WHERE starts IS NULL;
  CREATE INDEX backlog_member ON configc.backlog (queue, share, member) WHERE starts IS NULL;
  CREATE INDEX backlog_starts ON configc.backlog (queue, starts) WHERE starts IS NOT NULL;

  -- Jobs that a worker does at once, by queue.
  ALTER TABLE configc.workers ADD COLUMN places jsonb NOT NULL DEFAULT '{}';

  -- Services that don't answer (E39). A row is there from the first trouble that was told until the service answers again.
  CREATE UNLOGGED TABLE configc.circuits (
    app text COLLATE "C" NOT NULL,
    origin text COLLATE "C" NOT NULL,
    -- It is the origin of the app's own API, of all its customers.
    own boolean NOT NULL,
    -- How often in a row it was opened.
    opened int NOT NULL,
    -- Nothing is sent before; from then on one job tries it at a time.
    until timestamptz NOT NULL,
    -- When the last one was let through that tries it.
    probed timestamptz,
    PRIMARY KEY (app, origin)
  );`;

/**
 * What a member has waiting is found by one text, which no other index has: as three columns, two of which begin the index of turns, a planner that
 * knows nothing of the table yet takes that one and walks through all that waits of a share, for each job that is added (E48).
 */
export const memberIndex = `
  DROP INDEX configc.backlog_member;
  CREATE INDEX backlog_member ON configc.backlog ((queue || '/' || share || '/' || member)) WHERE starts IS NULL;`;
