import type { Currency } from '@nearhand/contract/currencies';
import { chargebackLimits, chargebacks, type OpenChargeback } from '@nearhand/contract/trust/chargebacks';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import { answerChargeback, findAnswers } from '../../money/chargeback-answers/chargeback-answers.ts';
import { printText } from '../../money/downloads/download-files.ts';
import { moneyText, timeText } from '../../money/downloads/print-words.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { readAround } from '../../talk/conversations/message-views.ts';
import { attendanceOf, claimsOf } from '../../work/engagements/engagement-record.ts';

const messagesMax = 60;
const paidMax = 20;

type ChargeRow = {
  id: string;
  businessId: string;
  amountMinor: number;
  currency: Currency;
  purpose: 'hold' | 'top_up' | 'cover' | 'tip';
  description: string;
  createdAt: Date;
  brand: string;
  last4: string;
  payerName: string | null;
  payerEmail: string | null;
  businessName: string;
  legalName: string;
  registrationNumber: string;
  address: string;
  timeZone: string;
  engagementId: string | null;
};

type WorkRow = {
  id: string;
  terms: Terms;
  status: string;
  jobId: string;
  workerId: string;
  workerName: string;
  createdAt: Date;
};

/**
 * Writes the record of a payment that was charged back, in English, which banks read. For operators who hold
 * the case.
 */
async function evidence(
  db: Db,
  scope: Scope,
  { chargeId, withPdf }: { chargeId: string; withPdf: boolean },
): Promise<{ open: OpenChargeback[]; text: string; pdf: string | null }> {
  const charge = await findCharge(db, chargeId);
  if (!charge) throw new AppError('case/not-found');
  const text = await paymentRecord(db, scope, charge);
  const title = `Record of payment ${charge.id}`;
  const pdf = withPdf ? (await printText({ title, at: scope.clock.now(), text })).toString('base64') : null;
  return { open: await findOpen(db, scope, chargeId), text, pdf };
}

async function findOpen(
  db: Db,
  { provider }: Pick<Scope, 'provider'>,
  chargeId: string,
): Promise<OpenChargeback[]> {
  const { disputes } = provider;
  if (!disputes) return [];
  const rows = await db
    .selectFrom('chargebacks')
    .select(['ref', 'amountMinor', 'openedAt'])
    .where('chargeId', '=', chargeId)
    .where('status', '=', 'open')
    .orderBy('openedAt')
    .execute();
  const answers = await findAnswers(db, chargeId);
  const states = await Promise.all(rows.map(({ ref }) => disputes.get(ref))).catch((error: unknown) => {
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  });
  return rows.map(({ ref, amountMinor, openedAt }, index) => {
    const answer = answers.find((candidate) => candidate.ref === ref);
    return {
      ref,
      amountMinor,
      openedAt: openedAt.toISOString(),
      answerBy: states[index]?.answerBy ?? null,
      answer: answer ? { status: answer.status, by: answer.by, at: answer.updatedAt.toISOString() } : null,
    };
  });
}

/** Builds the record: the payment, the work, then both sides' entries and messages. */
async function paymentRecord(db: Db, scope: Scope, charge: ChargeRow): Promise<string> {
  const { timeZone, currency } = charge;
  const when = (at: string | Date) => timeText(at, timeZone, true);
  const payer = charge.payerName ? `${charge.payerName}, ${charge.payerEmail ?? ''}` : 'a former member';
  const parts = [
    '# The payment',
    `${moneyText(charge.amountMinor, currency)} on ${when(charge.createdAt)}, ${charge.brand}${charge.last4 && ` ending in ${charge.last4}`}.`,
    `For: ${charge.description}.`,
    `Paid by the business ${charge.legalName || charge.businessName}${charge.registrationNumber ? `, registration ${charge.registrationNumber}` : ''}, ${charge.address}.`,
    `Ordered in its account by ${payer}. All times are those of ${timeZone}.`,
    '',
    ...(charge.engagementId === null
      ? await paidWork(db, charge)
      : await workRecord(db, scope, charge.engagementId, charge)),
  ];
  return parts.join('\n').slice(0, chargebackLimits.answerMax);
}

async function workRecord(db: Db, scope: Scope, engagementId: string, charge: ChargeRow): Promise<string[]> {
  const work = await findWork(db, engagementId);
  if (!work) return [];
  const { terms } = work;
  const when = (at: string | Date) => timeText(at, charge.timeZone, true);
  const money = (minor: number) => moneyText(minor, terms.currency);
  const [moves, attendance, claims, releases] = await Promise.all([
    findMoves(db, engagementId),
    attendanceOf(db, engagementId, false),
    claimsOf(db, engagementId),
    findReleases(db, engagementId),
  ]);
  const messages = await readAround(db, scope.actor.accountId, {
    jobId: work.jobId,
    workerId: work.workerId,
    from: null,
    until: null,
    limit: messagesMax,
  });
  return [
    '# The work',
    `${terms.title}, done by ${work.workerName} for ${charge.businessName}.`,
    terms.startsAt && terms.endsAt
      ? `Agreed: ${when(terms.startsAt)} to ${when(terms.endsAt)}, ${terms.place.address}, pay ${money(terms.payTotalMinor)}.`
      : `Agreed: a task for ${money(terms.payTotalMinor)}.`,
    `The worker accepted the offer on ${when(work.createdAt)}.`,
    ...moves.map(
      ({ at, side, toStatus }) => `${when(at)}: ${toStatus.replaceAll('_', ' ')}, by the ${side}.`,
    ),
    '',
    '# Check-in and check-out',
    ...attendance.map(
      ({ kind, at, distanceM }) =>
        `${when(at)}: ${kind.replaceAll('_', ' ')}${distanceM === null ? '' : `, ${distanceM} m from the agreed place`}.`,
    ),
    '',
    '# Hours and pay',
    ...claims.map(
      (claim) =>
        `${when(claim.at)}: the ${claim.by} stated ${when(claim.startsAt)} to ${when(claim.endsAt)}, ${claim.breakMinutes} min break, ${money(claim.amountMinor)}.`,
    ),
    ...releases.map(({ at, amountMinor }) => `${when(at)}: ${money(amountMinor)} paid to the worker.`),
    '',
    '# Messages between both sides',
    ...messages
      .filter(({ from, redactedAt }) => from !== null && redactedAt === null)
      .map(({ at, from, body }) => `${when(at)}, ${from?.name} (${from?.side}): ${body}`),
  ];
}

/** A top-up pays for no work itself, so the record lists the work paid from the balance afterwards. */
async function paidWork(db: Db, charge: ChargeRow): Promise<string[]> {
  const { rows } = await sql<{ at: Date; amountMinor: number; title: string; workerName: string }>`
    select release.at, release.amount_minor, engagement.terms ->> 'title' as title, worker.name as worker_name
    from releases release join engagements engagement on engagement.id = release.engagement_id
    join accounts worker on worker.id = engagement.worker_id
    where engagement.business_id = ${charge.businessId} and release.state = 'released'
      and release.reversed_at is null and release.at >= ${charge.createdAt}
    order by release.at limit ${paidMax}`.execute(db);
  return [
    '# What it was used for',
    'The money was added to the balance of the business, which pays work from it.',
    ...rows.map(
      ({ at, amountMinor, title, workerName }) =>
        `${timeText(at, charge.timeZone, true)}: ${moneyText(amountMinor, charge.currency)} to ${workerName} for ${title}.`,
    ),
  ];
}

async function findCharge(db: Db, chargeId: string): Promise<ChargeRow | undefined> {
  const { rows } = await sql<ChargeRow>`
    select charge.id, charge.business_id, charge.amount_minor, charge.currency, charge.purpose, charge.description, charge.created_at,
      card.brand, card.last4, payer.name as payer_name, payer.email as payer_email, business.name as business_name,
      business.legal_name, business.registration_number, business.address, business.time_zone,
      coalesce(hold.engagement_id, tip.engagement_id) as engagement_id
    from charges charge join businesses business on business.id = charge.business_id join cards card on card.id = charge.card_id
    left join accounts payer on payer.id = charge.created_by
    left join holds hold on hold.id = charge.subject_id left join tips tip on tip.id = charge.subject_id
    where charge.id = ${chargeId} and charge.chargeback = 'open'`.execute(db);
  return rows[0];
}

async function findWork(db: Db, engagementId: string): Promise<WorkRow | undefined> {
  const { rows } = await sql<WorkRow>`
    select engagement.id, engagement.terms, engagement.status, engagement.job_id, engagement.worker_id, worker.name as worker_name,
      engagement.created_at
    from engagements engagement join accounts worker on worker.id = engagement.worker_id
    where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}

const findMoves = (db: Db, engagementId: string) =>
  db
    .selectFrom('engagement_moves')
    .select(['at', 'side', 'toStatus'])
    .where('engagementId', '=', engagementId)
    .orderBy('at')
    .orderBy('id')
    .execute();

const findReleases = (db: Db, engagementId: string) =>
  db
    .selectFrom('releases')
    .select(['at', 'amountMinor'])
    .where('engagementId', '=', engagementId)
    .where('state', '=', 'released')
    .where('reversedAt', 'is', null)
    .orderBy('at')
    .execute();

export const chargebacksRoutes = {
  evidence: read(chargebacks.evidence, evidence),
  answer: write(chargebacks.answer, answerChargeback),
};
