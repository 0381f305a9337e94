import type pg from 'pg';

/** Mail, documents, ranking and reminders are dropped. */
const moneyTasks = [
  'payments.charge',
  'payments.cancel-charge',
  'payments.refund',
  'payouts.clear',
  'payouts.send',
  'holds.checkout',
  'holds.no-show-end',
  'offers.expire',
];

export type QueuedTask = { id: number; name: string; payload: unknown };

/** A small table replaces the queue, which half a million commands would fill. */
export async function shrinkQueue(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create unlogged table if not exists light_tasks (id bigserial, key text primary key, name text not null, payload json not null, run_at timestamptz not null);
    create or replace function add_task(named text, given json, due timestamptz, under text, tries integer) returns void language plpgsql as $$
    begin
      if named = any ('{${moneyTasks.join(',')}}'::text[]) then
        insert into light_tasks (key, name, payload, run_at) values (coalesce(under, gen_random_uuid()::text), named, given, due)
        on conflict (key) do update set payload = excluded.payload, run_at = excluded.run_at;
      end if;
    end $$;
    create or replace function graphile_worker.remove_job(job_key text) returns graphile_worker._private_jobs language plpgsql as $$
    begin
      delete from light_tasks where key = job_key;
      return null;
    end $$`);
}

export async function takeDue(pool: pg.Pool, now: Date): Promise<({ key: string } & QueuedTask) | null> {
  const { rows } = await pool.query<{ key: string } & QueuedTask>({
    name: 'light-take',
    text: `delete from light_tasks where key = (select key from light_tasks where run_at <= $1 order by run_at, id limit 1) returning *`,
    values: [now],
  });
  return rows[0] ?? null;
}
