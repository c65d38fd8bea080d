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

/**
 * An app or a customer that is held as a whole: installations that are made meanwhile are held from their first moment, by whoever makes them, so Postgres
 * itself does it (E176).
 */
export const standingHolds = `
  CREATE TABLE configc.standing_holds (
    -- NULL: of all apps, or of all customers; never both.
    app text COLLATE "C",
    customer text COLLATE "C",
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK (app IS NOT NULL OR customer IS NOT NULL)
  );
  CREATE UNIQUE INDEX standing_holds_of ON configc.standing_holds (coalesce(app, ''), coalesce(customer, ''));
  CREATE FUNCTION configc.hold_new() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
  BEGIN
    INSERT INTO configc.holds (app, installation) SELECT NEW.by_app, NEW.id
      WHERE EXISTS (SELECT FROM configc.standing_holds s
        WHERE (s.app IS NULL OR s.app = NEW.by_app) AND (s.customer IS NULL OR s.customer = NEW.tenant))
      ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$;
  CREATE TRIGGER hold_new AFTER INSERT ON configc.installations FOR EACH ROW EXECUTE FUNCTION configc.hold_new();`;
