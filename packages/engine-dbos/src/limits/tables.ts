/** Milliseconds in which whoever is given a place while he waits has to take it: if he died, the next one gets it. */
const CLAIM = 5_000;

/**
 * Who may send how many requests, over all workers. A window has as many places as its quota has requests. A place belongs to one
 * request from the time at which that may be sent until a period after it has ended: so there are never more requests in a
 * period than places, wherever it begins.
 *
 * All that is decided for a window is decided by the server's clock, by one at a time: who has its row locked.
 */
export const limitTables = `
  CREATE TABLE configc.limit_windows (
    key text COLLATE "C" PRIMARY KEY,
    places int NOT NULL
  );
  CREATE TABLE configc.limit_places (
    key text COLLATE "C" NOT NULL,
    place int NOT NULL,
    -- The request that has it; nobody, as long as a period after the last one's end hasn't passed and no one waits.
    holder uuid UNIQUE,
    -- When the holder's request may be sent.
    starts timestamptz NOT NULL,
    -- From when on the next may have it: without a holder a period after the end of the last request, else when nothing can be left of it,
    -- should its worker have died.
    free_at timestamptz NOT NULL,
    PRIMARY KEY (key, place)
  ) WITH (fillfactor = 50);
  CREATE INDEX limit_places_free ON configc.limit_places (key, free_at);
  CREATE TABLE configc.limit_waiters (
    turn bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text COLLATE "C" NOT NULL,
    token uuid NOT NULL UNIQUE
  );
  CREATE INDEX limit_waiters_turn ON configc.limit_waiters (key, turn);

  -- Gives a place of a window, now or from a time that is known, to a request. False: of no place it is known when it is free.
  CREATE FUNCTION configc.limit_take(window_key text, most int, request uuid, hold interval) RETURNS boolean
  LANGUAGE plpgsql AS $$
  DECLARE
    found configc.limit_places;
    now_at timestamptz := clock_timestamp();
    used int;
  BEGIN
    SELECT * INTO found FROM configc.limit_places
      WHERE key = window_key AND place < most AND (holder IS NULL OR free_at <= now_at)
      ORDER BY free_at LIMIT 1 FOR UPDATE;
    IF found.key IS NULL OR found.free_at > now_at THEN
      SELECT count(*) INTO used FROM configc.limit_places WHERE key = window_key;
      IF used < most THEN
        INSERT INTO configc.limit_places (key, place, holder, starts, free_at)
          VALUES (window_key, used, request, now_at, now_at + hold);
        RETURN true;
      END IF;
    END IF;
    IF found.key IS NULL THEN RETURN false; END IF;
    UPDATE configc.limit_places
      SET holder = request, starts = greatest(found.free_at, now_at), free_at = greatest(found.free_at, now_at) + hold
      WHERE key = window_key AND place = found.place;
    RETURN true;
  END $$;

  -- Gives places to those who wait, in the order in which they came, and tells them.
  CREATE FUNCTION configc.limit_give(window_key text, most int) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    waiter configc.limit_waiters;
  BEGIN
    LOOP
      SELECT * INTO waiter FROM configc.limit_waiters WHERE key = window_key ORDER BY turn LIMIT 1;
      EXIT WHEN waiter.key IS NULL
        OR NOT configc.limit_take(window_key, most, waiter.token, interval '${CLAIM} ms');
      DELETE FROM configc.limit_waiters WHERE turn = waiter.turn;
      PERFORM pg_notify('configc', 'limit ' || waiter.token);
    END LOOP;
  END $$;

  -- Asks for a place, or how a question stands that was asked before. Gives the milliseconds until the request may be sent; NULL: it has to wait
  -- until it is told. A place that it is given is kept for it for that long after this time.
  CREATE FUNCTION configc.limit_acquire(window_key text, quota int, request uuid, hold_ms float8) RETURNS float8
  LANGUAGE plpgsql AS $$
  DECLARE
    most int;
    hold interval := hold_ms * interval '1 ms';
    at timestamptz;
  BEGIN
    SELECT places INTO most FROM configc.limit_windows WHERE key = window_key FOR UPDATE;
    IF most IS NULL THEN
      INSERT INTO configc.limit_windows (key, places) VALUES (window_key, quota) ON CONFLICT DO NOTHING;
      SELECT places INTO most FROM configc.limit_windows WHERE key = window_key FOR UPDATE;
    END IF;
    IF most <> quota THEN
      UPDATE configc.limit_windows SET places = quota WHERE key = window_key;
    END IF;
    PERFORM configc.limit_give(window_key, quota);
    UPDATE configc.limit_places SET free_at = starts + hold
      WHERE holder = request AND free_at > clock_timestamp() RETURNING starts INTO at;
    IF at IS NULL
      AND NOT EXISTS (SELECT FROM configc.limit_waiters WHERE key = window_key)
      AND configc.limit_take(window_key, quota, request, hold)
    THEN
      SELECT starts INTO at FROM configc.limit_places WHERE holder = request;
    END IF;
    IF at IS NULL THEN
      INSERT INTO configc.limit_waiters (key, token) VALUES (window_key, request) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END IF;
    RETURN greatest(0, extract(epoch FROM at - clock_timestamp()) * 1000);
  END $$;

  -- Says that a request has ended, or was never sent.
  CREATE FUNCTION configc.limit_release(window_key text, request uuid, period_ms float8, was_sent boolean) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    most int;
  BEGIN
    -- If it is lost, the place is free later.
    PERFORM set_config('synchronous_commit', 'off', true);
    SELECT places INTO most FROM configc.limit_windows WHERE key = window_key FOR UPDATE;
    DELETE FROM configc.limit_waiters WHERE token = request;
    UPDATE configc.limit_places SET holder = NULL,
      free_at = CASE WHEN was_sent THEN clock_timestamp() + period_ms * interval '1 ms' ELSE starts END
      WHERE holder = request;
    PERFORM configc.limit_give(window_key, most);
  END $$;

  -- Forgets windows that nobody has used for a day, with those who wait there and must have died.
  CREATE FUNCTION configc.limit_clean() RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    idle text;
  BEGIN
    FOR idle IN SELECT key FROM configc.limit_windows FOR UPDATE SKIP LOCKED LOOP
      -- A statement of its own: it sees what was done before the row was locked.
      CONTINUE WHEN EXISTS (
        SELECT FROM configc.limit_places WHERE key = idle AND free_at > clock_timestamp() - interval '1 day'
      );
      DELETE FROM configc.limit_waiters WHERE key = idle;
      DELETE FROM configc.limit_places WHERE key = idle;
      DELETE FROM configc.limit_windows WHERE key = idle;
    END LOOP;
  END $$;`;

/**
 * If the server's clock was set back, places would be taken until it comes to where it was. So who asks first brings what lies further in the future
 * than anything can: a place without a holder is free a period after an end that has passed, and `hold` is longer than a period; one
 * that is given away is so for `hold` from when it was free.
 */
export const settledLimits = `
  ALTER FUNCTION configc.limit_acquire(text, int, uuid, float8) RENAME TO limit_ask;
  CREATE FUNCTION configc.limit_acquire(window_key text, quota int, request uuid, hold_ms float8) RETURNS float8
  LANGUAGE plpgsql AS $$
  DECLARE
    now_at timestamptz := clock_timestamp();
    hold interval := hold_ms * interval '1 ms';
  BEGIN
    PERFORM FROM configc.limit_windows WHERE key = window_key FOR UPDATE;
    UPDATE configc.limit_places
      SET starts = least(starts, now_at + hold), free_at = now_at + CASE WHEN holder IS NULL THEN hold ELSE 2 * hold END
      WHERE key = window_key AND free_at > now_at + CASE WHEN holder IS NULL THEN hold ELSE 2 * hold END;
    RETURN configc.limit_ask(window_key, quota, request, hold_ms);
  END $$;
`;
