import { type Device, devices } from '@nearhand/contract/talk/devices';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { PushTarget } from '../../platform/push/push-port.ts';
import { areSubscriptionKeys, isPushService } from '../../platform/push/push-web.ts';
import { sha256 } from '../../platform/sign.ts';

const deviceOf = (row: DeviceRow): Device => ({
  id: row.id,
  kind: row.kind,
  label: row.label,
  addedAt: row.addedAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

type AddedDevice =
  | { kind: 'web'; endpoint: string; keys: { p256dh: string; auth: string }; label: string }
  | { kind: 'android' | 'ios'; token: string; label: string };

/** Registers or renews a device for push. */
async function addDevice(tx: Tx, scope: Scope, input: AddedDevice): Promise<Device> {
  const { accountId, sessionId } = scope.actor;
  if (!isReachable(scope.config, input)) throw new AppError('notification/device-refused');
  const target = input.kind === 'web' ? new URL(input.endpoint).href : input.token;
  await lockDevices(tx, accountId);
  if ((await countOtherDevices(tx, accountId, target)) >= talkLimits.devicesMax)
    throw new AppError('notification/too-many-devices', { limit: talkLimits.devicesMax });
  const now = scope.clock.now();
  const id = await upsertDevice(
    tx,
    {
      id: newId(now),
      accountId,
      sessionId,
      kind: input.kind,
      target,
      p256dh: input.kind === 'web' ? input.keys.p256dh : null,
      auth: input.kind === 'web' ? input.keys.auth : null,
      label: input.label,
    },
    now,
  );
  return deviceOf((await listDevices(tx, accountId)).find((row) => row.id === id) as DeviceRow);
}

function isReachable(config: Scope['config'], input: AddedDevice): boolean {
  switch (input.kind) {
    case 'web':
      return isPushService(config.PUSH_HOSTS, input.endpoint) && areSubscriptionKeys(input.keys);
    case 'android':
    case 'ios':
      return nativePushOf(config)[input.kind];
  }
}

export const nativePushOf = (config: Scope['config']): { android: boolean; ios: boolean } => ({
  android: config.FCM_SERVICE_ACCOUNT !== undefined,
  ios: config.APNS_PRIVATE_KEY !== undefined,
});

/** Stops push to one of the caller's devices. */
async function removeDevice(tx: Tx, scope: Scope, input: { deviceId: string }) {
  const { accountId } = scope.actor;
  if (!(await deleteDevice(tx, accountId, input.deviceId))) throw new AppError('notification/not-found');
  return { devices: (await listDevices(tx, accountId)).map(deviceOf) };
}

export const devicesOf = async (db: Db, accountId: string): Promise<Device[]> =>
  (await listDevices(db, accountId)).map(deviceOf);

export type PushDevice = {
  id: string;
  kind: string;
  target: PushTarget;
  used(at: Date): Promise<void>;
  remove(): Promise<void>;
};

export async function findPushDevice(db: Db, deviceId: string): Promise<PushDevice | undefined> {
  const row = await findDevice(db, deviceId);
  return (
    row && {
      id: row.id,
      kind: row.kind,
      target: pushTarget(row),
      used: (at) => markDeviceUsed(db, row.id, at),
      remove: async () => {
        await deleteDevice(db, row.accountId, row.id);
      },
    }
  );
}

type DeviceRow = Awaited<ReturnType<typeof listDevices>>[number];

const selectDevices = (db: Db) =>
  db
    .selectFrom('notification_devices')
    .select(['id', 'accountId', 'kind', 'target', 'p256dh', 'auth', 'label', 'addedAt', 'lastUsedAt']);

const listDevices = (db: Db, accountId: string) =>
  selectDevices(db).where('accountId', '=', accountId).orderBy('addedAt').orderBy('id').execute();

const findDevice = (db: Db, id: string) => selectDevices(db).where('id', '=', id).executeTakeFirst();

const pushTarget = (device: DeviceRow): PushTarget =>
  device.kind === 'web'
    ? { kind: 'web', endpoint: device.target, p256dh: device.p256dh ?? '', auth: device.auth ?? '' }
    : { kind: device.kind, token: device.target };

/** Serializes writers of an account's devices, to keep their count right. */
export async function lockDevices(tx: Tx, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
}

async function countOtherDevices(db: Db, accountId: string, target: string): Promise<number> {
  const { count } = await db
    .selectFrom('notification_devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('targetHash', '<>', sha256(target))
    .executeTakeFirstOrThrow();
  return count;
}

type NewDevice = {
  id: string;
  accountId: string;
  sessionId: string;
  kind: string;
  target: string;
  p256dh: string | null;
  auth: string | null;
  label: string;
};

/** A device of another account gets a new id, so that none of its pushes reach the new one. */
async function upsertDevice(tx: Tx, device: NewDevice, now: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into notification_devices as device
      (id, account_id, session_id, kind, target, target_hash, p256dh, auth, label, added_at, renewed_at)
    values (${device.id}, ${device.accountId}, ${device.sessionId}, ${device.kind}, ${device.target}, ${sha256(device.target)},
      ${device.p256dh}, ${device.auth}, ${device.label}, ${now}, ${now})
    on conflict (target_hash) do update set account_id = excluded.account_id, session_id = excluded.session_id, kind = excluded.kind,
      p256dh = excluded.p256dh, auth = excluded.auth, label = excluded.label, renewed_at = excluded.renewed_at,
      id = case when device.account_id = excluded.account_id then device.id else excluded.id end,
      added_at = case when device.account_id = excluded.account_id then device.added_at else excluded.added_at end,
      last_used_at = case when device.account_id = excluded.account_id then device.last_used_at end
    returning id`.execute(tx);
  return rows[0]?.id ?? device.id;
}

async function deleteDevice(db: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('notification_devices')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function markDeviceUsed(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('notification_devices').set({ lastUsedAt: now }).where('id', '=', id).execute();
}

/** Deletes devices that neither renewed nor accepted a push since. */
export async function deleteSilentDevices(db: Db, before: Date): Promise<void> {
  await sql`delete from notification_devices where greatest(renewed_at, last_used_at) < ${before}`.execute(
    db,
  );
}

export const devicesRoutes = {
  add: write(devices.add, addDevice),
  remove: write(devices.remove, removeDevice),
};
