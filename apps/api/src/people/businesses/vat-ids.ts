import { addMs, dayMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { VatIdCheck } from '@nearhand/contract/people/businesses';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ConfigScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { createVies, isInVies, type Vies, viesCountries } from '../../platform/vies.ts';
import { findRole } from './members.sql.ts';

const recheckDays = 30;
/** Older answers don't count (ADR 375). */
const expiryDays = 90;
/** Minutes between tries until VIES answers; the last wait repeats. */
const retryMinutes = [1, 5, 30, 120, 360];
const maxDaily = 1_000;

const checkPayload = z.object({ vatId: z.string(), tries: z.int().default(0) });
export const checkVatIdTask = defineTask({
  name: 'businesses.checkVatId',
  payload: checkPayload,
  queue: 'housekeeping',
  run: checkVatId,
});
const checkKey = (vatId: string): string => `${checkVatIdTask.name}/${vatId}`;

/** Queues the check of a VAT id that VIES knows, in the transaction that stores it. */
export async function checkVatIdSoon(tx: Tx, { config }: ConfigScope, vatId: string): Promise<void> {
  if (config.VIES_URL && isInVies(vatId))
    await enqueue(tx, checkVatIdTask, { vatId, tries: 0 }, { key: checkKey(vatId) });
}

const clients = new WeakMap<Config, Vies>();

function viesOf({ config, clock, log }: TaskScope, url: string): Vies {
  const requesterVatId = config.PLATFORM_COMPANY?.vatId ?? '';
  const vies = clients.get(config) ?? createVies({ url, requesterVatId, clock, log });
  clients.set(config, vies);
  return vies;
}

const findLatest = (db: Db, vatId: string) =>
  db
    .selectFrom('vat_id_checks')
    .selectAll()
    .where('vatId', '=', vatId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The latest unexpired VIES answer, or null. Invoices and the business page use it. */
export async function findCurrentAnswer(db: Db, now: Date, vatId: string) {
  const latest = await findLatest(db, vatId);
  return latest && !isOlder(latest.at, now, expiryDays) ? latest : null;
}

const isOlder = (at: Date, now: Date, days: number): boolean => now.getTime() - at.getTime() >= days * dayMs;

async function findUsers(db: Db, vatId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('businesses')
    .select('id')
    .where('vatId', '=', vatId)
    .where('status', '<>', 'closed')
    .execute();
  return rows.map(({ id }) => id);
}

/** Calls VIES outside any transaction, and retries while it is down. Stops when no business has the id. */
async function checkVatId(scope: TaskScope, { vatId, tries }: z.infer<typeof checkPayload>) {
  const url = scope.config.VIES_URL;
  const latest = await findLatest(scope.db, vatId);
  const isFresh = latest && !isOlder(latest.at, scope.clock.now(), recheckDays);
  if (!url || isFresh || (await findUsers(scope.db, vatId)).length === 0) return;
  const answer = await viesOf(scope, url).check(vatId);
  await scope.db.transaction().execute(async (tx) => {
    const now = scope.clock.now();
    if (answer.state === 'unknown') {
      const minutes = retryMinutes[Math.min(tries, retryMinutes.length - 1)] ?? 0;
      const runAt = addMs(now, minutes * minuteMs);
      return enqueue(tx, checkVatIdTask, { vatId, tries: tries + 1 }, { runAt, key: checkKey(vatId) });
    }
    const { state, consultationNumber, registeredName } = answer;
    const row = {
      id: newId(now),
      vatId,
      valid: state === 'valid',
      consultationNumber,
      registeredName,
      at: now,
    };
    await tx.insertInto('vat_id_checks').values(row).execute();
    for (const businessId of await findUsers(tx, vatId)) emitOfBusiness(tx, 'business', { businessId });
  });
}

/** Queues VAT ids that VIES covers and that have no answer from the last 30 days. */
export async function recheckVatIds(scope: Pick<TaskScope, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = subtractMs(scope.clock.now(), recheckDays * dayMs);
  const rows = await scope.db
    .selectFrom('businesses')
    .select('vatId')
    .distinct()
    .where(sql<string>`left(vat_id, 2)`, 'in', viesCountries)
    .where('status', '<>', 'closed')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('vat_id_checks')
            .select('vat_id_checks.id')
            .whereRef('vat_id_checks.vatId', '=', 'businesses.vatId')
            .where('vat_id_checks.at', '>', before),
        ),
      ),
    )
    .orderBy('vatId')
    .limit(maxDaily)
    .execute();
  await scope.db.transaction().execute(async (tx) => {
    for (const { vatId } of rows) await checkVatIdSoon(tx, scope, vatId);
  });
}

/**
 * Returns the last answer of VIES about a business's VAT id, for its members; null where it is not checked.
 */
export async function viewVatIdCheck(
  db: Db,
  { actor, clock, config }: Scope,
  { businessId }: { businessId: string },
): Promise<VatIdCheck | null> {
  if ((await findRole(db, businessId, actor.accountId)) === null) throw new AppError('business/not-found');
  const { vatId } = await db
    .selectFrom('businesses')
    .select('vatId')
    .where('id', '=', businessId)
    .executeTakeFirstOrThrow();
  if (!config.VIES_URL || !isInVies(vatId)) return null;
  const latest = await findCurrentAnswer(db, clock.now(), vatId);
  if (latest === null)
    return { state: 'unknown', checkedAt: null, registeredName: '', consultationNumber: '' };
  return {
    state: latest.valid ? 'valid' : 'invalid',
    checkedAt: latest.at.toISOString(),
    registeredName: latest.registeredName,
    consultationNumber: latest.consultationNumber,
  };
}
