import type { Page } from '@playwright/test';
import { expect } from '../journey.ts';
import { type Network, networks } from '../servers/faulty-network.ts';
import { arrived, recorded, repeated } from './arrival.ts';
import { type Dice, dice } from './dice.ts';
import * as worker from './worker.ts';
import type { World } from './world.ts';

const everything = {
  say: 24,
  attend: 16,
  apply: 8,
  heart: 12,
  read: 12,
  hear: 6,
  network: 20,
  airplane: 5,
  reload: 8,
  reopen: 4,
  restart: 2,
};
export type Step = keyof typeof everything;

type Options = {
  seed: number;
  steps: number;
  weights?: Partial<Record<Step, number>>;
  faults?: readonly Network[];
  log?: (line: string) => void;
};

/** The steps of a seed, each with its own random generator, so that a step's outcome does not change later ones. */
function planOf({ seed, steps, weights = everything }: Options): { step: Step; own: Dice }[] {
  const all = dice(seed);
  return Array.from({ length: steps }, (_, at) => ({
    step: all.weighted(weights as Record<Step, number>),
    own: dice(seed * 10_007 + at),
  }));
}

/**
 * Takes random steps and checks the screen after each; then lets everything arrive.
 * @throws at the first difference
 */
export async function runChaos(world: World, options: Options): Promise<worker.Done> {
  const { leila, network, server, place } = world;
  const { faults = networks, log = () => {} } = options;
  const doneSteps: worker.Done = { said: [], pressed: [], applied: new Set(), hearts: new Map() };
  const received: string[] = [];
  let page: Page = leila.page;
  let airplane = false;
  let starting: Promise<void> = Promise.resolve();

  /** Requests can't be answered now, so no screen may claim that one was sent. */
  const isCut = () => airplane || !['good', 'slow'].includes(network.now());

  const take = async (step: Step, own: Dice): Promise<string> => {
    switch (step) {
      case 'say':
        return worker.say(page, place, doneSteps);
      case 'attend':
        return worker.attend(page, place, doneSteps, { dice: own, cut: isCut() });
      case 'apply':
        return worker.apply(page, place, doneSteps, { dice: own, cut: isCut() });
      case 'heart':
        return worker.heart(page, place, doneSteps, own);
      case 'read': {
        const path = own.one(worker.screensToRead(place));
        if (!(await worker.visit(page, path))) return 'portal';
        if (isCut()) await worker.admitsFaults(page);
        return path;
      }
      case 'hear': {
        if (!server.isUp()) return 'server down';
        const body = `shift news ${received.length}`;
        await world.nadia.api('POST', `/conversations/${place.conversationId}/messages`, {
          clientId: crypto.randomUUID(),
          body,
        });
        received.push(body);
        return body;
      }
      case 'network': {
        const next = own.chance(0.35) ? 'good' : own.one(faults);
        network.set(next);
        return next;
      }
      case 'airplane':
        airplane = !airplane;
        await leila.context.setOffline(airplane);
        return airplane ? 'on' : 'off';
      case 'reload':
        await page.reload({ waitUntil: 'commit' });
        return (await worker.settled(page)) ? page.url() : 'portal';
      case 'reopen': {
        const { pathname, search } = new URL(page.url());
        const next = await leila.context.newPage();
        await page.close();
        page = next;
        return (await worker.visit(page, pathname + search)) ? page.url() : 'portal';
      }
      case 'restart': {
        await starting;
        starting = server.restart(own.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
        // The caller gets the failure when it awaits this; until then it must not count as an unhandled rejection.
        starting.catch(() => {});
        return 'server';
      }
    }
  };

  const tellsTheTruth = async () => {
    const shownMessages = page.url().includes('/chat?c=') ? await worker.shownMessages(page) : [];
    if (!server.isUp()) return;
    const stored = await recorded(world);
    expect(repeated(stored.said), 'messages doubled').toEqual([]);
    for (const { text, sent } of shownMessages)
      if (sent && text !== '')
        expect(stored.said, 'a message is missing that the screen calls sent').toContain(text);
    const expected = worker.attendanceOf(doneSteps.pressed);
    expect(stored.pressed, 'attendance differs from what was pressed').toEqual(
      expected.slice(0, stored.pressed.length),
    );
  };

  for (const [at, { step, own }] of planOf(options).entries()) {
    const where = `step ${at}, ${step}, on a network that is ${airplane ? 'off' : network.now()}`;
    const outcome = await take(step, own).catch((failure: unknown) => {
      throw new Error(`${where}: ${failure}`, { cause: failure });
    });
    log(`${at} ${step}: ${outcome}`);
    await tellsTheTruth().catch((failure: unknown) => {
      throw new Error(`after ${where}: ${failure}`, { cause: failure });
    });
  }

  await starting;
  network.set('good');
  await leila.context.setOffline(false);
  await arrived(world, page, doneSteps, received, log);
  return doneSteps;
}
