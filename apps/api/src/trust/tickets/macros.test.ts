import { fillMacro, unknownVariable } from '@nearhand/contract/trust/tickets.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp();
let finance: Person;
let trust: Person;

beforeAll(async () => {
  finance = await app.person({ name: 'Fin Visser' });
  trust = await app.person({ name: 'Mila Horvat' });
  await makeOperator(app.db, app, finance, ['finance']);
  await makeOperator(app.db, app, trust, ['trust']);
  [finance, trust] = [app.working(finance), app.working(trust)];
});

const texts = { en: 'Hello {name}, about “{subject}”. {operator}', nl: 'Hallo {name}. {operator}' };

describe('operators.saveMacro', () => {
  it('shares it with operators of every role, and replaces one of the same name', async () => {
    const saved = await finance.api.operators.saveMacro({ name: 'Invoice', texts });
    const again = await trust.api.operators.saveMacro({ name: 'invoice', texts: { en: 'Hello {name}.' } });
    expect(again).toEqual({ id: saved.id, name: 'invoice', texts: { en: 'Hello {name}.' } });
    expect(await finance.api.operators.macros()).toEqual([again]);
  });

  it('requires English and known variables, and returns where they are missing', async () => {
    for (const [wrong, path] of [
      [{ en: 'Hello {nmae}' }, 'texts.en'],
      [{ en: 'Hello', nl: 'Hallo {pay}' }, 'texts.nl'],
      [{ en: '' }, 'texts.en'],
    ] as const) {
      const refused = await failure(finance.api.operators.saveMacro({ name: 'Wrong', texts: wrong }));
      expect(refused).toMatchObject({ status: 400, code: 'request/invalid' });
      expect(JSON.stringify(refused)).toContain(path);
    }
    const anyone = await app.person();
    expect(await failure(anyone.api.operators.saveMacro({ name: 'Invoice', texts }))).toMatchObject({
      code: 'operator/required',
    });
  });
});

describe('operators.macros', () => {
  it('lists them by name', async () => {
    await trust.api.operators.saveMacro({ name: 'A first', texts });
    expect((await trust.api.operators.macros()).map(({ name }) => name)).toEqual(['A first', 'invoice']);
  });
});

describe('operators.removeMacro', () => {
  it('removes one, once', async () => {
    const [first] = await trust.api.operators.macros();
    expect(await trust.api.operators.removeMacro({ macroId: first?.id ?? '' })).toEqual({ removed: 1 });
    expect(await trust.api.operators.removeMacro({ macroId: first?.id ?? '' })).toEqual({ removed: 0 });
  });
});

describe('a macro', () => {
  it('fills in its variables and keeps other braces', () => {
    const values = { name: 'Leila', subject: 'My pay', operator: 'Fin' };
    expect(fillMacro(texts.en, values)).toBe('Hello Leila, about “My pay”. Fin');
    expect(fillMacro('{}, {name}', values)).toBe('{}, Leila');
    expect(unknownVariable('{name} {} { x }')).toBeNull();
    expect(unknownVariable('{pay}')).toBe('pay');
  });
});
