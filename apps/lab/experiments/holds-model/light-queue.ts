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
  const { rows } = await pool.query<{ args: string; result: string; names: string[] }>(
    `select pg_get_function_arguments(oid) as args, pg_get_function_result(oid) as result, proargnames as names
     from pg_proc where proname = 'add_job' and pronamespace = 'graphile_worker'::regnamespace`,
  );
  const [addJob] = rows;
  if (!addJob) throw new Error('the queue has no add_job');
  await pool.query(`
    create unlogged table if not exists light_tasks (id bigserial, key text primary key, name text not null, payload json not null, run_at timestamptz not null);
    create or replace function graphile_worker.add_job(${addJob.args}) returns ${addJob.result} language plpgsql as $$
    begin
      if identifier = any ('{${moneyTasks.join(',')}}'::text[]) then
        insert into light_tasks (key, name, payload, run_at) values (coalesce(job_key, gen_random_uuid()::text), identifier, add_job.payload, add_job.run_at)
        on conflict (key) do update set payload = excluded.payload, run_at = excluded.run_at;
      end if;
      return null;
    end $$;
    create or replace function add_timer(named text, given json, due timestamptz, under text, tries integer) returns void language plpgsql as $$
    begin
      perform graphile_worker.add_job(named, payload => given, run_at => due, job_key => under, max_attempts => tries);
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
