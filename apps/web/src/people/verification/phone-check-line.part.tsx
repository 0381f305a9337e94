import { useLingui } from '@lingui/react/macro';
import { Badge } from '../../ui/badge.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useVerification } from './verification.api.ts';

/** Under the phone number of a form: whether the saved one was checked, and where to check it. */
export function PhoneCheckLine() {
  const { t } = useLingui();
  const phone = useVerification().data?.phone;
  if (!phone || phone.status === 'none') return null;
  if (phone.status === 'checked')
    return (
      <p>
        <Badge tone="good" icon="seal-check">{t`Phone number checked`}</Badge>
      </p>
    );
  return (
    <p className="row wrap g2 sm">
      <span className="mute">{t`This number hasn't been checked.`}</span>
      <Link className="link" to="/verify">{t`Check it`}</Link>
    </p>
  );
}
