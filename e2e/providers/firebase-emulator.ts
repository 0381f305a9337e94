import type { APIRequestContext } from '@playwright/test';
import { emulator } from '../people.ts';

const accounts = () =>
  `${emulator}/identitytoolkit.googleapis.com/v1/projects/${process.env.FIREBASE_PROJECT_ID}/accounts`;

async function call(request: APIRequestContext, verb: string, data: object) {
  const answer = await request.post(`${accounts()}:${verb}`, {
    data,
    headers: { authorization: 'Bearer owner' },
  });
  if (!answer.ok()) throw new Error(`${verb} at the emulator: ${await answer.text()}`);
  return (await answer.json()) as { users?: { localId: string }[] };
}

export const atEmulator = {
  async uidOf(request: APIRequestContext, email: string): Promise<string> {
    const { users = [] } = await call(request, 'lookup', { email: [email] });
    return users[0]?.localId ?? '';
  },
  update: (request: APIRequestContext, localId: string, change: object) =>
    call(request, 'update', { localId, ...change }),
  remove: (request: APIRequestContext, localId: string) => call(request, 'delete', { localId }),
};
