import { useLingui } from '@lingui/react/macro';
import { joinTeamPath } from '@nearhand/contract/app-paths';
import type { Intent } from '@nearhand/contract/people/profile-choices';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { side } from '../../lib/device/device-setting.ts';
import { invitationTokenOf, nextOf, withNext } from '../../lib/pages/next-path.ts';
import { registerBusinessPath } from '../../lib/pages/post-login-redirect.ts';
import { Icon } from '../../ui/art/icon.tsx';
import type { IconName } from '../../ui/art/icon-names.ts';
import { Card, ListRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { signsUpToApply, VerifyBanner } from './sign-up-progress.tsx';
import { saveSteps } from './sign-up-steps.ts';
import { useSignUpEnd, useSignUpSteps } from './use-sign-up-steps.ts';
import './profiles.css';

/** The hiring pages that invite guests to create an account. */
const hiringPaths = ['/tabs/menu/business', '/tabs/menu/jobs', registerBusinessPath, '/create-job'];
const startsHiring = (search: string): boolean => {
  const next = nextOf(search);
  return next === null ? side.get() === 'hire' : hiringPaths.includes(next);
};

/**
 * First step after sign-up: your intent. Those who hire register their business next (ADR 194), invited
 * people join their team, and those who came to apply or to hire are not asked.
 */
export default function CompleteSignupScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const navigate = useNavigate();
  const steps = useSignUpSteps();
  const end = useSignUpEnd();

  const choose = (intent: Intent, replace = false) => {
    steps.change({ intent });
    if (intent !== 'both') side.set(intent);
    // Unsaved answers stay on the device until the next step, or until it is back online.
    void saveSteps().catch(() => {});
    navigate(intent === 'hire' ? registerBusinessPath : withNext('/expertise', search), { replace });
  };
  // Not asked again on the way back, when the side has changed.
  const [known] = useState<Intent | null>(() =>
    signsUpToApply(search) ? 'work' : startsHiring(search) ? 'hire' : null,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is given once, on arrival.
  useEffect(() => {
    if (known) choose(known, true);
  }, []);
  const invitationToken = invitationTokenOf(search);
  if (known) return null;
  if (invitationToken) return <Navigate to={joinTeamPath(invitationToken)} replace />;
  const choices: { intent: Intent; icon: IconName; title: string; note: string }[] = [
    {
      intent: 'work',
      icon: 'briefcase',
      title: t`Find work`,
      note: t`Shifts and tasks nearby. You see the pay before you apply.`,
    },
    {
      intent: 'hire',
      icon: 'storefront',
      title: t`Hire people`,
      note: t`Post a job and meet people nearby.`,
    },
    { intent: 'both', icon: 'users-three', title: t`Both`, note: t`One account for both.` },
  ];
  return (
    <Screen
      title={t`What brings you here?`}
      lead={t`This decides what you see first. You can switch at any time.`}
      back={null}
      actions={
        <ButtonLink kind="text" size="s" to={end}>
          {t`Skip`}
        </ButtonLink>
      }
      width="narrow"
    >
      <div className="col g4">
        <VerifyBanner />
        <Card flush>
          {choices.map(({ intent, icon, ...row }) => (
            <ListRow key={intent} {...row} lead={<Icon name={icon} />} onClick={() => choose(intent)} />
          ))}
        </Card>
      </div>
    </Screen>
  );
}
