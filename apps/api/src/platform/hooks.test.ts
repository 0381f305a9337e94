import { expect, it } from 'vitest';
import { createHooks } from './hooks.ts';

it('calls the registered handler, and fails without one', async () => {
  const port = createHooks<{ funded(id: string): Promise<string> }>('money');
  expect(() => port.on).toThrow('The hooks of money are not registered');
  port.register({ funded: async (id) => `heard ${id}` });
  expect(await port.on.funded('a')).toBe('heard a');
});

it('calls the handlers of a list one after another', async () => {
  const port = createHooks<{ funded(id: string): Promise<void> }>('money');
  const calls: string[] = [];
  const handler = (name: string) => async (id: string) => {
    calls.push(`${name} begins ${id}`);
    await Promise.resolve();
    calls.push(`${name} ends`);
  };
  port.register({ funded: [handler('first'), handler('second')] });
  await port.on.funded('a');
  expect(calls).toEqual(['first begins a', 'first ends', 'second begins a', 'second ends']);
});
