import { AsyncLocalStorage } from 'node:async_hooks';
import { addMs, dayMs } from '@nearhand/contract/durations';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { getAdapter } from 'better-auth/db/adapter';
import { databaseNames } from '../../platform/database/column-names.ts';
import type { Db } from '../../platform/db.ts';
import { sha256 } from '../../platform/sign.ts';

type Store = Awaited<ReturnType<typeof getAdapter>>;
type Request = { model: string; where?: Where[] };
type Where = Parameters<Store['delete']>[0]['where'][number];
type SessionRow = { createdAt: Date };

/** The token is random, so a fast hash without salt is safe. */
export const hashSessionToken = (token: string): string => sha256(`session ${token}`);

/** Limits how long a session can be renewed. */
const latestEnd = (createdAt: Date) => addMs(createdAt, peopleLimits.sessionDays * dayMs);

/** Stores token hashes. The library compares the token itself, so it gets back the token it passed. */
export const sessionStore = (db: Db) => (options: Parameters<typeof getAdapter>[0]) => {
  const adapter = getAdapter({
    ...options,
    // The library's `accountId` field is not our column `account_id`.
    database: { db: db.withPlugin(databaseNames), type: 'postgres', transaction: true },
  });
  return { id: 'nearhand', ...recordFailures({ ...storeOver(adapter), ...transactions(adapter) }) } as Store;
};

/** The database error behind a library call, which returns its own code instead. */
export const storeFailure = new AsyncLocalStorage<{ error: unknown }>();

function recordFailures<Methods extends object>(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    async (...args: unknown[]) => {
      try {
        return await (method as (...args: unknown[]) => Promise<unknown>)(...args);
      } catch (error) {
        const call = storeFailure.getStore();
        if (call) call.error = error;
        throw error;
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Methods;
}

const transactions = (adapter: Promise<Store>): Pick<Store, 'transaction'> => ({
  transaction: async (run) =>
    (await adapter).transaction((inner) => run({ id: 'nearhand', ...storeOver(Promise.resolve(inner)) })),
});

function storeOver(adapter: Promise<Omit<Store, 'transaction'>>): Omit<Store, 'transaction' | 'id'> {
  return {
    async create<Given extends Record<string, unknown>, Row = Given>(
      request: Parameters<Store['create']>[0] & { data: Omit<Given, 'id'> },
    ) {
      const { token } = request.data as { token?: unknown };
      if (request.model !== 'session' || typeof token !== 'string')
        return (await adapter).create<Given, Row>(request);
      const data = { ...request.data, token: hashSessionToken(token) };
      return { ...(await (await adapter).create<Given, Row>({ ...request, data })), token };
    },
    findOne: async <Row>(request: Parameters<Store['findOne']>[0]) =>
      withPlainToken(request, await (await adapter).findOne<Row>(withHashedToken(request))),
    findMany: async (request) => (await adapter).findMany(withHashedToken(request)),
    count: async (request) => (await adapter).count(withHashedToken(request)),
    async update<Row>(request: Parameters<Store['update']>[0]) {
      const hashedRequest = withHashedToken(request);
      if (request.model === 'session' && request.update.expiresAt instanceof Date) {
        const row = await (await adapter).findOne<SessionRow>({
          model: hashedRequest.model,
          where: hashedRequest.where,
        });
        if (!row) return null;
        const expiresAt = new Date(Math.min(+request.update.expiresAt, +latestEnd(row.createdAt)));
        hashedRequest.update = { ...request.update, expiresAt };
      }
      return withPlainToken(request, await (await adapter).update<Row>(hashedRequest));
    },
    updateMany: async (request) => (await adapter).updateMany(withHashedToken(request)),
    delete: async (request) => (await adapter).delete(withHashedToken(request)),
    deleteMany: async (request) => (await adapter).deleteMany(withHashedToken(request)),
    consumeOne: async (request) => (await adapter).consumeOne(withHashedToken(request)),
    incrementOne: async (request) => (await adapter).incrementOne(withHashedToken(request)),
  };
}

const isToken = ({ field }: Where) => field === 'token';
const hashOf = (value: Where['value']): Where['value'] =>
  Array.isArray(value)
    ? value.map((token) => hashSessionToken(String(token)))
    : hashSessionToken(String(value));

const withHashedToken = <Of extends Request>(request: Of): Of =>
  request.model === 'session' && request.where?.some(isToken)
    ? {
        ...request,
        where: request.where.map((condition) =>
          isToken(condition) ? { ...condition, value: hashOf(condition.value) } : condition,
        ),
      }
    : request;

function withPlainToken<Row>(request: Request, row: Row | null): Row | null {
  const token = request.model === 'session' ? request.where?.find(isToken)?.value : undefined;
  return row && typeof token === 'string' ? { ...row, token } : row;
}
