// @ts-check
// Runs `npm run screenshots -- URL`: pictures for the install dialog (manifest.webmanifest).
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensurePackages } from './packages.mjs';
import { main, Refused, root } from './steps.mjs';

const password = 'demo-nearhand';
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 1.5,
  isMobile: true,
  hasTouch: true,
};
const desktop = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const town = { latitude: 52.3791, longitude: 4.8831 };

/**
 * @type {{ file: string, as: string, size: import('@playwright/test').BrowserContextOptions, page: string,
 * shows: string }[]}
 */
const pictures = [
  { file: 'explore', as: 'leila', size: phone, page: '/tabs/menu/explore', shows: '.job-title' },
  { file: 'my-work', as: 'leila', size: phone, page: '/tabs/menu/my-work', shows: '.act-main' },
  {
    file: 'explore-wide',
    as: 'leila',
    size: desktop,
    page: '/tabs/menu/explore',
    shows: '.maplibregl-canvas',
  },
];

await main(async () => {
  const [address] = process.argv.slice(2);
  if (!address || !URL.canParse(address))
    throw new Refused(
      'Name the address of a server with the demo town: npm run screenshots -- http://localhost:8080',
    );
  await ensurePackages();
  const [{ chromium }, { default: sharp }] = await Promise.all([import('@playwright/test'), import('sharp')]);
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args });
  try {
    for (const { file, as, size, page: route, shows } of pictures) {
      const context = await browser.newContext({
        ...size,
        baseURL: address,
        locale: 'en-GB',
        permissions: ['geolocation'],
        geolocation: town,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(120_000);
      await page.goto('/login');
      await page.getByLabel('Email').fill(`${as}@demo.nearhand.example`);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.waitForURL(/\/tabs\/menu\//);
      await page.goto(route);
      await page.getByRole('heading', { level: 1 }).filter({ visible: true }).first().waitFor();
      await page.locator('.sk').filter({ visible: true }).first().waitFor({ state: 'hidden' });
      await page.locator(shows).filter({ visible: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      // Pictures below the screen load when scrolled to.
      await page.waitForFunction(
        '[...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight)',
      );
      const screenshot = await page.screenshot({ animations: 'disabled' });
      const { data, info } = await sharp(screenshot)
        .webp({ quality: 78, effort: 6 })
        .toBuffer({ resolveWithObject: true });
      writeFileSync(path.join(root, 'apps/web/public', `screenshot-${file}.webp`), data);
      console.log(
        `screenshot-${file}.webp ${info.width}x${info.height} ${Math.round(data.length / 1024)} KiB`,
      );
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return 0;
});
