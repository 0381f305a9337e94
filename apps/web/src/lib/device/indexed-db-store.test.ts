import { expect, it, vi } from 'vitest';
import { session } from '../session.ts';
import '../api/query.ts';
import { deviceShelf } from './indexed-db-store.ts';

it('drops what can be read when a session ends elsewhere, and keeps what waits to be sent', async () => {
  const user = { id: 'leila', email: 'leila@x.test', emailVerified: true, name: 'Leila' };
  session.start({ user, accessToken: 'token' });
  await deviceShelf.set('chat leila c1', ['read']);
  await deviceShelf.set('chat leila', ['c1']);
  await deviceShelf.set('chat-outbox leila', ['unsent']);
  session.update({ accessToken: 'renewed' });
  expect(await deviceShelf.get('chat leila c1')).toEqual(['read']);
  session.clear();
  await vi.waitFor(async () => expect(await deviceShelf.get('chat leila c1')).toBeUndefined());
  expect(await deviceShelf.get('chat leila')).toBeUndefined();
  expect(await deviceShelf.get('chat-outbox leila')).toEqual(['unsent']);
});
