import { expect, it, vi } from 'vitest';
import { session } from '../session.ts';
import '../api/query.ts';
import { deviceStore } from './indexed-db-store.ts';

it('deletes readable data when a session ends elsewhere, and keeps what is queued', async () => {
  const user = { id: 'leila', email: 'leila@x.test', emailVerified: true, name: 'Leila' };
  session.start({ user, accessToken: 'token' });
  await deviceStore.set('chat leila c1', ['read']);
  await deviceStore.set('chat leila', ['c1']);
  await deviceStore.set('chat-outbox leila', ['unsent']);
  session.update({ accessToken: 'renewed' });
  expect(await deviceStore.get('chat leila c1')).toEqual(['read']);
  session.clear();
  await vi.waitFor(async () => expect(await deviceStore.get('chat leila c1')).toBeUndefined());
  expect(await deviceStore.get('chat leila')).toBeUndefined();
  expect(await deviceStore.get('chat-outbox leila')).toEqual(['unsent']);
});
