import type { World } from './records.ts';

export class DivergenceError extends Error {}

export const viewOfJobs = ({ jobs }: World) =>
  jobs.map((job) => [job.id, job.status, job.version, job.headCount, job.hired, job.offered, job.expiresAt]);

export const viewOfApplications = ({ applications }: World) =>
  applications.map(({ id, status, version, decideBy, waitingSince, interviews, offer, work }) => {
    const dispute = work?.dispute;
    return [
      id,
      status,
      version,
      decideBy,
      waitingSince,
      interviews.map((interview) => [
        interview.status,
        interview.version,
        interview.startsAt,
        interview.answerBy,
        interview.reschedules,
        interview.rescheduleBy,
        interview.noShowAt,
        interview.contested,
        interview.slots,
      ]),
      offer && [offer.status, offer.version, offer.source, offer.expiresAt, offer.terms.payTotalMinor],
      work && [
        work.status,
        work.version,
        work.amountMinor,
        work.checkedInAt,
        work.checkedOutAt,
        work.breakSince,
        work.nextAt,
        work.late,
        work.compensationMinor,
        work.noShowAt,
        work.releases.map(({ kind, amountMinor, state }) => [kind, amountMinor, state]),
        work.heldMinor,
        work.claims.map(({ by, amountMinor }) => [by, amountMinor]),
      ],
      dispute
        ? [
            dispute.status,
            dispute.version,
            dispute.filedBy,
            dispute.worker,
            dispute.business,
            dispute.proposal?.by ?? null,
            dispute.proposal?.amountMinor ?? null,
            dispute.dueAt,
            dispute.stopAt,
            dispute.settledMinor,
          ]
        : null,
    ];
  });

/** @throws DivergenceError with the first difference */
export function same(label: string, model: unknown, server: unknown): void {
  if (JSON.stringify(model) === JSON.stringify(server)) return;
  const [left, right] = [model, server] as [unknown[], unknown[]];
  const at = left.findIndex((value, index) => JSON.stringify(value) !== JSON.stringify(right[index]));
  throw new DivergenceError(
    `${label} (${at}):\n  model  ${JSON.stringify(left[at] ?? left)}\n  server ${JSON.stringify(right[at] ?? right)}`,
  );
}
