import { minuteMs, subtractMs } from '@nearhand/contract/durations';
import { notifications } from '@nearhand/contract/talk/notifications';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { devicesOf, lockDevices } from '../devices/devices.ts';
import { emailStateOf, readersOf } from '../notification-settings/notification-settings.ts';
import { countSince } from './notifications.sql.ts';
import { listNotifications, markNotificationsRead, notify, openNotification } from './notifications.ts';

const testsPerMinute = 3;

const emailOutcomes = {
  ok: 'queued',
  refused: 'email-refused',
  disabled: 'email-not-verified',
  'not-verified': 'email-not-verified',
} as const;

type TestWay = {
  channel: 'app' | 'push' | 'email';
  deviceId: string | null;
  outcome: 'queued' | 'no-device' | 'email-not-verified' | 'email-refused' | 'not-set-up';
};

/** Sends the caller a test notice by every open channel, ignoring choices and quiet hours. */
async function testNotification(tx: Tx, scope: Scope): Promise<{ ways: TestWay[] }> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  await lockDevices(tx, accountId);
  const since = subtractMs(now, minuteMs);
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
  const hasNativePush = scope.config.FCM_SERVICE_ACCOUNT !== undefined;
  const pushes = (await devicesOf(tx, accountId)).map(
    ({ id, kind }): TestWay => ({
      channel: 'push',
      deviceId: id,
      outcome: kind === 'web' || hasNativePush ? 'queued' : 'not-set-up',
    }),
  );
  return {
    ways: [
      { channel: 'app', deviceId: null, outcome: 'queued' },
      ...(pushes.length > 0 ? pushes : [{ channel: 'push', deviceId: null, outcome: 'no-device' } as const]),
      { channel: 'email', deviceId: null, outcome: emailOutcomes[state] },
    ],
  };
}

export const notificationsRoutes = {
  list: read(notifications.list, listNotifications),
  read: write(notifications.read, markNotificationsRead),
  open: write(notifications.open, openNotification),
  test: write(notifications.test, testNotification),
};
