import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { Device } from '@nearhand/contract/notifications';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { areSubscriptionKeys, isPushService } from '../../platform/push-web.ts';
import {
  countOtherDevices,
  type DeviceRow,
  deleteDevice,
  listDevices,
  lockDevices,
  upsertDevice,
} from './devices.sql.ts';
import { notify } from './notifications.service.ts';
import { countSince } from './notifications.sql.ts';
import { emailStateOf, readersOf } from './readers.service.ts';

export const deviceOf = (row: DeviceRow): Device => ({
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
 * From now on pushes to this browser or app as well; again for the same one renews it. It hangs on the caller's session and goes with it, and it is one account's at a
 * time: whoever signs in on it takes it over.
 * @throws notification/device-refused for an address that is no push service's, keys that are none, or an app where native push is not set up;
 *   notification/too-many-devices
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

const isReachable = (config: Scope['config'], input: AddedDevice): boolean =>
  input.kind === 'web'
    ? isPushService(config.PUSH_HOSTS, input.endpoint) && areSubscriptionKeys(input.keys)
    : config.FCM_SERVICE_ACCOUNT !== undefined;

/**
 * No more push to one of the caller's devices.
 * @throws notification/not-found for one that is not theirs
 */
export async function removeDevice(tx: Tx, scope: Scope, input: { deviceId: string }) {
  const { accountId } = scope.actor;
  if (!(await deleteDevice(tx, accountId, input.deviceId))) throw new AppError('notification/not-found');
  return { devices: (await listDevices(tx, accountId)).map(deviceOf) };
}

const testsPerMinute = 3;

type TestWay = {
  channel: 'app' | 'push' | 'email';
  deviceId: string | null;
  outcome: 'queued' | 'no-device' | 'email-not-verified' | 'email-refused' | 'not-set-up';
};

/**
 * Sends the caller a notice by every way that is open, whatever they chose and also in quiet hours, and says of each what becomes of it.
 * @throws request/too-many after a few within a minute
 */
export async function testNotification(tx: Tx, scope: Scope): Promise<{ ways: TestWay[] }> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  await lockDevices(tx, accountId);
  const since = new Date(now.getTime() - minuteMs);
  if ((await countSince(tx, accountId, 'test-notice', since)) >= testsPerMinute)
    throw new AppError('request/too-many', { retryAfterSeconds: 60 });
  await notify(tx, scope, {
    accountId,
    topic: 'test-notice',
    data: {},
    path: '/notification-settings',
    dedupeKey: `test-notice/${newId(now)}`,
  });
  const reader = (await readersOf(tx, [accountId], [], now)).get(accountId);
  const state = reader ? emailStateOf(reader) : 'disabled';
  const native = scope.config.FCM_SERVICE_ACCOUNT !== undefined;
  const pushes = (await listDevices(tx, accountId)).map(
    ({ id, kind }): TestWay => ({
      channel: 'push',
      deviceId: id,
      outcome: kind === 'web' || native ? 'queued' : 'not-set-up',
    }),
  );
  return {
    ways: [
      { channel: 'app', deviceId: null, outcome: 'queued' },
      ...(pushes.length > 0 ? pushes : [{ channel: 'push', deviceId: null, outcome: 'no-device' } as const]),
      {
        channel: 'email',
        deviceId: null,
        outcome: state === 'ok' ? 'queued' : state === 'refused' ? 'email-refused' : 'email-not-verified',
      },
    ],
  };
}
