import { useLingui } from '@lingui/react/macro';
import { useLocation, useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { useUser } from '../../lib/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useFollowBusiness, useFollows, useUnfollowBusiness } from './followed-businesses.api.ts';

export function FollowButton({ business }: { business: { id: string; name: string } }) {
  const { t } = useLingui();
  const user = useUser();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const following = useFollows(business.id);
  const follow = useFollowBusiness();
  const unfollow = useUnfollowBusiness();
  const press = async () => {
    if (!user) {
      navigate(`/getting-started?next=${encodeURIComponent(pathname + search)}`);
      return;
    }
    try {
      await (following ? unfollow : follow).mutateAsync({ businessId: business.id });
      showToast(
        following
          ? t`You no longer follow ${business.name}`
          : t`We'll tell you when ${business.name} has a new job`,
      );
    } catch (error) {
      showToast(errorText(error));
    }
  };
  if (following === undefined) return null;
  return (
    <Button
      kind="out"
      size="s"
      icon={following ? 'bell-ringing' : 'bell'}
      aria-pressed={following}
      aria-label={t`Follow ${business.name}`}
      needsNetwork
      onClick={() => void press()}
    >
      {following ? t`Following` : t`Follow`}
    </Button>
  );
}
