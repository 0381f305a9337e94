import { expect, it } from 'vitest';
import { createHooks } from './hooks.ts';

it('calls the registered handler, and fails without one', async () => {
  const port = createHooks<{ funded(id: string): Promise<string> }>('money');
  expect(() => port.on).toThrow('The hooks of money are not registered');
  port.register({ funded: async (id) => `heard ${id}` });
  expect(await port.on.funded('a')).toBe('heard a');
});
