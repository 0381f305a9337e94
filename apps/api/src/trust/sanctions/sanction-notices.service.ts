import { sanctionPath } from '@nearhand/contract/app-paths';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { notifyAll } from '../../talk/notifications/notifications.service.ts';
import { findConcerned, type SanctionRow } from './sanctions.sql.ts';

type NoticeScope = Pick<Scope, 'clock'> & Partial<Pick<Scope, 'config' | 'unmailed'>>;

/** Notifies the person, or those who hire for the business: of the decision with its facts, of its end, or of the appeal's outcome. */
export async function notifyOfSanction(
  tx: Tx,
  scope: NoticeScope,
  row: SanctionRow,
  news: { topic: 'sanction-imposed' | 'sanction-ended' | 'appeal-decided'; what: string; reason: string },
): Promise<void> {
  const to = await findConcerned(tx, row);
  await notifyAll(
    tx,
    scope,
    to.map((accountId) => ({
      accountId,
      topic: news.topic,
      data: {
        what: news.what,
        reason: news.reason,
        mode: row.account_id === null ? 'business' : 'account',
        ...(row.business_name === null ? {} : { businessName: row.business_name }),
        ...(row.job_title === null ? {} : { jobTitle: row.job_title }),
      },
      path: sanctionPath(row.id),
      dedupeKey: `${news.topic}/${row.id}`,
    })),
  );
}
