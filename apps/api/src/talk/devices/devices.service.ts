import { limits } from '@nearhand/contract/limits';
import type { Device } from '@nearhand/contract/talk/devices';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { PushTarget } from '../../platform/push/push-port.ts';
import { areSubscriptionKeys, isPushService } from '../../platform/push/push-web.ts';
import {
  countOtherDevices,
  type DeviceRow,
  deleteDevice,
  deleteSilentDevices,
  findDevice,
  listDevices,
  lockDevices,
  markDeviceUsed,
  targetOf,
  upsertDevice,
} from './devices.sql.ts';

const deviceOf = (row: DeviceRow): Device => ({
  id: row.id,
  kind: row.kind as Device['kind'],
  label: row.label,
  addedAt: row.added_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
});

type AddedDevice =
  | { kind: 'web'; endpoint: string; keys: { p256dh: string; auth: string }; label: string }
  | { kind: 'android' | 'ios'; token: string; label: string };

/**
 * Registers this browser or app for push, or renews it. It is tied to the caller's session and belongs to one account at a time: signing
 * in on it takes it over.
 * @throws notification/device-refused for an unknown push service, invalid keys, or an app where native push is not set up;
 * notification/too-many-devices
 */
export async function addDevice(tx: Tx, scope: Scope, input: AddedDevice): Promise<Device> {
  const { accountId, sessionId } = scope.actor;
  if (!isReachable(scope.config, input)) throw new AppError('notification/device-refused');
  const target = input.kind === 'web' ? new URL(input.endpoint).href : input.token;
  await lockDevices(tx, accountId);
  if ((await countOtherDevices(tx, accountId, target)) >= limits.devicesMax)
    throw new AppError('notification/too-many-devices', { most: limits.devicesMax });
  const now = scope.clock.now();
  const id = await upsertDevice(
    tx,
    {
      id: newId(now),
      account_id: accountId,
      session_id: sessionId,
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

/** For other slices: which native apps this server can reach. */
export const nativePushOf = (config: Scope['config']): { android: boolean; ios: boolean } => ({
  android: config.FCM_SERVICE_ACCOUNT !== undefined,
  ios: config.APNS_PRIVATE_KEY !== undefined,
});

/**
 * Stops push to one of the caller's devices.
 * @throws notification/not-found for one that is not theirs
 */
export async function removeDevice(tx: Tx, scope: Scope, input: { deviceId: string }) {
  const { accountId } = scope.actor;
  if (!(await deleteDevice(tx, accountId, input.deviceId))) throw new AppError('notification/not-found');
  return { devices: (await listDevices(tx, accountId)).map(deviceOf) };
}

/** For other slices: the devices of an account, oldest first. */
export const devicesOf = async (db: Db, accountId: string): Promise<Device[]> =>
  (await listDevices(db, accountId)).map(deviceOf);

/** For other slices: one writer of an account's devices at a time, to keep their count right. */
export const lockDevicesOf = (tx: Tx, accountId: string): Promise<void> => lockDevices(tx, accountId);

/** A device as a push needs it. */
export type PushDevice = {
  id: string;
  kind: string;
  target: PushTarget;
  used(at: Date): Promise<void>;
  remove(): Promise<void>;
};

/** For deliveries: a device to push to, if it still exists. */
export async function findPushDevice(db: Db, deviceId: string): Promise<PushDevice | undefined> {
  const row = await findDevice(db, deviceId);
  return (
    row && {
      id: row.id,
      kind: row.kind,
      target: targetOf(row),
      used: (at) => markDeviceUsed(db, row.id, at),
      remove: async () => {
        await deleteDevice(db, row.account_id, row.id);
      },
    }
  );
}

/** For the daily cleanup: deletes devices that were not used since. */
export const forgetSilentDevices = (db: Db, before: Date): Promise<void> => deleteSilentDevices(db, before);
