import type { z } from 'zod';
import { isOutside, postgresUrl, postgresUrls, secrets, wholeNumber } from './config-shapes.ts';

export const processSettings = {
  OTHER_SECRETS: {
    shape: secrets.default([]),
    secret: true,
    doc: 'Other secrets whose signatures are accepted, separated by commas: the next SECRET before a rotation, the one before after it (docs/operations.md).',
  },
  DATABASE_URL: {
    shape: postgresUrl.optional(),
    secret: true,
    doc: 'PostgreSQL 17 or later, at one address; without it an embedded PostgreSQL 18 runs under DATA_DIR.',
  },
  DATABASE_DIRECT_URL: {
    shape: postgresUrl.optional(),
    secret: true,
    doc: 'Address of the same database past the pooler that DATABASE_URL leads to, for migrations, tasks and signals (docs/operations.md).',
  },
  DATABASE_READ_URL: {
    shape: postgresUrls.default([]),
    secret: true,
    doc: 'Streaming replicas of the same database, separated by commas, each at its own address. They answer searches and public pages that may be a second old (docs/operations.md).',
  },
  DATABASE_READ_LAG_SECONDS: {
    shape: wholeNumber(1, 60).default(1),
    doc: 'How far a replica may be behind. Further, and while it is away, the primary answers.',
  },
  DATABASE_OWNER_URL: {
    shape: postgresUrl.optional(),
    secret: true,
    doc: 'Address of the same database with the role that owns its tables, for migrations only. The role of DATABASE_URL then reads and writes rows, but cannot change tables, triggers or functions (docs/operations.md).',
  },
  DATABASE_POOL: {
    shape: wholeNumber(2, 200).default(10),
    doc: 'Maximum database connections of one server process for requests.',
  },
  DATABASE_TASK_POOL: {
    shape: wholeNumber(8, 200).default(12),
    doc: 'Maximum database connections of one server process for tasks; five of them stay open.',
  },
  CALLS_AT_ONCE: {
    shape: wholeNumber(1, 100_000).default(100),
    doc: 'Calls that one server process works on at once. More are answered with 503 at once instead of waiting for seconds.',
  },
  TASK_LEASE_SECONDS: {
    shape: wholeNumber(1, 300).default(15),
    doc: 'How often each server process looks for tasks of processes that have died. It takes them after two looks.',
  },
  DRAIN_SECONDS: {
    shape: wholeNumber(0, 300).optional(),
    doc: 'How long a stopping server still answers while /health/ready says 503, so that proxies notice; 5 in production, otherwise 0.',
  },
  STOP_SECONDS: {
    shape: wholeNumber(1, 600).default(30),
    doc: 'How long a stop may take. What still runs then is cut off; tasks are taken over by other processes or run after the next start.',
  },
} as const satisfies Record<string, { shape: z.ZodType; doc: string; secret?: true }>;

const databases = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL'] as const;
const encrypted = /[?&]sslmode=(require|verify-ca|verify-full)\b/;

/** Reports addresses that lead over the internet without TLS. */
export function processProblems(
  config: Partial<Record<(typeof databases)[number] | 'REDIS_URL', string | undefined>> & {
    NODE_ENV: string;
    DATABASE_READ_URL: readonly string[];
  },
): string[] {
  const addresses = [
    ...databases.map((name) => ({ name, url: config[name] })),
    ...config.DATABASE_READ_URL.map((url) => ({ name: 'DATABASE_READ_URL', url })),
  ];
  const open = addresses.filter(({ url }) => isOutside(url) && !encrypted.test(url ?? ''));
  const isRedis = isOutside(config.REDIS_URL) && config.REDIS_URL?.startsWith('redis:');
  return [
    ...(config.NODE_ENV === 'production'
      ? [
          ...open.map(({ name }) => `${name}: add sslmode=verify-full; it leads out of your own network.`),
          ...(isRedis ? ['REDIS_URL: use rediss://; it leads out of your own network.'] : []),
        ]
      : []),
  ];
}
