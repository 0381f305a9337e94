import { defineConfig } from '@playwright/test';
import { address, serverPort } from './server-address.ts';

const launch = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  // Keeps the browser from calling home, and lets it run as root in a container.
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

/** The journeys, each at phone and desktop size, against the real server on its own empty database. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 2,
  // For a machine several times slower than a desktop (ADR 0058): passing tests don't wait for them.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  retries: 0,
  forbidOnly: true,
  use: {
    baseURL: address,
    actionTimeout: 60_000,
    launchOptions: launch,
    locale: 'en-GB',
    timezoneId: 'Europe/Amsterdam',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
  projects: [
    // The import fills the server's New York once: its business is on a desktop, its worker on a phone.
    {
      name: 'phone',
      testIgnore: 'real-jobs.spec.ts',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
    { name: 'desktop', testIgnore: 'large-text.spec.ts', use: { viewport: { width: 1280, height: 800 } } },
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
