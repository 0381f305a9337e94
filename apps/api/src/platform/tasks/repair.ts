import type { TaskScope } from './tasks.ts';

const pageSize = 200;

/** Logs a failure instead of throwing it. */
export async function logFailure(
  scope: Pick<TaskScope, 'log'>,
  label: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    scope.log.error({ err: error }, `reconciliation of ${label} failed`);
  }
}

export async function repairEach<Row>(
  scope: Pick<TaskScope, 'log'>,
  label: string,
  page: (after: string | null, limit: number) => Promise<Row[]>,
  idOf: (row: Row) => string,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const rows: Row[] = await page(after, pageSize);
    for (const row of rows) await logFailure(scope, `${label} ${idOf(row)}`, () => work(row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = idOf(last);
  }
}
