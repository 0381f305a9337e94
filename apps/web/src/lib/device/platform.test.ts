import { expect, it } from 'vitest';
import { isInAppBrowser } from './platform.ts';

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

it.each([
  ['Instagram', `${phone} Mobile/22A3354 Instagram 350.0.0.0.66 (iPhone16,2; iOS 18_0)`],
  ['Facebook', `${phone} Mobile/22A3354 [FBAN/FBIOS;FBAV/480.0;FBDV/iPhone16,2]`],
  ['TikTok', `${phone} Mobile/22A3354 musical_ly_36.0 BytedanceWebview/d8a21c6`],
  ['WeChat', `${phone} Mobile/22A3354 MicroMessenger/8.0.50 NetType/WIFI`],
])('detects the browser inside %s', (_name, userAgent) => expect(isInAppBrowser(userAgent)).toBe(true));

it.each([
  ['Safari', `${phone} Version/18.0 Mobile/22A3354 Safari/604.1`],
  ['Chrome', 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36'],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'],
])('treats %s as a browser', (_name, userAgent) => expect(isInAppBrowser(userAgent)).toBe(false));
