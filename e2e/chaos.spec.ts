import type { Browser, Page, TestInfo } from '@playwright/test';
import { type Control, controls } from './chaos/controls.ts';
import { runChaos } from './chaos/run.ts';
import { jobsRead, type Place, screensToRead, settled } from './chaos/worker.ts';
import type { World } from './chaos/world.ts';
import { accountId } from './chatting.ts';
import { applyForJob, businessOf, openJob, shiftOf, signedInPerson } from './hiring.ts';
import { test as base, expect } from './journey.ts';
import type { Parts, Time } from './moved-time.ts';
import { dataDirOf, serverPort } from './server-address.ts';
import {
  type FaultyNetwork,
  type Network,
  networks,
  startCalmEntrance,
  startFaultyNetwork,
} from './servers/faulty-network.ts';
import { type RestartedServer, startServer } from './servers/restarted-server.ts';

/** More than 50 steps (`CHAOS_STEPS`) also run with each intended defect (docs/experiments.md). */
const seeds = (process.env.CHAOS_SEEDS ?? '1').split(',').map(Number);
const steps = Number(process.env.CHAOS_STEPS ?? 25);
const isLong = steps > 50;
/** A dead network takes a quarter of a minute for each screen. */
const faults: readonly Network[] = isLong ? networks : ['cut', 'slow', 'captive', 'lossy'];

const ports = { server: serverPort + 20, public: serverPort + 21, calm: serverPort + 22 };
const address = `http://localhost:${ports.public}`;

/** The clock does not move: check-in is open from an hour before a shift. */
const time: Time = {
  now: () => new Date(),
  forward: () => Promise.reject(new Error('the clock is not moved here')),
  to: () => Promise.reject(new Error('the clock is not moved here')),
  follow: async () => {},
};

type ControlName = keyof typeof controls;

const test = base.extend<object, { server: RestartedServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are wanted
    async ({}, use) => {
      const server = await startServer({
        port: ports.server,
        dataDir: dataDirOf(ports.server),
        publicUrl: address,
      });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

/**
 * Opens two people's screens, with a faulty network between the worker's phone and the server. `control` plants a
 * defect.
 */
async function inWorld(
  { browser, server, control }: { browser: Browser; server: RestartedServer; control?: Control },
  live: (world: World) => Promise<void>,
): Promise<void> {
  const network = await startFaultyNetwork(ports.public, ports.server, control?.meddle);
  const calm = await startCalmEntrance(ports.calm, ports.server, address);
  try {
    const parts = (baseURL: string): Parts => ({ browser, baseURL, time });
    const world = await setScene(parts, { server, network, control });
    await live(world);
    await world.leila.context.close();
    await world.nadia.context.close();
  } finally {
    await calm.close();
    await network.close();
  }
}

async function setScene(
  parts: (baseURL: string) => Parts,
  {
    server,
    network,
    control,
  }: { server: RestartedServer; network: FaultyNetwork; control: Control | undefined },
): Promise<World> {
  const leila = await signedInPerson(parts(address), 'Leila Haddad', 'work');
  await control?.breakClient?.(leila.context);
  // The app is stored on the device after half a minute of a visit; the others arrive in the meantime.
  await leila.page.goto('/tabs/menu/my-work');
  const nadia = await signedInPerson(parts(`http://localhost:${ports.calm}`), 'Nadia Rahmani', 'hire');
  const business = await businessOf(nadia, 'Kopi and Crumb');
  const startsAt = new Date(Date.now() + 20 * 60_000);
  const endsAt = new Date(startsAt.getTime() + 8 * 3_600_000);
  const shift = await openJob(nadia, business.id, { title: 'Evening bar', startsAt, endsAt });
  const application = await applyForJob(leila, shift.id);
  const offer = await nadia.api('POST', `/applications/${application.id}/offers`, { message: '' });
  const accepted = await leila.api('POST', `/offers/${offer.id}/accept`, { version: offer.version });
  const conversation = await nadia.api('POST', '/conversations', {
    jobId: shift.id,
    workerId: await accountId(leila),
  });
  const jobs: { id: string; title: string }[] = [];
  for (let day = 3; day < 13; day += 1)
    jobs.push(await shiftOf(nadia, business.id, time, { title: `Barista ${day}`, daysAhead: day }));
  const place = { conversationId: conversation.id, engagementId: String(accepted.engagementId), jobs };
  await appKept(leila.page);
  await readBefore(leila.page, place);
  return { nadia, leila, network, server, place };
}

async function readBefore(page: Page, place: Place): Promise<void> {
  const seenJobs = jobsRead(place).map(({ id }) => `/job-desc/${id}`);
  for (const path of [...seenJobs, ...screensToRead(place), '/tabs/menu/my-work']) {
    await page.goto(path);
    // On a busy machine the network may be idle before the app has made a request.
    await settled(page);
    await expect(page.locator('.loading, .sk, .spin').filter({ visible: true })).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(4_000);
  }
}

const appKept = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/'))?.active?.state ?? ''),
      { timeout: 120_000 },
    )
    .toBe('activated');

function logOf(test: TestInfo, seed: number) {
  const lines: string[] = [];
  test.annotations.push({ type: 'seed', description: String(seed) });
  return {
    log: (line: string) => {
      lines.push(line);
      if (process.env.CHAOS_LOG) process.stdout.write(`${line}\n`);
    },
    attach: () => test.attach('steps', { body: lines.join('\n'), contentType: 'text/plain' }),
  };
}

for (const seed of seeds)
  test(`${steps} random steps on a bad network lose nothing, double nothing, and every screen says the truth (seed ${seed})`, async ({
    browser,
    server,
  }) => {
    test.setTimeout(300_000 + steps * 30_000);
    const { log, attach } = logOf(test.info(), seed);
    try {
      await inWorld({ browser, server }, async (world) => {
        const done = await runChaos(world, { seed, steps, faults, log });
        const { said, pressed, applied, hearts } = done;
        log(
          `${said.length} messages, ${pressed.length} presses, ${applied.size} applications, ${hearts.size} hearts`,
        );
        const writes = said.length + pressed.length + applied.size + hearts.size;
        expect(writes, 'a run in which little was done shows little').toBeGreaterThan(steps / 8);
      });
    } finally {
      await attach();
    }
  });

if (isLong)
  for (const name of Object.keys(controls) as ControlName[])
    test(`a run with the defect ${name} is found out`, async ({ browser, server }) => {
      test.setTimeout(900_000);
      const control: Control = controls[name];
      const { log, attach } = logOf(test.info(), 1);
      try {
        await inWorld({ browser, server, control }, (world) =>
          expect(runChaos(world, { seed: 1, steps: 25, ...control, log })).rejects.toThrow(control.found),
        );
      } finally {
        await attach();
      }
    });
