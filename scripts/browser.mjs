// @ts-check
import { existsSync } from 'node:fs';
import { capture, projectNode, Refused, step } from './steps.mjs';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Finds an installed Chromium, otherwise installs Playwright's or Debian's. */
export async function ensureBrowser() {
  const browser = await findBrowser();
  if (browser) return browser;
  const tries = [
    await step('Downloading a browser', () => capture(projectNode, [playwright, 'install', 'chromium'])),
  ];
  if (!(await findBrowser()) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    tries.push(await step("Installing Debian's Chromium", installFromDebian));
  }
  const installed = await findBrowser();
  if (installed) return installed;
  throw new Refused(
    `${tries.map(({ output }) => output.trim()).join('\n')}\nNo browser could be installed for the end-to-end tests; install Chromium and name it in CHROMIUM_PATH.`,
  );
}

const playwright = 'node_modules/playwright/cli.js';

async function findBrowser() {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath && !existsSync(configuredPath))
    throw new Refused(`CHROMIUM_PATH names ${configuredPath}, and there is no such file.`);
  return configuredPath ?? systemBrowsers.find((file) => existsSync(file)) ?? playwrightBrowser();
}

async function playwrightBrowser() {
  const { chromium } = await import('@playwright/test');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

async function installFromDebian() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await capture('apt-get', ['update'], { env });
  return capture('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium'], { env });
}
