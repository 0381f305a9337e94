import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { applyForJob, openShift, type Person } from './hiring.ts';
import { expect } from './journey.ts';
import type { Parts } from './moved-time.ts';

export const photo = readFileSync(path.join(import.meta.dirname, '../apps/web/public/favicon-192.png'));

/** Opens a page and waits for signals. Screens then poll once a minute at most (ADR 89). */
export async function openLive(page: Page, address: string): Promise<void> {
  const received = new Promise<void>((resolve) => {
    page.on('websocket', (socket) => {
      if (!socket.url().includes('/api/realtime')) return;
      socket.on('framereceived', ({ payload }) => {
        if (payload.toString().startsWith('40')) resolve();
      });
    });
  });
  await page.goto(address);
  await received;
}

export function conversationOn(page: Page) {
  const foot = page.locator('form.chat-foot').filter({ visible: true });
  const log = page.getByRole('log', { name: 'Messages' }).filter({ visible: true });
  const line = (text: string | RegExp) => log.locator('.chat-line').filter({ hasText: text });
  const write = (text: string) => foot.getByRole('textbox').fill(text);
  const send = () => foot.getByRole('button', { name: 'Send', exact: true }).click();
  return {
    foot,
    log,
    line,
    write,
    send,
    async say(text: string) {
      await write(text);
      await send();
    },
    /** Opened by key, since a message's button is only visible on hover or focus. */
    async menuOf(text: string | RegExp) {
      await line(text)
        .getByRole('button', { name: /^Actions for/ })
        .press('Enter');
      const menu = page.getByRole('dialog').filter({ visible: true });
      await expect(menu).toBeVisible();
      return menu;
    },
  };
}

export const badges = (page: Page) => page.locator('.tab-nav .n, .side-nav .n.hot').filter({ visible: true });

export const accountId = async (person: Person): Promise<string> =>
  (await person.api('GET', '/accounts/me')).id;

export async function openConversation(parts: Parts) {
  const opened = await openShift(parts, { title: 'Evening bar', daysAhead: 5, moneyMinor: 0 });
  await applyForJob(opened.leila, opened.shift.id);
  const { id } = await opened.nadia.api('POST', '/conversations', {
    jobId: opened.shift.id,
    workerId: await accountId(opened.leila),
  });
  return { ...opened, id: id as string };
}

/** Unread notices in the inbox, including messages, which the badge leaves to conversations. */
export const unreadOf = async (person: Person) => {
  const { items } = await person.api('GET', '/notifications?limit=100');
  return (items as { readAt: string | null }[]).filter(({ readAt }) => readAt === null).length;
};

export async function mailTo(person: Person): Promise<string[]> {
  const page = await person.context.request.get(`/dev/mailbox?to=${encodeURIComponent(person.email)}`);
  return [...(await page.text()).matchAll(/<h2><a [^>]*>([^<]*)<\/a><\/h2>/g)].map(
    ([, subject]) => subject ?? '',
  );
}
