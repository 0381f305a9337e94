import type { Sanction, Statement } from '@nearhand/contract/trust/sanctions';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Target } from './sanctions.sql.ts';
import { imposeSanction } from './sanctions.ts';

export const makeSanction = (
  db: Db,
  scope: Scope,
  { target, ...words }: Partial<Statement> & { target: Target },
): Promise<Sanction> =>
  db.transaction().execute((tx) =>
    imposeSanction(tx, scope, {
      measure: 'warning',
      scope: null,
      endsAt: null,
      rule: 'respect',
      facts: 'You insulted an applicant.',
      target,
      ...words,
    }),
  );
