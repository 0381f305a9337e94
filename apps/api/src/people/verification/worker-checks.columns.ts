import type { WorkerChecks } from '@nearhand/contract/people/profiles';
import { type RawBuilder, sql } from 'kysely';

export const workerChecks = (accountId: string, name: string, phone: string): RawBuilder<WorkerChecks> =>
  sql<WorkerChecks>`jsonb_build_object('phone', exists (
    select from phone_checks checked where checked.account_id = ${sql.ref(accountId)} and checked.phone = ${sql.ref(phone)}),
    'identity', exists (select from identity_checks verified where verified.account_id = ${sql.ref(accountId)}
      and verified.status = 'verified' and verified.name = ${sql.ref(name)}),
    'certificates', (select coalesce(jsonb_agg(jsonb_build_object('kind', shown.kind, 'until', shown.expires_on) order by shown.kind), '[]')
      from certificates shown where shown.account_id = ${sql.ref(accountId)} and shown.status = 'checked'
        and shown.name = ${sql.ref(name)}))`;
