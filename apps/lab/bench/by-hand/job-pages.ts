import { newId } from '@nearhand/api/src/platform/ids.ts';
import { dayMs } from '@nearhand/contract/durations';
import type pg from 'pg';
import { cardColumns, cardOf, type Row } from './cards.ts';

const questions = `coalesce((select jsonb_agg(jsonb_build_object('id', id, 'prompt', prompt, 'kind', kind, 'choices', choices,
  'required', required) order by position) from job_questions where job_id = job.id), '[]') as questions`;

export async function readByHand(pool: pg.Pool, jobId: string, accountId: string): Promise<unknown> {
  const { rows } = await pool.query<Row>({
    name: 'read',
    text: `select ${cardColumns}, job.status, job.version, job.description, job.requirements, job.skills, job.cv_required, job.expires_at,
        job.source_url, business.cover_file_id, ${questions},
        array(select file_id::text from job_photos where job_id = job.id order by position) as photos,
        (select jsonb_build_object('id', id, 'status', status) from applications
          where job_id = job.id and worker_id = $2 and status <> 'withdrawn') as mine
      from jobs job join businesses business on business.id = job.business_id where job.id = $1`,
    values: [jobId, accountId],
  });
  const row = rows[0] as Row;
  return {
    ...cardOf(row, null),
    coverPath: row.cover_file_id && `/api/files/${row.cover_file_id}/content`,
    photoIds: row.photos,
    version: row.version,
    status: row.status,
    description: row.description,
    requirements: row.requirements,
    skills: row.skills,
    breakMinutes: row.break_minutes,
    breakPaid: row.break_paid,
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

/** One statement after one that reads the job. It checks nothing, takes no lock and sends no signal. */
export async function applyByHand(
  pool: pg.Pool,
  given: { jobId: string; accountId: string; key: string; hash: Buffer; coverNote: string },
): Promise<unknown> {
  const { rows } = await pool.query<Row>({
    name: 'job to apply for',
    text: `select ${cardColumns}, job.status, ${questions} from jobs job join businesses business on business.id = job.business_id where job.id = $1`,
    values: [given.jobId],
  });
  const job = rows[0] as Row;
  const now = new Date();
  const latest = now.getTime() + 14 * dayMs;
  const decideBy = new Date(Math.max(now.getTime(), Math.min(latest, job.starts_at?.getTime() ?? latest)));
  const nudge = [3, 7].map((day) => now.getTime() + day * dayMs).find((at) => at < decideBy.getTime());
  const id = newId(now);
  const answer = {
    id,
    version: 1,
    status: 'submitted',
    origin: 'applied',
    coverNote: given.coverNote,
    answers: [],
    cv: null,
    submittedAt: now,
    viewedAt: null,
    decideBy,
    steps: [{ status: 'submitted', at: now, reason: null, rejectReason: null }],
    interview: null,
    offer: null,
    engagementId: null,
    waitlist: null,
    actions: ['edit', 'withdraw'],
    job: { ...cardOf(job, null), status: job.status, questions: job.questions },
  };
  await pool.query({
    name: 'apply',
    text: `with application as (
        insert into applications (id, job_id, business_id, worker_id, status, cover_note, answers, questions, submitted_at, decide_by,
          updated_at, match_score, match_reasons)
        values ($1, $2, $3, $4, 'submitted', $5, '[]', $6, $7, $8, $7, 52, $9)
      ), move as (
        insert into application_moves (id, application_id, actor, action, to_status, at) values ($10, $1, $4, 'submit', 'submitted', $7)
      ), conversation as (
        insert into conversations (id, job_id, worker_id, business_id, last_seq, rev, created_at, last_at)
        values ($11, $2, $4, $3, 1, 1, $7, $7)
      ), message as (
        insert into messages (conversation_id, seq, id, rev, line, line_data, line_key, worker_nth, business_nth, at)
        values ($11, 1, $12, 1, 'applied', '{}', 'applied/' || $1::uuid, 0, 0, $7)
      ), task as (
        insert into graphile_worker._private_jobs (task_id, payload, run_at, max_attempts, key)
        select id, json_build_object('applicationId', $1::uuid), $13, 12, 'applications.clock/' || $1::uuid
        from graphile_worker._private_tasks where identifier = 'applications.clock'
      )
      insert into idempotency_keys (account_id, key, operation, request_hash, response, created_at)
      values ($4, $14, 'POST /jobs/{jobId}/applications', $15, $16, $7)`,
    values: [
      ...[id, given.jobId, job.business_id, given.accountId, given.coverNote, JSON.stringify(job.questions)],
      ...[now, decideBy, JSON.stringify(match), newId(now), newId(now), newId(now)],
      ...[new Date(nudge ?? decideBy), given.key, given.hash, JSON.stringify(answer)],
    ],
  });
  return answer;
}
