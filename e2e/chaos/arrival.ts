import type { Page } from '@playwright/test';
import { expect } from '../journey.ts';
import { wholeThread } from '../whole-thread.ts';
import * as worker from './worker.ts';
import type { World } from './world.ts';

/** The worker's actions as the server stored them, read without faults. */
export async function recorded({ nadia, place }: World): Promise<{ said: string[]; pressed: string[] }> {
  const { items } = await nadia.api('GET', `/conversations/${place.conversationId}/messages?limit=200`);
  const { attendance } = await nadia.api('GET', `/engagements/${place.engagementId}`);
  return {
    said: (items as { kind: string; body: string }[])
      .filter(({ kind, body }) => kind === 'text' && body.startsWith('chaos'))
      .map(({ body }) => body),
    pressed: (attendance as { kind: string }[]).map(({ kind }) => kind),
  };
}

export const repeated = (all: readonly string[]): string[] =>
  all.filter((item, at) => all.indexOf(item) !== at);

/** Checks that with a good network everything arrives once and in order, and the screens show it. */
export async function arrived(
  world: World,
  page: Page,
  done: worker.Done,
  received: readonly string[],
  log: (line: string) => void,
): Promise<void> {
  const { leila, place } = world;
  const soon = (message: string) => ({ timeout: 90_000, intervals: [500, 1_000], message });
  if (!(await worker.settled(page))) await page.goto('/tabs/menu/my-work');
  await expect.poll(async () => (await recorded(world)).said, soon('messages')).toEqual(done.said);
  await expect
    .poll(async () => (await recorded(world)).pressed, soon('attendance'))
    .toEqual(worker.attendanceOf(done.pressed));
  log('messages and attendance arrived');
  const applications = async () => {
    const { items } = await leila.api('GET', '/applications?limit=100');
    const ids = (items as { job: { id: string } }[]).map(({ job }) => job.id);
    return ids.filter((id) => place.jobs.some((job) => job.id === id)).sort();
  };
  await expect.poll(applications, soon('applications')).toEqual([...done.applied].sort());
  const saved = async () => ((await leila.api('GET', '/me/saved-jobs/ids')) as unknown as string[]).sort();
  const hearts = [...done.hearts].filter(([, on]) => on).map(([id]) => id);
  await expect.poll(saved, soon('saved jobs')).toEqual(hearts.sort());

  log('applications and hearts arrived');
  for (const path of worker.screensToRead(place)) {
    await worker.visit(page, path);
    await expect(
      page
        .getByText(/You're offline|Last updated|Waiting for a connection|Saved on this device/)
        .filter({ visible: true }),
      `${path} on a good network`,
    ).toHaveCount(0, { timeout: 90_000 });
  }
  await worker.visit(page, worker.chat(place));
  const thread = (await wholeThread(page)).filter(({ text }) => text !== '');
  log(`${thread.length} messages on the screen`);
  expect(
    thread.filter(({ mine }) => mine).map(({ text, sent }) => ({ text, sent })),
    'the whole thread',
  ).toEqual(done.said.map((text) => ({ text, sent: true })));
  expect(
    thread.filter(({ mine }) => !mine).map(({ text }) => text),
    'what the business wrote',
  ).toEqual(received);
}
