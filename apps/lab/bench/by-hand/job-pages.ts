import { newId } from '@nearhand/api/src/platform/ids.ts';
import type pg from 'pg';
import { cardColumns, cardOf, type Row } from './cards.ts';

const questions = `coalesce((select jsonb_agg(jsonb_build_object('id', id, 'prompt', prompt, 'kind', kind, 'choices', choices,
  'required', required) order by position) from job_questions where job_id = job.id), '[]') as questions`;

export async function readByHand(pool: pg.Pool, jobId: string, accountId: string): Promise<unknown> {
  const { rows } = await pool.query<Row>({
    name: 'read',
    text: `select ${cardColumns}, job.status, job.version, job.description, job.requirements, job.skills, job.relation, job.cv_required, job.expires_at,
        job.source_url, business.cover_file_id, ${questions},
        array(select file_id::text from job_photos where job_id = job.id order by position) as photos,
        (select jsonb_build_object('id', id, 'status', status, 'workEnding', work_ending) from applications
          where job_id = job.id and worker_id = $2 and status <> 'withdrawn') as mine
      from jobs job join businesses business on business.id = job.business_id where job.id = $1`,
    values: [jobId, accountId],
  });
  const row = rows[0] as Row;
  return {
    ...cardOf(row, null),
    seriesId: null,
    dates: [],
    coverPath: row.cover_file_id && `/api/files/${row.cover_file_id}/content`,
    photoIds: row.photos,
    version: row.version,
    status: row.status,
    description: row.description,
    requirements: row.requirements,
    skills: row.skills,
    breakMinutes: row.break_minutes,
    breakPaid: row.break_paid,
    relation: row.relation,
    cvRequired: row.cv_required,
    questions: row.questions,
    expiresAt: row.expires_at,
    sourceUrl: row.source_url,
    actions: row.mine ? [] : ['apply'],
    myApplication: row.mine,
    member: null,
  };
}

const match = [
  { kind: 'skills', tone: 'neutral', points: 18, of: 35, data: { matched: [], asked: [], years: 0 } },
  { kind: 'distance', tone: 'neutral', points: 10, of: 20, data: {} },
  { kind: 'availability', tone: 'neutral', points: 8, of: 15, data: {} },
  {
    kind: 'reliability',
    tone: 'neutral',
    points: 12,
    of: 15,
    data: { kept: 0, lateCancellations: 0, noShows: 0 },
  },
  { kind: 'history', tone: 'neutral', points: 0, of: 10, data: { times: 0 } },
  { kind: 'rating', tone: 'neutral', points: 4, of: 5, data: { count: 0 } },
];

const instant = (at: string) => `to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Builds the same card as `cardOf`, in SQL. */
const cardJson = `json_build_object('id', id, 'kind', kind, 'title', title, 'category', category,
  'business', json_build_object('id', business_id, 'name', business_name, 'verified', verified,
    'logoPath', '/api/files/' || logo_file_id || '/content',
    'rating', json_build_object('count', rated, 'averageTenths', case when rated >= 3 then round(stars * 10.0 / rated) end)),
  'pay', json_build_object('minor', coalesce(pay_minor, 0), 'maxMinor', pay_max_minor, 'currency', currency, 'unit', pay_unit,
    'paidMinutes', minutes, 'totalMinor', case pay_unit when 'fixed' then pay_minor when 'hour' then (pay_minor * minutes + 30) / 60 end,
    'businessFeeBasisPoints', business_fee_basis_points, 'workerFeeBasisPoints', worker_fee_basis_points),
  'place', json_build_object('label', case when private_address then area when strpos(address, area) > 0 then address else address || ', ' || area end,
    'lat', case when private_address then public_lat else lat end, 'lng', case when private_address then public_lng else lng end,
    'blurred', private_address),
  'distanceM', null, 'startsAt', ${instant('starts_at')}, 'endsAt', ${instant('ends_at')}, 'dueOn', due_on, 'hoursNote', hours_note,
  'timeZone', time_zone, 'spotsLeft', head_count - hired_count, 'headCount', head_count, 'publishedAt', ${instant('published_at')},
  'instantHire', instant_hire, 'funded', funded, 'series', series_id, 'status', status, 'seriesId', series_id, 'questions', questions)`;

/** One statement. It checks nothing, takes no lock and sends no signal. */
const apply = `with read as (
    select ${cardColumns}, job.status, ${questions}, account.name as worker_name, $4::timestamptz as now,
      greatest($4::timestamptz, least($4::timestamptz + interval '14 days', job.starts_at)) as decide_by,
      (extract(epoch from job.ends_at - job.starts_at) / 60)::int - case when job.break_paid then 0 else job.break_minutes end as minutes,
      (select sum(given) from unnest(business.review_stars) given) as rated,
      (select sum(given * star) from unnest(business.review_stars) with ordinality stars (given, star)) as stars
    from jobs job join businesses business on business.id = job.business_id join accounts account on account.id = $3 where job.id = $2
  ), answer as (
    select json_build_object('id', $1::uuid, 'version', 1, 'status', 'submitted', 'origin', 'applied', 'coverNote', $5::text, 'answers', '[]'::json,
      'cv', null, 'submittedAt', ${instant('now')}, 'viewedAt', null, 'decideBy', ${instant('decide_by')},
      'steps', json_build_array(json_build_object('status', 'submitted', 'at', ${instant('now')}, 'reason', null, 'rejectReason', null)),
      'interview', null, 'offer', null, 'engagementId', null, 'workEnding', null, 'waitlist', null, 'actions', '["edit", "withdraw"]'::json, 'job', ${cardJson}) as body
    from read
  ), application as (
    insert into applications (id, job_id, business_id, worker_id, status, cover_note, answers, questions, submitted_at, decide_by,
      updated_at, match_score, match_reasons)
    select $1, id, business_id, $3, 'submitted', $5, '[]', questions, now, decide_by, now, 52, $6 from read
  ), move as (
    insert into application_moves (id, application_id, actor, action, to_status, at) values (uuidv7(), $1, $3, 'submit', 'submitted', $4)
  ), conversation as (
    insert into conversations (id, job_id, worker_id, business_id, last_seq, rev, created_at, last_at)
    select uuidv7(), id, $3, business_id, 1, 1, now, now from read returning id
  ), message as (
    insert into messages (conversation_id, seq, id, rev, line, line_data, line_key, worker_nth, business_nth, at)
    select id, 1, uuidv7(), 1, 'applied', '{}', 'applied/' || $1, 0, 0, $4 from conversation
  ), notice as (
    insert into notifications (id, account_id, topic, data, path, dedupe_key, group_key, asks, asks_until, created_at)
    select uuidv7(), member.account_id, 'application-received', jsonb_build_object('jobTitle', title, 'businessName', business_name,
        'workerName', worker_name, 'decideBy', ${instant('decide_by')}, 'timeZone', time_zone, 'side', 'business'),
      '/job-applicants/' || read.id || '?applicant=' || $1, 'application-received/' || $1, 'application-received:/job-applicants/' || read.id,
      true, decide_by, now
    from read join business_members member on member.business_id = read.business_id and member.role in ('owner', 'manager', 'recruiter')
    returning id, account_id
  ), delivery as (
    insert into notification_deliveries (id, notification_id, account_id, channel, state, reason, due_at, created_at)
    select uuidv7(), notice.id, account_id, 'email', 'queued', 'quiet-hours', date_trunc('day', $4::timestamptz) + quiet_to::interval, $4
    from notice join notification_settings settings using (account_id) returning id, due_at
  ), task as (
    insert into graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, key)
    select task.id, json_build_object('applicationId', $1), least(now + interval '3 days', decide_by), 12, 'applications.clock/' || $1
    from read join graphile_worker._private_tasks task on task.identifier = 'applications.clock'
    union all
    select task.id, json_build_object('deliveryId', delivery.id), due_at, 12, 'notifications.deliver/' || delivery.id
    from delivery join graphile_worker._private_tasks task on task.identifier = 'notifications.deliver'
  ), key as (
    insert into idempotency_keys (account_id, key, operation, request_hash, response, created_at)
    select $3, $7, 'POST /jobs/{jobId}/applications', $8, body, $4 from answer
  )
  select body::text from answer`;

export async function applyByHand(
  pool: pg.Pool,
  application: { jobId: string; accountId: string; key: string; hash: Buffer; coverNote: string },
): Promise<string> {
  const now = new Date();
  const { jobId, accountId, coverNote, key, hash } = application;
  const { rows } = await pool.query<{ body: string }>({
    name: 'apply',
    text: apply,
    values: [newId(now), jobId, accountId, now, coverNote, JSON.stringify(match), key, hash],
  });
  return rows[0]?.body ?? '';
}
