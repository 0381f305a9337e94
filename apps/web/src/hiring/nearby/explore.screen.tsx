import { Trans, useLingui } from '@lingui/react/macro';
import { BellLink } from '../../talk/notifications/bell-link.tsx';
import { NearbyScreen } from './nearby-screen.tsx';

export default function ExploreScreen() {
  const { t } = useLingui();
  return (
    <NearbyScreen
      path="/tabs/menu/explore"
      title={t`Explore`}
      back="menu"
      hero={
        <h1 className="h-xl">
          <Trans>
            Good work,
            <br />a short walk away
          </Trans>
        </h1>
      }
      actions={<BellLink />}
    />
  );
}
