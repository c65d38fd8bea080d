/** What a fleet keeps besides the store: its workers, and the versions of its apps. */
export const fleetTables = `
  CREATE TABLE configc.workers (
    slot text COLLATE "C" PRIMARY KEY,
    -- Which process has the slot: the last one that took it.
    process uuid NOT NULL,
    seen timestamptz NOT NULL,
    since timestamptz NOT NULL,
    about text NOT NULL
  );
  CREATE TABLE configc.apps (
    version text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    app text NOT NULL,
    published timestamptz NOT NULL DEFAULT now()
  );
  -- Installations for which nothing is begun, and the run that was ended for it.
  CREATE TABLE configc.holds (
    app text COLLATE "C" NOT NULL,
    installation text COLLATE "C" NOT NULL,
    run text,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app, installation)
  );`;
