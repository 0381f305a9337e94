import { defineConfig } from '@playwright/test';
import { englishOnly } from './languages/english-only.ts';
import { language, locale } from './languages/setting.ts';
import { address, serverPort } from './server-address.ts';
import { desktop, phone } from './sizes.ts';

const launch = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  // Disables background requests, and runs as root in a container.
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** Screens that differ between the two sizes, and that everyone uses. */
const atBothSizes = [
  'accessibility.spec.ts',
  'back.spec.ts',
  'hire-and-apply.spec.ts',
  'layout-shift.spec.ts',
  'look-around.spec.ts',
  'map.spec.ts',
  'pages.spec.ts',
  'public-pages.spec.ts',
  'saved-searches.spec.ts',
  'sign-up.spec.ts',
];
/** Journeys independent of the size. The import fills the server's New York once. */
const atDesktop = [
  'all-paths.spec.ts',
  'chat-far-back.spec.ts',
  'real-jobs.spec.ts',
  'restyling.spec.ts',
  'sign-in-oidc.spec.ts',
];
const atPhone = [
  'export-and-deletion.spec.ts',
  'google.spec.ts',
  'help.spec.ts',
  'large-text.spec.ts',
  'passwords.spec.ts',
  'shortest-way.spec.ts',
];

const daily: Record<string, string[]> = {
  phone: ['look-around.spec.ts', 'sign-up.spec.ts'],
  desktop: ['accessibility.spec.ts', 'all-paths.spec.ts', 'hire-and-apply.spec.ts'],
  people: [
    'chat.spec.ts',
    'hired-to-approved.spec.ts',
    'money.spec.ts',
    'notifications.spec.ts',
    'offline.spec.ts',
    'plan-a-week.spec.ts',
  ],
};

/** True with Firebase (`npm run test:firebase`), when only the sign-in journeys run. */
const withFirebase = process.env.FIREBASE_AUTH_EMULATOR !== undefined;
const firebaseOnly = ['firebase.spec.ts'];
const firebaseJourneys = [...firebaseOnly, 'google.spec.ts', 'passwords.spec.ts', 'sign-up.spec.ts'];

/** `E2E_JOURNEYS=daily` runs the journeys above without the tests tagged `@nightly`; otherwise all run. */
const isDaily = process.env.E2E_JOURNEYS === 'daily';
const ofSet = (project: string, journeys: string[]) => (isDaily ? (daily[project] ?? []) : journeys);

// One seed for the samples of all workers and of a second try (`dailySample`).
process.env.SEED ??= String(Math.floor(Math.random() * 1_000_000));

const excluded = [
  ...(language === 'en' ? [] : Object.keys(englishOnly).map((journey) => new RegExp(journey))),
  ...(isDaily ? [/@nightly/] : []),
];

/** The journeys, against the real server. Most run once: workers use a phone, businesses a desktop (ADR 58). */
export default defineConfig({
  testDir: '.',
  testMatch: withFirebase ? firebaseJourneys : '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 2,
  // Long enough for a machine several times slower than a desktop (ADR 58).
  timeout: 300_000,
  expect: { timeout: 30_000 },
  retries: 0,
  forbidOnly: true,
  grepInvert: excluded,
  use: {
    baseURL: address,
    actionTimeout: 60_000,
    launchOptions: launch,
    locale,
    timezoneId: 'Europe/Amsterdam',
    screenshot: 'only-on-failure',
    // A trace doubles the processor time of a journey. In `npm test` a failed one is retried (ADR 58).
    trace: 'on-first-retry',
  },
  // Run in this order: the longest journeys first, so that no worker waits long for the other at the end.
  projects: [
    {
      name: 'desktop',
      testMatch: withFirebase ? firebaseJourneys : ofSet('desktop', [...atBothSizes, ...atDesktop]),
      grepInvert: [/@phone-only/, ...excluded],
      use: desktop,
    },
    {
      name: 'people',
      testMatch: isDaily ? daily.people : '*.spec.ts',
      testIgnore: [...atBothSizes, ...atDesktop, ...atPhone, ...firebaseOnly],
      use: desktop,
    },
    {
      name: 'phone',
      testMatch: withFirebase ? firebaseJourneys : ofSet('phone', [...atBothSizes, ...atPhone]),
      use: phone,
    },
  ],
  webServer: {
    command: `node ${import.meta.dirname}/serve.ts`,
    url: `${address}/health/ready`,
    timeout: 240_000,
    reuseExistingServer: false,
    stdout: 'ignore',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: { PORT: String(serverPort) },
  },
});
