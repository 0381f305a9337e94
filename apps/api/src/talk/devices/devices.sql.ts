import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { PushTarget } from '../../platform/push/push-port.ts';

const hashOf = (target: string): string => createHash('sha256').update(target).digest('base64url');

export type DeviceRow = Awaited<ReturnType<typeof listDevices>>[number];

const devices = (db: Db) =>
  db
    .selectFrom('notification_devices')
    .select(['id', 'account_id', 'kind', 'target', 'p256dh', 'auth', 'label', 'added_at', 'last_used_at']);

export const listDevices = (db: Db, accountId: string) =>
  devices(db).where('account_id', '=', accountId).orderBy('added_at').orderBy('id').execute();

export const findDevice = (db: Db, id: string) => devices(db).where('id', '=', id).executeTakeFirst();

export const targetOf = (device: DeviceRow): PushTarget =>
  device.kind === 'web'
    ? { kind: 'web', endpoint: device.target, p256dh: device.p256dh ?? '', auth: device.auth ?? '' }
    : { kind: device.kind as 'android' | 'ios', token: device.target };

/** Serializes writers of an account's devices, so that they are counted correctly. */
export async function lockDevices(tx: Tx, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
}

export async function countOtherDevices(db: Db, accountId: string, target: string): Promise<number> {
  const { count } = await db
    .selectFrom('notification_devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('target_hash', '<>', hashOf(target))
    .executeTakeFirstOrThrow();
  return count;
}

export type NewDevice = {
  id: string;
  account_id: string;
  session_id: string;
  kind: string;
  target: string;
  p256dh: string | null;
  auth: string | null;
  label: string;
};

/**
 * Adds or renews a device. One that was another account's gets a new id, so that nothing meant for that account reaches it.
 * @returns its id
 */
export async function upsertDevice(tx: Tx, device: NewDevice, now: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into notification_devices as known
      (id, account_id, session_id, kind, target, target_hash, p256dh, auth, label, added_at, renewed_at)
    values (${device.id}, ${device.account_id}, ${device.session_id}, ${device.kind}, ${device.target}, ${hashOf(device.target)},
      ${device.p256dh}, ${device.auth}, ${device.label}, ${now}, ${now})
    on conflict (target_hash) do update set account_id = excluded.account_id, session_id = excluded.session_id, kind = excluded.kind,
      p256dh = excluded.p256dh, auth = excluded.auth, label = excluded.label, renewed_at = excluded.renewed_at,
      id = case when known.account_id = excluded.account_id then known.id else excluded.id end,
      added_at = case when known.account_id = excluded.account_id then known.added_at else excluded.added_at end,
      last_used_at = case when known.account_id = excluded.account_id then known.last_used_at end
    returning id`.execute(tx);
  return rows[0]?.id ?? device.id;
}

/** @returns whether it was theirs */
export async function deleteDevice(db: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_devices')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function markDeviceUsed(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('notification_devices').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Devices that neither renewed nor accepted a push since. */
export async function deleteSilentDevices(db: Db, before: Date): Promise<void> {
  await sql`delete from notification_devices where greatest(renewed_at, last_used_at) < ${before}`.execute(
    db,
  );
}
