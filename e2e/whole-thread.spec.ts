import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { openConversation } from './chatting.ts';
import { expect, test } from './moved-time.ts';
import { wholeThread } from './whole-thread.ts';

const writer = path.resolve(import.meta.dirname, '../apps/api/test/long-conversation.ts');
const count = 90;

/** Breaks the list: renders one message as empty and another twice. */
const drawWrongly = (context: BrowserContext) =>
  context.addInitScript(() => {
    const meddle = () => {
      for (const item of document.querySelectorAll<HTMLElement>('[data-line]')) {
        const text = item.querySelector('.chat-text');
        if (text?.textContent === 'Line 40') text.textContent = '';
        if (text?.textContent !== 'Line 70' || item.parentElement?.querySelector('[data-line=copy]'))
          continue;
        const copy = item.cloneNode(true) as HTMLElement;
        copy.dataset.line = 'copy';
        item.after(copy);
      }
    };
    new MutationObserver(meddle).observe(document, { subtree: true, childList: true });
  });

test('a look at the whole thread sees each message once and in order, and finds one lost and one doubled', async ({
  ownServer,
  parts,
}) => {
  const { nadia, leila, id } = await openConversation(parts);
  execFileSync(process.execPath, [writer, id, String(count)], {
    env: { ...process.env, DATA_DIR: ownServer.dataDir },
  });
  await leila.api('POST', `/conversations/${id}/messages`, {
    clientId: crypto.randomUUID(),
    body: 'I can come at 9:41.',
  });
  const { items } = await leila.api('GET', `/conversations/${id}/messages?limit=200`);
  const written = (items as { kind: string; body: string }[])
    .filter(({ kind }) => kind === 'text')
    .map(({ body }) => body);
  expect(written.length).toBeGreaterThan(count - 10);
  const texts = async ({ page }: typeof leila) =>
    (await wholeThread(page)).map(({ text }) => text).filter((text) => text !== '');

  for (const one of [leila, nadia]) {
    await one.page.goto(`/chat?c=${id}`);
    expect(await texts(one)).toEqual(written);
  }

  await drawWrongly(leila.context);
  await leila.page.reload();
  expect(await texts(leila)).toEqual(
    written.flatMap((text) =>
      text === 'Line 40' ? [] : text === 'Line 70' ? ['Line 70', 'Line 70'] : [text],
    ),
  );
});
