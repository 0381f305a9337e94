import type { Currency } from '@nearhand/contract/currencies';
import { type JobTemplate, jobTemplates, type TemplateDraft } from '@nearhand/contract/hiring/job-templates';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { flagsOf, plainFacts } from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { minuteIn } from '@nearhand/contract/zoned-time';
import { type RawBuilder, sql } from 'kysely';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { publishJob } from '../jobs/job-lifecycle.ts';
import { findJob } from '../jobs/job-transitions.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { findQuestions } from '../jobs/jobs.sql.ts';
import { createJob, pickFields } from '../jobs/jobs.ts';

/**
 * Lists templates by name. For recruiters; those limited to branches see only templates of their branches.
 */
async function listTemplates(
  db: Db,
  scope: Scope,
  { businessId }: { businessId: string },
): Promise<JobTemplate[]> {
  const limit = await requireBusinessRecruiter(db, scope.actor, businessId);
  const inBranches = limit === null ? sql`true` : sql`template.branch_id = any(${[...limit]}::uuid[])`;
  const rows = await findTemplates(db, sql`template.business_id = ${businessId} and ${inBranches}`);
  return rows.map(templateOf);
}

/** Saves a shift as a template. */
async function saveTemplate(
  tx: Tx,
  scope: Scope,
  { jobId, name, replace }: { jobId: string; name: string; replace: boolean },
): Promise<JobTemplate> {
  await requireJobRecruiter(tx, scope.actor.accountId, jobId);
  const row = await findJob(tx, jobId);
  if (row.kind !== 'shift' || row.payUnit !== 'hour') throw new AppError('job/cannot-repeat');
  const { businessId, branchId } = row;
  const limit = await requireBusinessRecruiter(tx, scope.actor, businessId);
  // Two saves at once can exceed the limit by one.
  const sameName = await findTemplates(
    tx,
    sql`template.business_id = ${businessId} and lower(template.name) = lower(${name})`,
  );
  const [before] = sameName;
  const isOwn = before && (limit === null || limit.includes(before.branchId ?? ''));
  if (before && !(replace && isOwn)) throw new AppError('job-template/name-taken');
  if (!before) await requireRoom(tx, businessId);
  const id = before?.id ?? newId(scope.clock.now());
  const draft = await draftOf(tx, row);
  const hours = [row.startsAt, row.endsAt].map((at) => (at === null ? null : clockText(row.timeZone, at)));
  const [from, to] = hours.includes(null) ? [null, null] : hours;
  const { rows } = await sql<{ businessId: string }>`
    insert into job_templates (id, business_id, branch_id, name, draft, time_zone, from_time, to_time, created_at)
    values (${id}, ${businessId}, ${branchId}, ${name}, ${JSON.stringify(draft)}::jsonb, ${row.timeZone}, ${from}, ${to},
      ${scope.clock.now()})
    on conflict (id) do update set branch_id = excluded.branch_id, name = excluded.name, draft = excluded.draft,
      time_zone = excluded.time_zone, from_time = excluded.from_time, to_time = excluded.to_time
    returning business_id`.execute(tx);
  emitOfBusiness(tx, 'job-template', rows[0]);
  const [saved] = await findTemplates(tx, sql`template.id = ${id}`);
  if (!saved) throw new Error('a template that was just saved is missing');
  return templateOf(saved);
}

/** Deletes a template. For recruiters. */
async function deleteTemplate(
  tx: Tx,
  scope: Scope,
  { templateId }: { templateId: string },
): Promise<{ deleted: true }> {
  const { businessId } = await requireTemplate(tx, scope, templateId);
  await tx.deleteFrom('job_templates').where('id', '=', templateId).execute();
  emitOfBusiness(tx, 'job-template', { businessId });
  return { deleted: true };
}

/** Creates a job from a template and publishes it, with `alsoOn` on other days too, as `publishJob` does. For recruiters. */
async function postTemplate(
  tx: Tx,
  scope: Scope,
  {
    templateId,
    asDraft,
    alsoOn,
    asBlock,
    ...when
  }: {
    templateId: string;
    startsAt: string;
    endsAt: string;
    headCount: number;
    alsoOn?: string[];
    asBlock?: boolean;
    asDraft: boolean;
  },
): Promise<Job> {
  const { businessId, branchId, draft } = await requireTemplate(tx, scope, templateId);
  if (asDraft && alsoOn)
    throw new AppError('request/invalid', { issues: [{ path: 'alsoOn', message: 'not for a draft' }] });
  const job = await createJob(tx, scope, { ...draft, ...when, kind: 'shift', businessId, branchId });
  return asDraft ? job : publishJob(tx, scope, { jobId: job.id, alsoOn, asBlock });
}

async function requireRoom(db: Db, businessId: string): Promise<void> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from job_templates where business_id = ${businessId}`.execute(db);
  const max = hiringLimits.jobTemplatesMax;
  if ((rows[0]?.count ?? 0) >= max) throw new AppError('job-template/too-many', { limit: max });
}

type TemplateRow = {
  id: string;
  businessId: string;
  name: string;
  draft: TemplateDraft;
  timeZone: string;
  fromTime: string | null;
  toTime: string | null;
  branchId: string | null;
  branchName: string | null;
  currency: Currency;
};

/** @throws job-template/not-found, including another branch's; job-template/not-allowed for finance */
async function requireTemplate(db: Db, scope: Scope, templateId: string): Promise<TemplateRow> {
  const [row] = await findTemplates(db, sql`template.id = ${templateId}`);
  const member =
    row &&
    (await db
      .selectFrom('business_members')
      .select(['role', 'branchIds'])
      .where('businessId', '=', row.businessId)
      .where('accountId', '=', scope.actor.accountId)
      .executeTakeFirst());
  if (!member) throw new AppError('job-template/not-found');
  if (!roleMay(member.role, 'jobs')) throw new AppError('job-template/not-allowed');
  if (member.branchIds !== null && !member.branchIds.includes(row.branchId ?? ''))
    throw new AppError('job-template/not-found');
  return row;
}

async function findTemplates(db: Db, condition: RawBuilder<unknown>): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select template.id, template.business_id, template.name, template.draft, template.time_zone, template.from_time,
      template.to_time, branch.id as branch_id, branch.name as branch_name, business.currency
    from job_templates template join businesses business on business.id = template.business_id
    left join branches branch on branch.id = template.branch_id
    where ${condition} order by lower(template.name), template.id limit ${hiringLimits.jobTemplatesMax}`.execute(
    db,
  );
  return rows;
}

const templateOf = (row: TemplateRow): JobTemplate => ({
  id: row.id,
  name: row.name,
  title: row.draft.title,
  category: row.draft.category,
  branch: row.branchId === null ? null : { id: row.branchId, name: row.branchName ?? '' },
  payMinor: row.draft.payMinor ?? null,
  currency: row.currency,
  breakMinutes: row.draft.breakMinutes ?? 0,
  breakPaid: row.draft.breakPaid ?? false,
  instantHire: row.draft.instantHire ?? false,
  headCount: row.draft.headCount ?? 1,
  timeZone: row.timeZone,
  from: row.fromTime,
  to: row.toTime,
});

const clockText = (timeZone: string, at: Date): string => {
  const minute = minuteIn(timeZone, at);
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${digits(Math.floor(minute / 60))}:${digits(minute % 60)}`;
};

/** A job at the address of its branch or business stores no place, and follows when they move. */
async function draftOf(db: Db, row: JobRow): Promise<TemplateDraft> {
  const { rows: homes } = await sql<{ address: string; lat: number; lng: number }>`
    select address, lat, lng from branches where id = ${row.branchId}
    union all select address, lat, lng from businesses where id = ${row.businessId} and ${row.branchId}::uuid is null`.execute(
    db,
  );
  const { address, area, lat, lng, privateAddress, timeZone } = row;
  const isAtHome = homes.some((home) => home.address === address && home.lat === lat && home.lng === lng);
  const { dueOn: _, ...facts } = pickFields(row, plainFacts);
  return {
    title: row.title,
    category: row.category as TemplateDraft['category'],
    ...facts,
    requirements: row.requirements,
    skills: row.skills as NonNullable<TemplateDraft['skills']>,
    ...(isAtHome ? {} : { place: { address, area, lat, lng, privateAddress, timeZone } }),
    ...flagsOf(row),
    questions: (await findQuestions(db, [row.id])).map(({ prompt, kind, choices, required }) => ({
      prompt,
      kind,
      choices: [...choices],
      required,
    })),
  };
}

export const jobTemplatesRoutes = {
  list: read(jobTemplates.list, listTemplates),
  save: write(jobTemplates.save, saveTemplate),
  delete: write(jobTemplates.delete, deleteTemplate),
  post: write(jobTemplates.post, postTemplate),
};
