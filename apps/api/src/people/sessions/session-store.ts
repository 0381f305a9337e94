import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { dayMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { getAdapter } from 'better-auth/db/adapter';
import { databaseNames } from '../../platform/database/column-names.ts';
import type { Db } from '../../platform/db.ts';

type Store = Awaited<ReturnType<typeof getAdapter>>;
type Request = { model: string; where?: Where[] };
type Where = Parameters<Store['delete']>[0]['where'][number];
type SessionRow = { createdAt: Date };

/** The token is random, so a fast hash without salt is safe. */
export const hashSessionToken = (token: string): string =>
  createHash('sha256').update(`session ${token}`).digest('base64url');

/** Limits how long a session can be renewed. */
const latestEnd = (createdAt: Date) => new Date(createdAt.getTime() + limits.sessionDays * dayMs);

/** Stores token hashes. The library compares the token itself, so it gets back the one it passed. */
export const sessionStore = (db: Db) => (options: Parameters<typeof getAdapter>[0]) => {
  const own = getAdapter({
    ...options,
    // The library's `accountId` field is not our column `account_id`.
    database: { db: db.withPlugin(databaseNames), type: 'postgres', transaction: true },
  });
  return { id: 'nearhand', ...noted({ ...storeOver(own), ...transactions(own) }) } as Store;
};

/** The database error behind a library call, which returns its own code instead. */
export const storeFailure = new AsyncLocalStorage<{ error: unknown }>();

function noted<Methods extends object>(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    async (...given: unknown[]) => {
      try {
        return await (method as (...given: unknown[]) => Promise<unknown>)(...given);
      } catch (error) {
        const call = storeFailure.getStore();
        if (call) call.error = error;
        throw error;
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Methods;
}

const transactions = (own: Promise<Store>): Pick<Store, 'transaction'> => ({
  transaction: async (run) =>
    (await own).transaction((inner) => run({ id: 'nearhand', ...storeOver(Promise.resolve(inner)) })),
});

function storeOver(own: Promise<Omit<Store, 'transaction'>>): Omit<Store, 'transaction' | 'id'> {
  return {
    async create<Given extends Record<string, unknown>, Row = Given>(
      request: Parameters<Store['create']>[0] & { data: Omit<Given, 'id'> },
    ) {
      const { token } = request.data as { token?: unknown };
      if (request.model !== 'session' || typeof token !== 'string')
        return (await own).create<Given, Row>(request);
      const data = { ...request.data, token: hashSessionToken(token) };
      return { ...(await (await own).create<Given, Row>({ ...request, data })), token };
    },
    findOne: async <Row>(request: Parameters<Store['findOne']>[0]) =>
      shown(request, await (await own).findOne<Row>(hashed(request))),
    findMany: async (request) => (await own).findMany(hashed(request)),
    count: async (request) => (await own).count(hashed(request)),
    async update<Row>(request: Parameters<Store['update']>[0]) {
      const hashedRequest = hashed(request);
      if (request.model === 'session' && request.update.expiresAt instanceof Date) {
        const row = await (await own).findOne<SessionRow>({
          model: hashedRequest.model,
          where: hashedRequest.where,
        });
        if (!row) return null;
        const expiresAt = new Date(Math.min(+request.update.expiresAt, +latestEnd(row.createdAt)));
        hashedRequest.update = { ...request.update, expiresAt };
      }
      return shown(request, await (await own).update<Row>(hashedRequest));
    },
    updateMany: async (request) => (await own).updateMany(hashed(request)),
    delete: async (request) => (await own).delete(hashed(request)),
    deleteMany: async (request) => (await own).deleteMany(hashed(request)),
    consumeOne: async (request) => (await own).consumeOne(hashed(request)),
    incrementOne: async (request) => (await own).incrementOne(hashed(request)),
  };
}

const isToken = ({ field }: Where) => field === 'token';
const hashOf = (value: Where['value']): Where['value'] =>
  Array.isArray(value)
    ? value.map((token) => hashSessionToken(String(token)))
    : hashSessionToken(String(value));

const hashed = <Of extends Request>(request: Of): Of =>
  request.model === 'session' && request.where?.some(isToken)
    ? {
        ...request,
        where: request.where.map((condition) =>
          isToken(condition) ? { ...condition, value: hashOf(condition.value) } : condition,
        ),
      }
    : request;

function shown<Row>(request: Request, row: Row | null): Row | null {
  const token = request.model === 'session' ? request.where?.find(isToken)?.value : undefined;
  return row && typeof token === 'string' ? { ...row, token } : row;
}
