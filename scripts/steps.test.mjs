// @ts-check
import { describe, expect, it } from 'vitest';
import { Refused, runHereBeside } from './steps.mjs';

const node = (/** @type {string} */ text) => ['-e', text];
/** Ends with 7 when it gets the message, with 8 at SIGTERM. */
const waiting = node(`
  process.once('message', () => process.exit(7));
  process.once('SIGTERM', () => process.exit(8));
  setTimeout(() => process.exit(9), 60_000);
`);

describe('a program that needs the result of other work', () => {
  it('gets a message when the work is done', async () => {
    expect(await runHereBeside(waiting, async () => {})).toBe(7);
  });

  it('is stopped when the work fails, with its reason', async () => {
    const failing = async () => {
      // Long enough for the program to listen for the signal.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      throw new Refused('no build');
    };
    await expect(runHereBeside(waiting, failing)).rejects.toThrow('no build');
  });

  it('ends the work when it ends first', async () => {
    let reason = '';
    const work = (/** @type {AbortSignal} */ ended) =>
      new Promise((_, reject) => {
        ended.addEventListener('abort', () => {
          reason = 'ended';
          reject(new Error('aborted'));
        });
      });
    expect(await runHereBeside(node('process.exit(3)'), work)).toBe(3);
    expect(reason).toBe('ended');
  });
});
