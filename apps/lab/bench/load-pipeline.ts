import type pg from 'pg';

const applicantCounts = { few: 50, many: 5_000 };
const jobs = {
  few: '30000000-0000-7000-8000-000000000050',
  many: '30000000-0000-7000-8000-000000005000',
};
const owner = {
  accountId: '30000000-0000-7000-8000-00000000000a',
  sessionId: '30000000-0000-7000-8000-00000000000b',
};
const business = '30000000-0000-7000-8000-00000000000c';

/**
 * One business with two jobs, with 50 and 5,000 applicants, otherwise alike: six in ten are new, the rest are spread over the lanes.
 * Loaded if missing.
 */
export async function loadPipeline(client: pg.Client, say: (line: string) => void) {
  // The benchmark of creating applications empties their table.
  const { rowCount } = await client.query('select from applications where business_id = $1', [business]);
  if (rowCount !== applicantCounts.few + applicantCounts.many) {
    say('loading 5,050 applicants');
    await client.query('begin');
    await client.query('delete from applications where business_id = $1', [business]);
    await client.query('delete from jobs where business_id = $1', [business]);
    await client.query('delete from business_members where business_id = $1', [business]);
    await client.query('delete from businesses where id = $1', [business]);
    await client.query(`delete from accounts where email like '%.of.%@example.test' or id = $1`, [
      owner.accountId,
    ]);
    await client.query(
      `insert into accounts (id, name, email, email_verified) values ($1, 'Owner', 'owner.pipeline@example.test', true)`,
      [owner.accountId],
    );
    await client.query(
      `insert into businesses (id, status, name, legal_name, category, address, area, country_code, lat, lng, time_zone, currency, created_at, updated_at)
       values ($1, 'verified', 'Pipeline', 'Pipeline', 'hospitality', 'Main Street 1', 'Old Town', 'NL', 52.37, 4.9, 'Europe/Amsterdam', 'EUR', now(), now())`,
      [business],
    );
    await client.query(
      `insert into business_members (business_id, account_id, role, created_at) values ($1, $2, 'owner', now())`,
      [business, owner.accountId],
    );
    for (const size of ['few', 'many'] as const) await loadJob(client, jobs[size], applicantCounts[size]);
    await client.query('commit');
    await client.query('vacuum analyze');
  }
  await client.query('delete from sessions where id = $1', [owner.sessionId]);
  await client.query(
    `insert into sessions (id, account_id, token_hash, expires_at) values ($1, $2, 'pipeline', now() + interval '1 day')`,
    [owner.sessionId, owner.accountId],
  );
  return { jobs, owner };
}

async function loadJob(client: pg.Client, jobId: string, applicants: number): Promise<void> {
  await client.query(
    `insert into jobs (id, business_id, business_name, kind, status, title, category, description, skills, pay_minor, pay_unit, currency,
       head_count, time_zone, address, area, lat, lng, public_lat, public_lng, merchant_fee_basis_points, worker_fee_basis_points,
       published_at, expires_at, created_at, updated_at)
     values ($1, $2, 'Pipeline', 'task', 'open', 'Barista', 'hospitality', repeat('Make coffee. ', 40), '{barista}', 9000, 'fixed', 'EUR',
       20, 'Europe/Amsterdam', 'Main Street 1', 'Old Town', 52.37, 4.9, 52.37, 4.9, 1000, 0, now(), now() + interval '30 days', now(), now())`,
    [jobId, business],
  );
  const ids = `('4' || lpad($2::text, 7, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  await client.query(
    `insert into accounts (id, name, email, email_verified)
     select ${ids}, 'Applicant ' || n, 'applicant' || n || '.of.' || $2 || '@example.test', true from generate_series(1, $1::int) n`,
    [applicants, applicants],
  );
  await client.query(
    `insert into profiles (account_id, bio, home_label, home_lat, home_lng, skills, languages, availability, updated_at)
     select ${ids}, repeat('I have done this before. ', 8), 'Old Town', 52.37 + (n % 100) * 0.001, 4.9,
       '[{"skill": "barista", "level": "expert", "years": 4}, {"skill": "waiter", "level": "practised", "years": 2}]',
       '[{"code": "nl", "level": "fluent"}]', '[{"day": "sat", "part": "morning"}]', now() from generate_series(1, $1::int) n`,
    [applicants, applicants],
  );
  await client.query(
    `insert into applications (id, job_id, business_id, worker_id, status, cover_note, submitted_at, decide_by, updated_at,
       match_score, match_reasons, distance_m)
     select ${ids}, $3, $4, ${ids},
       (array['submitted', 'submitted', 'submitted', 'submitted', 'viewed', 'viewed', 'shortlisted', 'interviewing', 'rejected', 'withdrawn'])[1 + n % 10],
       repeat('I live around the corner and have done this for years. ', 6), now() - n * interval '1 minute',
       now() + interval '14 days' - n * interval '1 minute', now(), 20 + (n * 37) % 80,
       '[{"kind": "skills", "tone": "good", "points": 38, "of": 40, "data": {"matched": ["barista"], "asked": ["barista"], "years": 4}},
         {"kind": "distance", "tone": "good", "points": 18, "of": 20, "data": {"metres": 3500}},
         {"kind": "availability", "tone": "neutral", "points": 8, "of": 15, "data": {}},
         {"kind": "reliability", "tone": "neutral", "points": 12, "of": 15, "data": {"kept": 0, "lateCancellations": 0, "noShows": 0}},
         {"kind": "history", "tone": "neutral", "points": 0, "of": 10, "data": {"times": 0}}]', (n % 100) * 100
     from generate_series(1, $1::int) n`,
    [applicants, applicants, jobId, business],
  );
  await client.query(
    `insert into application_moves (id, application_id, actor, action, from_status, to_status, at)
     select gen_random_uuid(), id, worker_id::text, 'submit', null, 'submitted', submitted_at from applications where job_id = $1
     union all
     select gen_random_uuid(), id, $2, 'move', 'submitted', status, submitted_at + interval '1 hour' from applications
     where job_id = $1 and status <> 'submitted'`,
    [jobId, owner.accountId],
  );
}
