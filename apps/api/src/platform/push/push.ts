import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Sign } from '../sign.ts';
import { createFcmPush } from './push-fcm.ts';
import type { PushPort } from './push-port.ts';
import { createWebPush } from './push-web.ts';

/** Push to every kind of device this server can reach (ADR 0097). */
export function createPush(config: Config, sign: Sign, clock: Clock): PushPort {
  const web = createWebPush(config, sign);
  const native = createFcmPush(config, clock);
  return {
    send: (target, push, pace) => (target.kind === 'web' ? web : native).send(target, push, pace),
  };
}
