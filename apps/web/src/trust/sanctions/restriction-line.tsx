import { useLingui } from '@lingui/react/macro';
import { sanctionPath } from '@nearhand/contract/app-paths';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { useRestrictionsOf, useRestrictionTitle } from '../../people/accounts/restrictions.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Link } from '../../ui/controls/link.tsx';
import '../service-status/service-line.css';

/** The suspension's line on every screen of the side it concerns. */
export default function RestrictionLine() {
  const { t } = useLingui();
  const [restriction] = useRestrictionsOf(useDeviceSetting(sideSetting));
  const title = useRestrictionTitle();
  if (!restriction) return null;
  return (
    <aside aria-label={t`Suspension`}>
      <Link className="service-line sm" to={sanctionPath(restriction.sanctionId)}>
        <Icon name="shield-check" />
        <span className="grow break">{title(restriction)}</span>
        <span className="strong">{t`Details`}</span>
      </Link>
    </aside>
  );
}
