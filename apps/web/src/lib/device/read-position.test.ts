import { positionHeader } from '@nearhand/contract/read-position';
import { beforeEach, expect, it, vi } from 'vitest';

const device = vi.hoisted(() => ({ native: false }));
vi.mock('./platform.ts', () => ({ isNative: () => device.native }));

beforeEach(() => vi.resetModules());

it('sends the position of the last write from an app, and leaves it to the cookie in a browser', async () => {
  const { storePosition, positionToSend } = await import('../api/client/api-link.ts');
  device.native = true;
  expect(positionToSend()).toEqual({});
  storePosition(new Response(null, { headers: { [positionHeader]: 'a1' } }));
  storePosition(new Response(null));
  expect(positionToSend()).toEqual({ [positionHeader]: 'a1' });
  device.native = false;
  expect(positionToSend()).toEqual({});
});
