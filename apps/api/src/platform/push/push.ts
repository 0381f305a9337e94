import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Sign } from '../sign.ts';
import { createApnsPush } from './push-apns.ts';
import { createFcmPush } from './push-fcm.ts';
import type { PushPort } from './push-port.ts';
import { createWebPush } from './push-web.ts';

/** Push to every kind of device this server can reach (ADR 97). */
export function createPush(config: Config, sign: Sign, clock: Clock): PushPort {
  const web = createWebPush(config, sign);
  const android = createFcmPush(config, clock);
  // Without its own settings iOS gets nothing: its tokens are Apple's, which Firebase does not know.
  const ios = createApnsPush(config, clock);
  const ways = { web, android, ios: ios ?? { send: async () => ({ outcome: 'not-set-up' }) as const } };
  return { send: (target, push, pace) => ways[target.kind].send(target, push, pace) };
}
