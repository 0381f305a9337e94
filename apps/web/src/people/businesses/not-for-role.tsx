import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { roleMay, rolesFor } from '@nearhand/contract/people/team.rules';
import type { ReactNode } from 'react';
import { eitherOf } from '../../lib/words/format.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { BusinessPick } from './business-pick.tsx';
import { useCurrentBusiness } from './businesses.api.ts';
import { NoBusiness } from './no-business.tsx';
import { roleText } from './role.labels.ts';
import { mayOpen, type RoleScreen, screenNeeds } from './role-screens.ts';

/** A hiring screen that the member's role doesn't include: whose it is, and a way to another business. */
export function NotForRole({
  business,
  screen,
  title,
}: {
  business: Business;
  screen: RoleScreen;
  title: string;
}) {
  const { t } = useLingui();
  const roles = eitherOf(rolesFor(screenNeeds[screen]).map(roleText));
  const role = roleText(business.role);
  return (
    <Screen title={title} back="menu" actions={<BusinessPick named />}>
      <EmptyState
        title={t`Your role doesn't include this`}
        art="door"
        actions={
          <>
            {mayOpen(business, '/merchant-ongoing-jobs') ? null : (
              <ButtonLink kind="ink" full to="/release-payment">
                {t`Release payment`}
              </ButtonLink>
            )}
            <ButtonLink kind="out" full to="/tabs/menu/business">
              {t`Go to ${business.name}`}
            </ButtonLink>
          </>
        }
      >
        {roleMay(business.role, screenNeeds[screen]) ? (
          <Trans>
            You're limited to some branches, and this page is about all of {business.name}. Ask an owner.
          </Trans>
        ) : (
          <Trans>
            Your role at {business.name} is {role}. To see this page, it must be {roles}. Ask an owner.
          </Trans>
        )}
      </EmptyState>
    </Screen>
  );
}

/** A hiring screen about the current business, or why it can't be shown: none registered, the role, still loading. */
export function ForBusiness({
  screen,
  title,
  lead,
  isOfAll = false,
  children,
}: {
  screen: RoleScreen;
  title: string;
  /** The reason to register a business. */
  lead: string;
  /** The screen is about all businesses, so the role at any of them is enough. */
  isOfAll?: boolean;
  children: (business: Business) => ReactNode;
}) {
  const { t } = useLingui();
  const { query, business, all } = useCurrentBusiness();
  if (business === null)
    return (
      <Screen title={title} heading={null}>
        <NoBusiness>
          <p>{lead}</p>
        </NoBusiness>
      </Screen>
    );
  if (business)
    return (isOfAll ? all : [business]).some((one) => mayOpen(one, screen)) ? (
      children(business)
    ) : (
      <NotForRole business={business} screen={screen} title={title} />
    );
  return (
    <Screen title={title} back="menu">
      <QueryState
        query={{ ...query, data: undefined }}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't load your business`}
      >
        {() => null}
      </QueryState>
    </Screen>
  );
}
