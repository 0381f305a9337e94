import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

type Service = {
  build?: { context: string; target: string };
  command?: string[];
  depends_on?: Record<string, { condition: string }>;
  init?: boolean;
  logging?: { driver: string; options: Record<string, string> };
  mem_limit?: string;
  env_file?: string;
  environment: Record<string, string>;
  ports?: string[];
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  tmpfs?: string[];
  volumes?: string[];
  privileged?: boolean;
  security_opt?: string[];
  stop_grace_period?: string;
};
const { services } = parse(read('compose.yaml'), { merge: true }) as {
  services: { database: Service; migrate: Service; server: Service; backup: Service };
};
const { database, migrate, server, backup } = services;
/** A byte count such as 256m. */
const bytesOf = (size = '') => {
  const [, number, unit = ''] = /^(\d+)([kmg])$/.exec(size) ?? [];
  return Number(number) * 1024 ** ' kmg'.indexOf(unit);
};
const settings = new Map(
  [...read('docs/configuration.md').matchAll(/^\| `(\w+)`[^|]*\| (?:`([^`]*)`)? *\|/gm)].map(
    ([, name = '', fallback = '']) => [name, fallback],
  ),
);

describe('compose.yaml', () => {
  it('passes every setting from .env, and fails without those that production requires', () => {
    expect(server.env_file).toBe('.env');
    for (const name of ['SECRET', 'DOCUMENT_KEYS', 'PUBLIC_URL', 'SMTP_URL'])
      for (const { environment } of [server, migrate, backup])
        expect(environment[name]).toMatch(new RegExp(`^\\$\\{${name}:\\?`));
    expect(database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_OWNER_PASSWORD:\?/);
    expect(database.environment.POSTGRES_SERVING_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
  });

  it('serves and backs up as a role that owns nothing, and gives the owner’s password only to migrations', () => {
    for (const { environment } of [server, backup]) {
      expect(environment.DATABASE_URL).toMatch(/^postgres:\/\/nearhand:/);
      // `.env` has the password for the other two.
      expect([environment.DATABASE_OWNER_URL, environment.POSTGRES_OWNER_PASSWORD]).toEqual(['', '']);
    }
    expect(migrate.environment.DATABASE_OWNER_URL).toMatch(/^postgres:\/\/nearhand_owner:/);
    expect(server.depends_on?.migrate).toEqual({ condition: 'service_completed_successfully' });
    expect(database.environment.POSTGRES_USER).toBe('postgres');
    const mounted = database.volumes?.map((volume) => volume.split(':')[0] ?? '') ?? [];
    const roles = read(mounted.find((source) => source.endsWith('.sh')) ?? '');
    expect(roles).toMatch(/create database nearhand owner nearhand_owner/);
    expect(roles).toMatch(/alter role current_user password null/);
    expect(roles).not.toMatch(/superuser/);
  });

  it('limits the logs and the memory of each service', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service.logging?.driver, name).toBe('json-file');
      const { 'max-size': size, 'max-file': files } = service.logging?.options ?? {};
      expect(bytesOf(size) * Number(files), name).toBeLessThanOrEqual(bytesOf('200m'));
      expect(bytesOf(service.mem_limit), name).toBeGreaterThanOrEqual(bytesOf('512m'));
    }
  });

  it('backs up every night, including files, to a separate volume', () => {
    expect(backup).toMatchObject({ restart: 'unless-stopped', init: true });
    expect(backup.volumes).toEqual(['files:/data:ro', 'backups:/backups']);
    const stage =
      read('Dockerfile')
        .split(/^FROM /m)
        .find((text) => text.includes(' AS backup\n')) ?? '';
    // An older pg_dump refuses the database.
    expect(`postgres:${/^postgres:(\d+)/.exec(stage)?.[1]}`).toBe((database as { image?: string }).image);
    const [, , loop = ''] = JSON.parse(/^CMD (\[.*\])$/m.exec(stage)?.[1] ?? '[]');
    expect(loop).toContain('node apps/api/src/commands/backup.ts backup /backups --keep 14');
    const seconds = /while sleep (.*?); do/.exec(loop)?.[1] ?? '';
    const untilNext = Number(execFileSync('sh', ['-c', `echo ${seconds}`], { encoding: 'utf8' }));
    const at = new Date(Date.now() + untilNext * 1_000);
    expect(untilNext).toBeLessThan(86_400);
    expect(Math.abs(at.getUTCHours() * 60 + at.getUTCMinutes() + at.getUTCSeconds() / 60 - 140)).toBeLessThan(
      1,
    );
  });

  it('sets only existing settings', () => {
    expect(settings.size).toBeGreaterThan(80);
    for (const { environment } of [server, migrate, backup])
      expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([
        'POSTGRES_OWNER_PASSWORD',
      ]);
  });

  it('allows a longer stop than the server takes', () => {
    const seconds = Number(/^(\d+)s$/.exec(server.stop_grace_period ?? '')?.[1]);
    expect(seconds).toBeGreaterThan(Number(settings.get('STOP_SECONDS')));
  });

  it('restarts its services with minimal privileges', () => {
    expect([database.restart, server.restart]).toEqual(['unless-stopped', 'unless-stopped']);
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.privileged).toBeUndefined();
    }
    for (const { cap_add: added } of [server, migrate, backup]) expect(added).toBeUndefined();
    // The capabilities that the image's entry point needs to become `postgres`; adding one is a decision.
    expect(database.cap_add).toEqual(['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID']);
    expect(database.ports).toBeUndefined();
  });

  it('lets each service write only where it has to', () => {
    expect([server.tmpfs, server.volumes]).toEqual([['/tmp'], ['files:/data']]);
    expect([database.tmpfs, database.volumes]).toEqual([
      ['/tmp', '/var/run/postgresql'],
      [
        'database:/var/lib/postgresql',
        './docs/docker/database-roles.sh:/docker-entrypoint-initdb.d/database-roles.sh:ro',
      ],
    ]);
  });

  it('exposes the server only to its own machine', () => {
    expect(server.ports).toEqual(['127.0.0.1:8080:8080']);
  });
});

describe('the image', () => {
  const image = read('Dockerfile').split(/^FROM /m)[2] ?? '';
  const copied = [...image.matchAll(/^COPY (?:--from=web \S+ )?(.+)$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').filter((at) => !at.startsWith('/')),
  );
  const has = (file: string) => copied.some((at) => file === at || file.startsWith(`${at}/`));

  it('contains every program that the documents run in it', () => {
    const programs = [
      ...read('docs/operations.md').matchAll(/docker compose (?:exec server|run --rm \w+) node (\S+)/g),
    ].map(([, program = '']) => program);
    expect(programs.length).toBeGreaterThan(1);
    for (const program of programs) {
      expect(existsSync(path.join(root, program)), program).toBe(true);
      expect(has(program), program).toBe(true);
    }
    expect(has('scripts/server-command.mjs')).toBe(false);
  });

  it('contains every file that the server reads from a folder of the repository', () => {
    const sources = globSync('apps/api/src/**/*.ts', { cwd: root }).filter(
      (file) => !/\.(test|fixtures)\.ts$/.test(file),
    );
    const opened = sources.flatMap((file) =>
      [
        ...read(file).matchAll(
          /(?:import\.meta\.dirname, |new URL\()[`'"](\.[^`'"$]*)[`'"](?=\)|, import\.meta\.url)/g,
        ),
      ].map(([, at = '']) => path.join(path.dirname(file), at).replace(/\/$/, '')),
    );
    expect(opened).toEqual(
      expect.arrayContaining(['apps/api/migrations', 'apps/api/locales', 'apps/web/dist']),
    );
    expect(opened.filter((file) => !has(file))).toEqual([]);
  });
});

describe('the systemd units', () => {
  const linesOf = (name: string) =>
    read(`docs/systemd/${name}`)
      .split('\n')
      .filter((line) => /^[A-Z]\w+=/.test(line));
  const server = linesOf('nearhand@.service');
  const backup = linesOf('nearhand-backup.service');

  it('stop the server later than it stops itself', () => {
    const seconds = server.find((line) => line.startsWith('TimeoutStopSec='))?.split('=')[1];
    expect(Number(seconds)).toBeGreaterThan(Number(settings.get('STOP_SECONDS')));
  });

  it('signal only the server, which stops its embedded PostgreSQL last', () => {
    expect(server).toContain('KillMode=mixed');
  });

  it('give both the same minimal privileges', () => {
    const rights = /^(CapabilityBoundingSet|LockPersonality|NoNew|Private|Protect|Restrict|SystemCall|UMask)/;
    const granted = server.filter((line) => rights.test(line));
    expect(granted).toContain('CapabilityBoundingSet=');
    expect(granted).toContain('ProtectSystem=strict');
    expect(granted.length).toBeGreaterThan(15);
    expect(backup.filter((line) => rights.test(line))).toEqual(granted);
  });

  it('run existing programs of the repository', () => {
    for (const lines of [server, backup]) {
      const [, program = ''] =
        lines.find((line) => line.startsWith('ExecStart='))?.match(/ (apps\/\S+\.ts)/) ?? [];
      expect(existsSync(path.join(root, program)), program).toBe(true);
    }
  });
});

type Locked = {
  name?: string;
  version?: string;
  link?: boolean;
  integrity?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/**
 * Returns the packages that `npm ci` would miss in a lock file, with the optional ones of other systems.
 */
function missingFrom(locked: Record<string, Locked>): string[] {
  const found = (from: string, name: string): boolean => {
    if (`${from ? `${from}/` : ''}node_modules/${name}` in locked) return true;
    if (from === '') return false;
    const parent = from.includes('/node_modules/') ? from.slice(0, from.lastIndexOf('/node_modules/')) : '';
    return found(parent, name);
  };
  return Object.entries(locked).flatMap(([at, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies })
      .filter((name) => !found(at, name))
      .map((name) => `${name} of ${at || 'the project'}`),
  );
}

describe('installing', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };

  it('installs exactly the lock file, in images and in CI', () => {
    for (const [file, count] of [
      ['Dockerfile', 2],
      ['.github/workflows/mobile.yml', 1],
    ] as const) {
      const commands = [...read(file).matchAll(/^(?:RUN| +- run:) npm (ci|i|install)\b/gm)].map(
        ([, name]) => name,
      );
      expect(commands, file).toEqual(Array(count).fill('ci'));
    }
  });

  it('leaves tools of development and npm’s cache out of the image', () => {
    const [, , image = ''] = read('Dockerfile').split(/^FROM /m);
    const install = /^RUN (npm ci(?:.*\\\n)*.*)$/m.exec(image)?.[1] ?? '';
    expect(install).toMatch(/^npm ci --omit=dev --legacy-peer-deps .*\\\n {2}&& npm cache clean --force/);
  });

  it('finds every package in the lock file, with its hash', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(500);
    expect(missingFrom(packages)).toEqual([]);
    const unhashed = Object.entries(packages).filter(
      ([at, entry]) => at.includes('node_modules/') && !entry.link && !entry.integrity,
    );
    expect(unhashed.map(([at]) => at)).toEqual([]);
  });

  it('detects a package for another system that the lock file lacks', () => {
    const locked = {
      'node_modules/a': { optionalDependencies: { 'a-darwin': '1.0.0' } },
      'node_modules/b': { dependencies: { a: '1.0.0' } },
      'node_modules/b/node_modules/c': { dependencies: { b: '1.0.0' } },
    };
    expect(missingFrom(locked)).toEqual(['a-darwin of node_modules/a']);
  });
});
