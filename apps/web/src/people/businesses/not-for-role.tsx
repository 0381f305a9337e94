import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { roleMay, rolesFor } from '@nearhand/contract/people/team.rules';
import { eitherOf } from '../../lib/words/format.ts';
import { Screen } from '../../ui/pages/screen.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { BusinessPick } from './business-pick.tsx';
import { roleText } from './role.labels.ts';
import { type RoleScreen, screenNeeds } from './role-screens.ts';

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
    <Screen title={title} back="/tabs/menu/business" actions={<BusinessPick named />}>
      <EmptyState title={t`Your role doesn't include this`} art="door">
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
