import type { Locator, Page } from '@playwright/test';
import { expect } from './journey.ts';

/** A message as the screen shows it; `sent` is false while it is pending or after it was refused. */
export type ThreadLine = { key: string; mine: boolean; text: string; sent: boolean };

/** Scrolls by this share of the window, then reads the visible messages. */
const readAfter = (log: Locator, share: number) =>
  log.evaluate(async (box, by) => {
    box.scrollBy({ top: box.clientHeight * by, behavior: 'instant' });
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    const window = box.getBoundingClientRect();
    const lines = [...box.querySelectorAll<HTMLElement>('[data-line]')].flatMap((item) => {
      const { top, bottom, height } = item.getBoundingClientRect();
      const line = item.querySelector('.chat-line');
      if (height === 0 || bottom <= window.top || top >= window.bottom || !line) return [];
      return {
        key: item.dataset.line ?? '',
        mine: line.classList.contains('me'),
        text: line.querySelector('.chat-text')?.textContent ?? '',
        sent: line.querySelector('.msg.waiting, .msg.failed') === null,
      };
    });
    return { lines, isStart: box.scrollTop <= 0 && box.querySelector('.chat-start') !== null };
  }, share);

async function toNewest(page: Page, log: Locator): Promise<void> {
  const down = page.locator('.chat-down').filter({ visible: true });
  await log.locator('.chat-line').first().waitFor();
  await expect(async () => {
    if ((await down.count()) > 0) await down.click({ timeout: 1_000 });
    await log.evaluate((box) => box.scrollTo({ top: box.scrollHeight, behavior: 'instant' }));
    await expect(down).toHaveCount(0, { timeout: 500 });
  }, 'the newest message').toPass({ timeout: 60_000 });
}

/**
 * All messages of the conversation, by scrolling, since the list is virtualized (ADR 100).
 * @throws on a gap
 */
export async function wholeThread(page: Page): Promise<ThreadLine[]> {
  const log = page.getByRole('log', { name: 'Messages' }).filter({ visible: true });
  await toNewest(page, log);
  const all: ThreadLine[] = [];
  let isStart = false;
  for (let idle = 0; !isStart; ) {
    const view = await readAfter(log, all.length === 0 ? 0 : -0.5);
    const keys = view.lines.map(({ key }) => key);
    expect(new Set(keys).size, `a line is drawn twice: ${keys}`).toBe(keys.length);
    const knownCount = all.length === 0 ? keys.length : keys.indexOf(all[0]?.key ?? '');
    if (knownCount < 0) {
      // The list moved further than a window: the last seen message is below.
      await readAfter(log, 0.25);
      idle += 1;
    } else {
      all.unshift(...view.lines.slice(0, knownCount));
      idle = knownCount > 0 ? 0 : idle + 1;
      isStart = view.isStart;
    }
    if (idle > 3) await page.waitForTimeout(250);
    expect(idle, `nothing above "${all[0]?.text}" is drawn, and it isn't the first message`).toBeLessThan(
      200,
    );
  }
  return all;
}
