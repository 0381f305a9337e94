import { useLingui } from '@lingui/react/macro';
import { NearbyScreen } from './nearby-screen.tsx';

export default function NearbyJobsListScreen() {
  const { t } = useLingui();
  return (
    <NearbyScreen
      path="/nearby-jobs-list"
      title={t`Nearby jobs`}
      back="/tabs/menu/explore"
      hero={<h1 className="h-l">{t`Nearby jobs`}</h1>}
      filtersInView
    />
  );
}
