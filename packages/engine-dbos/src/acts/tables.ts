/** What operators did (E146): a row for each act, kept for good. Customers' roles may not read it. */
export const actTables = `
  CREATE TABLE configc.acts (
    -- The id of the request: who sends it twice has it done once.
    request text COLLATE "C" PRIMARY KEY,
    position bigint GENERATED ALWAYS AS IDENTITY,
    act text NOT NULL,
    -- Whom it is about, as it was asked: app, customer, installation, fingerprint, item.
    target json NOT NULL,
    by_whom text NOT NULL,
    why text NOT NULL,
    begun timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- NULL while it is under way, and of one whose process died: the same request goes on with it.
    ended timestamptz,
    result json
  );
  CREATE INDEX acts_position ON configc.acts (position);`;
