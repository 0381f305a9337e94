import { useLingui } from '@lingui/react/macro';
import { Icon } from '../../ui/art/icon.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useServiceState } from './service-status.api.ts';
import './service-line.css';

export default function ServiceLine() {
  const { t } = useLingui();
  const { data } = useServiceState();
  if (!data?.message) return null;
  return (
    <aside aria-label={t`Service notice`}>
      <Link className="service-line sm" to="/tabs/menu/help">
        <Icon name="megaphone" />
        <span className="grow clip" dir="auto">
          {data.message.text}
        </span>
        <span className="strong">{t`Details`}</span>
      </Link>
    </aside>
  );
}
