import type pg from 'pg';

const onUpdate = (name: string, table: string, body: string) => async (pool: pg.Pool) => {
  await pool.query(
    `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return new; end $$`,
  );
  await pool.query(
    `create trigger ${name} before update on ${table} for each row execute function ${name}()`,
  );
};

/** Defects of the database, one at a time; the model must notice each. */
export const databaseBreaks: Record<string, (pool: pg.Pool) => Promise<void>> = {
  'counts-hidden': onUpdate(
    'break_count',
    'reviews',
    `if old.state = 'open' and new.state = 'submitted' and new.author_side = 'worker' then
      update businesses set review_stars[new.stars] = review_stars[new.stars] + 1 where id = new.business_id; end if;`,
  ),
  'keeps-counting': onUpdate(
    'break_removal',
    'profiles',
    `if (select sum(one) from unnest(new.review_stars) one) < (select sum(one) from unnest(old.review_stars) one)
      then new.review_stars := old.review_stars; end if;`,
  ),
  'keeps-names': onUpdate(
    'break_forgetting',
    'reviews',
    `if new.version = old.version then new.body := old.body; end if;`,
  ),
  'loses-edits': onUpdate(
    'break_edit',
    'reviews',
    `if old.state = 'submitted' and new.state = 'submitted' then new.stars := old.stars; end if;`,
  ),
};
