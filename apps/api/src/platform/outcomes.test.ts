import { expect, it } from 'vitest';
import { createOutcomes } from './outcomes.ts';

it('calls the wired handler, and refuses to run unwired', async () => {
  const port = createOutcomes<{ funded(id: string): Promise<string> }>('money');
  expect(() => port.on).toThrow('The outcomes of money are not wired');
  port.wire({ funded: async (id) => `heard ${id}` });
  expect(await port.on.funded('a')).toBe('heard a');
});
