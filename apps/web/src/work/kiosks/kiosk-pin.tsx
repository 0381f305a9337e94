import { Trans } from '@lingui/react/macro';
import { Icon } from '../../ui/art/icon.tsx';
import { useKioskPin } from './kiosks.api.ts';

/** The PIN for the tablet at the door. Renders nothing where the branch has none. */
export function KioskPin({ engagementId }: { engagementId: string }) {
  const pin = useKioskPin(engagementId).data?.pin;
  return pin ? (
    <p className="mute row g2 act-note">
      <Icon name="key" />
      <span>
        <Trans>
          Without your phone, check in on the tablet at the door. Your PIN for this shift is{' '}
          <b className="num">{pin}</b>.
        </Trans>
      </span>
    </p>
  ) : null;
}
