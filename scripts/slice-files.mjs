// @ts-check
// The files of a new slice on its three sides: one kind of record that an account creates and reads (docs/architecture.md).

/**
 * @typedef {object} Names
 * @property {string} domain The domain it belongs to, such as `people`.
 * @property {string} slice The slice's name, such as `favorites`.
 * @property {string} noun One record of it, `favorite`.
 * @property {string} Noun The same as the name of a type, `Favorite`.
 * @property {string} table `favorites`
 */

/**
 * @param {Names} names
 * @param {string} migration The file name of its migration.
 * @returns {Record<string, string>} Text by file.
 */
export function sliceFiles(names, migration) {
  const api = `apps/api/src/${names.domain}/${names.slice}/${names.slice}`;
  const web = `apps/web/src/${names.domain}/${names.slice}`;
  return {
    [`packages/contract/src/${names.domain}/${names.slice}.ts`]: contract(names),
    [`apps/api/migrations/${migration}`]: table(names),
    [`${api}.sql.ts`]: sqlFile(names),
    [`${api}.policy.ts`]: policy(names),
    [`${api}.service.ts`]: service(names),
    [`${api}.routes.ts`]: routes(names),
    [`${api}.test.ts`]: test(names),
    [`${web}/${names.slice}.api.ts`]: hooks(names),
    [`${web}/${names.noun}.screen.tsx`]: screen(names),
  };
}

/** @param {Names} names */
const contract = ({ slice, noun, Noun }) => `import { z } from 'zod';
import { id, instant, line, operation } from '../operation.ts';

export const ${noun} = z.object({ id, name: line(80), createdAt: instant });
export type ${Noun} = z.infer<typeof ${noun}>;

export const ${slice} = {
  create: operation({ access: 'verified', errors: [] })
    .route({ method: 'POST', path: '/${slice}', summary: 'Create a ${noun}', successStatus: 201 })
    .input(z.object({ name: line(80) }))
    .output(${noun}),
  get: operation({ access: 'verified', errors: ['${noun}/not-found'] })
    .route({ method: 'GET', path: '/${slice}/{${noun}Id}', summary: 'Get one of your own ${slice}' })
    .input(z.object({ ${noun}Id: id }))
    .output(${noun}),
};
`;

/** @param {Names} names */
const table = ({ table }) => `create table ${table} (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  name text not null,
  created_at timestamptz not null
);
create index ${table}_of_account on ${table} (account_id);
`;

/** @param {Names} names */
const sqlFile = ({ noun, Noun, table }) => `import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { DB } from '../../platform/tables.gen.ts';

export async function insert${Noun}(tx: Tx, row: Insertable<DB['${table}']>) {
  return tx.insertInto('${table}').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function find${Noun}(db: Db, ${noun}Id: string) {
  return db.selectFrom('${table}').selectAll().where('id', '=', ${noun}Id).executeTakeFirst();
}
`;

/** @param {Names} names */
const policy = ({
  noun,
  Noun,
}) => `/** Only its creator sees a ${noun}; for everyone else it doesn't exist. */
export const maySee${Noun} = (accountId: string, ${noun}: { account_id: string }): boolean =>
  ${noun}.account_id === accountId;
`;

/** @param {Names} names */
const service = ({
  domain,
  slice,
  noun,
  Noun,
}) => `import type { ${Noun} } from '@nearhand/contract/${domain}/${slice}';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { maySee${Noun} } from './${slice}.policy.ts';
import { find${Noun}, insert${Noun} } from './${slice}.sql.ts';

/** Creates a ${noun} for the caller. */
export async function create${Noun}(tx: Tx, scope: Scope, input: { name: string }): Promise<${Noun}> {
  const now = scope.clock.now();
  const account_id = scope.actor.accountId;
  return view(await insert${Noun}(tx, { id: newId(now), account_id, name: input.name, created_at: now }));
}

/**
 * Returns one of the caller's ${slice}.
 * @throws ${noun}/not-found
 */
export async function get${Noun}(db: Db, scope: Scope, input: { ${noun}Id: string }): Promise<${Noun}> {
  const row = await find${Noun}(db, input.${noun}Id);
  if (!row || !maySee${Noun}(scope.actor.accountId, row)) throw new AppError('${noun}/not-found');
  return view(row);
}

const view = (row: { id: string; name: string; created_at: Date }): ${Noun} => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
});
`;

/** @param {Names} names */
const routes = ({ domain, slice, Noun }) => `import { ${slice} } from '@nearhand/contract/${domain}/${slice}';
import { read, write } from '../../platform/http/bind.ts';
import { create${Noun}, get${Noun} } from './${slice}.service.ts';

export const ${slice}Routes = {
  create: write(${slice}.create, create${Noun}),
  get: read(${slice}.get, get${Noun}),
};
`;

/** @param {Names} names */
const test = ({ slice, noun }) => `import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';

const app = useTestApp();

describe('${slice}.create', () => {
  it('creates one', async () => {
    const leila = await app.person();
    const made = await leila.api.${slice}.create({ name: ' Zoë 👷 ' });
    expect(made).toMatchObject({ name: 'Zoë 👷', createdAt: app.clock.now().toISOString() });
  });

  it('creates one for a repeated call', async () => {
    const leila = await app.person();
    const again = app.apiAs(leila.token, { 'idempotency-key': 'create-${noun}-once' });
    const first = await again.${slice}.create({ name: 'One' });
    expect(await again.${slice}.create({ name: 'One' })).toEqual(first);
  });

  it('rejects invalid names', async () => {
    const leila = await app.person();
    for (const name of ['', ' ', 'x'.repeat(81), 'two\\nlines', null, 12])
      expect(await failure(leila.api.${slice}.create({ name } as never))).toMatchObject({ status: 400 });
  });
});

describe('${slice}.get', () => {
  it('returns it to its creator only', async () => {
    const [leila, omar] = [await app.person(), await app.person()];
    const made = await leila.api.${slice}.create({ name: 'Mine' });
    expect(await leila.api.${slice}.get({ ${noun}Id: made.id })).toEqual(made);
    expect(await failure(omar.api.${slice}.get({ ${noun}Id: made.id }))).toMatchObject({
      status: 404,
      code: '${noun}/not-found',
    });
  });
});
`;

/** @param {Names} names */
const hooks = ({ slice, noun, Noun }) => `import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';

export function use${Noun}(${noun}Id: string | undefined) {
  return useQuery(
    apiQuery.${slice}.get.queryOptions({ input: { ${noun}Id: ${noun}Id ?? '' }, enabled: Boolean(${noun}Id) }),
  );
}
`;

/** @param {Names} names */
const screen = ({ slice, noun, Noun }) => `import { useLingui } from '@lingui/react/macro';
import { useParams } from 'react-router';
import { errorText } from '../../lib/api/error-text.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { use${Noun} } from './${slice}.api.ts';

/** Shows one of the caller's ${slice}. */
export default function ${Noun}Screen() {
  const { t } = useLingui();
  const { ${noun}id } = useParams();
  const query = use${Noun}(${noun}id);
  return (
    <Screen title={query.data?.name ?? t\`Loading\`}>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t\`We couldn't load this\`}
        describe={errorText}
        asOf={formatAgo}
      >
        {(${noun}) => <p dir="auto">{${noun}.name}</p>}
      </QueryState>
    </Screen>
  );
}
`;
