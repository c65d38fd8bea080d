/**
 * What went wrong, beside the row that says so (E145): a row of the store is a text, and to look into 100,000 texts takes seconds. Postgres notes it itself
 * when a row is written, by whatever version of a worker. A row that tells of no failure costs the search for one word.
 *
 * - `trouble`: `{kind, message, pointer, status, version, at, tries, last, received, settled}`, times in milliseconds since 1970
 * - `failing_since`: when the first of the failures in a row happened
 * - `fingerprint`: the same for what failed in the same way at the same place of a config
 */
const tables = [
  { table: "installations", word: '"failure":{' },
  { table: "connections", word: '"broken":"' },
  { table: "polling", word: '"failure":{' },
  { table: "deliveries", word: '"failure":{' },
] as const;

const columns = tables
  .map(
    ({ table, word }) => `
  ALTER TABLE configc.${table} ADD COLUMN trouble json, ADD COLUMN failing_since timestamptz, ADD COLUMN fingerprint text COLLATE "C";
  CREATE TRIGGER note_added_trouble BEFORE INSERT ON configc.${table} FOR EACH ROW
    WHEN (strpos(NEW.row, '${word}') > 0) EXECUTE FUNCTION configc.note_trouble();
  CREATE TRIGGER note_changed_trouble BEFORE UPDATE OF row ON configc.${table} FOR EACH ROW
    WHEN (NEW.trouble IS NOT NULL OR strpos(NEW.row, '${word}') > 0) EXECUTE FUNCTION configc.note_trouble();
  UPDATE configc.${table} SET row = row WHERE strpos(row, '${word}') > 0;`,
  )
  .join("\n");

/** A row that is too deep for Postgres, or has what its texts can't hold, is told of without its details. */
const note = `
  CREATE FUNCTION configc.note_trouble() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    kept json;
    failure json;
    since timestamptz;
  BEGIN
    NEW.trouble := NULL;
    NEW.failing_since := NULL;
    NEW.fingerprint := NULL;
    BEGIN
      kept := NEW.row::json;
      IF TG_TABLE_NAME = 'connections' THEN
        IF kept ->> 'broken' IS NULL THEN RETURN NEW; END IF;
        failure := json_build_object('kind', 'AuthError', 'message', kept ->> 'broken',
          'pointer', '/auth/' || replace(replace(kept ->> 'auth', '~', '~0'), '/', '~1'));
      ELSE
        failure := kept -> 'failure';
        IF failure IS NULL OR json_typeof(failure) <> 'object' THEN RETURN NEW; END IF;
      END IF;
      NEW.trouble := json_build_object(
        'kind', failure ->> 'kind', 'message', left(failure ->> 'message', 1000), 'pointer', failure ->> 'pointer',
        'status', (failure ->> 'status')::int, 'version', failure ->> 'version', 'at', (failure ->> 'at')::float8::bigint,
        'tries', coalesce(kept ->> 'failures', kept ->> 'attempts')::int, 'last', (kept ->> 'endedAt')::float8::bigint,
        'received', (kept ->> 'receivedAt')::float8::bigint, 'settled', (kept ->> 'settledAt')::float8::bigint);
      since := to_timestamp((kept ->> 'failingSince')::float8 / 1000);
    EXCEPTION WHEN OTHERS THEN
      NEW.trouble := json_build_object('kind', 'Error', 'message', 'Postgres can''t look into this row.', 'pointer', '');
    END;
    -- Workers of before don't say since when.
    IF since IS NULL AND TG_OP = 'UPDATE' THEN since := OLD.failing_since; END IF;
    NEW.failing_since := coalesce(since, to_timestamp((NEW.trouble ->> 'at')::float8 / 1000), clock_timestamp());
    NEW.fingerprint := left(md5(concat_ws(' ', NEW.trouble ->> 'kind', NEW.trouble ->> 'status', NEW.trouble ->> 'pointer')), 12);
    RETURN NEW;
  END $$;`;

/** Each holds what fails, and nothing else: without failures they are empty. */
const partial = `
  CREATE INDEX polling_failing ON configc.polling (failing_since, by_installation) WHERE trouble IS NOT NULL;
  CREATE INDEX polling_fingerprint ON configc.polling (fingerprint, failing_since) WHERE trouble IS NOT NULL;
  CREATE INDEX installations_failing ON configc.installations (failing_since, id) WHERE trouble IS NOT NULL;
  CREATE INDEX connections_failing ON configc.connections (failing_since, id) WHERE trouble IS NOT NULL;
  CREATE INDEX deliveries_failing ON configc.deliveries (failing_since, by_installation) WHERE trouble IS NOT NULL AND by_status = 'waiting';
  CREATE INDEX deliveries_failing_first ON configc.deliveries (by_installation, position) WHERE trouble IS NOT NULL AND by_status = 'waiting';
  CREATE INDEX deliveries_failed ON configc.deliveries (position) WHERE by_status = 'failed';
  CREATE INDEX deliveries_failed_fingerprint ON configc.deliveries (fingerprint, position) WHERE by_status = 'failed';
  CREATE INDEX deliveries_failed_customer ON configc.deliveries (tenant, position) WHERE by_status = 'failed';
  CREATE INDEX installations_customer ON configc.installations (tenant, position) WHERE tenant IS NOT NULL;`;

export const troubleTables = `${note}\n${columns}\n${partial}`;
