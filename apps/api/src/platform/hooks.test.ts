import { expect, it } from 'vitest';
import { createHooks } from './hooks.ts';

it('asks the registered function, and fails without one', async () => {
  const port = createHooks<Record<never, never>, { lock(id: string): Promise<string> }>('money');
  expect(() => port.needs).toThrow('The hooks of money are not registered');
  port.register({ on: {}, needs: { lock: async (id) => `locked ${id}` } });
  expect(await port.needs.lock('a')).toBe('locked a');
});

it('calls the handlers of a list one after another', async () => {
  const port = createHooks<{ funded(id: string): Promise<void> }>('money');
  const calls: string[] = [];
  const handler = (name: string) => async (id: string) => {
    calls.push(`${name} begins ${id}`);
    await Promise.resolve();
    calls.push(`${name} ends`);
  };
  port.register({ on: { funded: [handler('first'), handler('second')] }, needs: {} });
  await port.on.funded('a');
  expect(calls).toEqual(['first begins a', 'first ends', 'second begins a', 'second ends']);
});
