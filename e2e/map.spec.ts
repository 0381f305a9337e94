import type { Page } from '@playwright/test';
import { attribution, chicago } from './chicago-tiles.ts';
import { openShift, shiftOf } from './hiring.ts';
import { wrote } from './journey.ts';
import { expect, test } from './moved-time.ts';

/** The share of a picture's pixels in one of the page's colours, or in a colour that the map mixes from it. */
const shareOf = (page: Page, picture: Buffer, token: string, white = 0): Promise<number> =>
  page.evaluate(
    async ([base64, name, share]) => {
      const image = await createImageBitmap(
        new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: 'image/png' }),
      );
      const canvas = new OffscreenCanvas(image.width, image.height);
      const pen = canvas.getContext('2d');
      if (!pen) throw new Error('No canvas');
      pen.drawImage(image, 0, 0);
      const { data } = pen.getImageData(0, 0, image.width, image.height);
      const probe = document.createElement('span');
      probe.style.color = `var(${name})`;
      document.body.append(probe);
      const wanted = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(
        (part) => Number(part) * (1 - share) + 255 * share,
      );
      probe.remove();
      let found = 0;
      for (let at = 0; at < data.length; at += 4)
        if (wanted.every((part, channel) => Math.abs(part - (data[at + channel] ?? 0)) <= 3)) found += 1;
      return found / (data.length / 4);
    },
    [picture.toString('base64'), token, white] as const,
  );

const mapOf = (page: Page) => page.locator('.map-canvas').filter({ visible: true });

/** Hides everything but the map's own drawing: pins, buttons and the bar have some of its colours. */
const drawingOnly =
  'body * { visibility: hidden !important } .map-canvas, .map-canvas canvas { visibility: visible !important }';

async function still(page: Page): Promise<Buffer> {
  // The app's content security policy allows no <style>.
  await page.evaluate((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets.push(sheet);
  }, drawingOnly);
  let last: Buffer = Buffer.alloc(0);
  await expect(async () => {
    const next = await mapOf(page).screenshot();
    const same = next.equals(last);
    last = next;
    expect(same).toBe(true);
  }).toPass({ timeout: 60_000, intervals: [1_500] });
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
  return last;
}

const explore = (lat: number, lng: number, name: string) =>
  `/tabs/menu/explore?lat=${lat}&lng=${lng}&at=${encodeURIComponent(name)}&view=map`;

test('the map shows streets and water in light and dark, where the tiles have them', async ({
  parts,
  page,
}, info) => {
  const { nadia, business } = await openShift(parts, { title: 'Barista in the Jordaan' });
  const spots = [
    { title: 'Barista on Clark Street', lat: 41.8851, lng: -87.6309 },
    { title: 'Kitchen hand on Halsted Street', lat: 41.8786, lng: -87.6472 },
  ];
  for (const { title, ...point } of spots)
    await shiftOf(nadia, business.id, parts.time, {
      title,
      place: { address: 'Clark Street 1', area: 'Loop', privateAddress: false, ...point },
    });

  wrote(attribution);
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const pieces: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.pmtiles'))
      pieces.push(`${response.status()} ${response.headers()['content-range']}`);
  });
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    // Tiles that take longer than three seconds, as on a busy machine, leave the map with its rings.
    await expect(async () => {
      await page.goto(explore(chicago.lat, chicago.lng, 'Chicago Loop'));
      const streets = page.getByRole('link', { name: /OpenStreetMap/ }).filter({ visible: true });
      await expect(streets).toHaveAttribute('href', 'https://www.openstreetmap.org/copyright', {
        timeout: 10_000,
      });
    }).toPass({ timeout: 60_000 });
    await expect(page.locator('.map-spot .pin').filter({ visible: true }).first()).toBeVisible();
    const picture = await still(page);
    await info.attach(`streets-${scheme}`, { body: await page.screenshot(), contentType: 'image/png' });
    expect(await shareOf(page, picture, '--water')).toBeGreaterThan(0.01);
    if (scheme === 'light') expect(await shareOf(page, picture, '--land', 1)).toBeGreaterThan(0.01);
  }
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.filter((piece) => !piece?.startsWith('206 bytes '))).toEqual([]);
  expect(problems).toEqual([]);

  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(explore(52.3791, 4.8831, 'Jordaan'));
  await expect(page.locator('.map-spot .pin').filter({ visible: true }).first()).toBeVisible();
  expect(await shareOf(page, await still(page), '--land', 1)).toBeLessThan(0.002);
});
