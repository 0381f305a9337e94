import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

  const create = `import { createLog } from '${new URL('./log.ts', import.meta.url).href}';
    const log = createLog({ LOG_LEVEL: 'info' });`;
  const linesBefore = (end: string): string[] => {
    const script = `${create} log.info('first'); log.warn('second'); log.child({}).info('third'); ${end}`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).msg]));
  };

  it('writes every line before a process ends, in order', () => {
    const all = ['first', 'second', 'third'];
    for (const end of ['', 'process.exit(1);', "throw new Error('crash');"])
      expect(linesBefore(end), end).toEqual(all);
    expect(linesBefore("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 500);")).toEqual(all);
  });

  it('writes a warning at once, even before a process is killed', () => {
    expect(linesBefore("process.kill(process.pid, 'SIGKILL');")).toEqual(['first', 'second']);
  });

  it('lets a process go on whose reader has ended', async () => {
    const script = `${create} let lines = 0;
      const timer = setInterval(() => { log.info('line'); log.warn('line'); if (++lines === 20) clearInterval(timer); }, 20);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 });
    child.stdout.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('uses the same options', () => {
    expect(createLog({ LOG_LEVEL: 'warn' }).level).toBe('warn');
  });
});
