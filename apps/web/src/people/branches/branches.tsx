import { Plural, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { useState } from 'react';
import { dotted } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { BranchSheet } from './branch-sheet.tsx';
import { useBranches } from './branches.api.ts';
import './branches.css';

export function BranchesPart({ business }: { business: Business }) {
  const { t } = useLingui();
  const query = useBranches(business.id);
  const [opened, setOpened] = useState<'new' | string | null>(null);
  const branches = query.data?.branches ?? [];
  const canCreate = query.data?.canCreate ?? false;
  const branch = branches.find(({ id }) => id === opened) ?? null;
  const adding = (
    <Button kind="go" size="s" icon="plus" needsNetwork onClick={() => setOpened('new')}>
      {t`Add a branch`}
    </Button>
  );
  return (
    <section className="branch-part">
      <div className="row wrap g3">
        <p className="lead grow">
          {t`Places where you need people. A job at a branch takes its address, check-in code and contact person.`}
        </p>
        {canCreate && branches.length > 0 ? adding : null}
      </div>
      <div className="mt4">
        <QueryState
          query={query}
          loading={<RowsSkeleton count={3} />}
          errorTitle={t`We couldn't load the branches`}
          isEmpty={() => branches.length === 0}
          empty={
            <EmptyState title={t`No branches yet`} actions={canCreate ? adding : undefined}>
              {canCreate
                ? t`Add one if you hire for more than one address. Without branches, jobs use the address of your business.`
                : t`An owner or manager can add them. Until then, jobs use the address of the business.`}
            </EmptyState>
          }
        >
          {() => (
            <Card flush>
              {branches.map(({ id, name, address, area, openJobs, closed, actions }) => (
                <ListRow
                  key={id}
                  lead={<Icon name="storefront" />}
                  title={name}
                  note={
                    <>
                      {dotted(address, area)}
                      {openJobs > 0 ? (
                        <>
                          {' · '}
                          <Plural value={openJobs} one="# open job" other="# open jobs" />
                        </>
                      ) : null}
                    </>
                  }
                  end={closed ? <Badge>{t`Closed`}</Badge> : undefined}
                  onClick={actions.length > 0 ? () => setOpened(id) : undefined}
                />
              ))}
            </Card>
          )}
        </QueryState>
      </div>
      {opened === 'new' || branch ? (
        <BranchSheet
          key={branch?.id ?? 'new'}
          business={business}
          branch={branch}
          onClose={() => setOpened(null)}
        />
      ) : null}
    </section>
  );
}
