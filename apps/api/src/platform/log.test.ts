import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createLog, logOptions } from './log.ts';

const lineOf = (line: object): string => {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  pino(logOptions({ LOG_LEVEL: 'info' }), stream).error(line, 'failed');
  return text;
};

describe('the log', () => {
  it('redacts what PostgreSQL reports about a row', () => {
    const refused = Object.assign(new Error('violates check constraint "accounts_email"'), {
      code: '23514',
      detail: 'Failing row contains (leila@example.test, +31612345678).',
      where: "unnamed portal parameter $1 = 'leila@example.test'",
    });
    for (const line of [{ err: refused }, { err: new Error('over', { cause: refused }) }]) {
      expect(lineOf(line)).toContain('violates check constraint');
      expect(lineOf(line)).not.toMatch(/leila|3161/);
    }
  });

  it('redacts secrets by name', () => {
    expect(lineOf({ token: 'abc', body: { password: 'abc', email: 'a@b.test' } })).not.toMatch(/abc|a@b/);
  });

  it('uses the same options', () => {
    expect(createLog({ LOG_LEVEL: 'warn' }).level).toBe('warn');
  });
});
