import { useLingui } from '@lingui/react/macro';
import type { ServicePart } from '@nearhand/contract/trust/service-status.rules';
import { formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { useServiceState } from './service-status.api.ts';

/** What staff says about the service, and which parts are late now; nothing while everything works or before it is known. */
export function ServiceBanner() {
  const { t } = useLingui();
  const { data } = useServiceState();
  if (!data) return null;
  const { message, slow } = data;
  const texts: Record<ServicePart, string> = {
    email: t`Emails are arriving late.`,
    push: t`Push notifications are arriving late.`,
    payments: t`Payments are taking longer than usual. Don't pay again: each payment happens once.`,
    tasks: t`Reminders and automatic steps are running late.`,
  };
  return (
    <>
      {message ? (
        <Banner tone="wait" icon="megaphone" live>
          <p dir="auto">{message.text}</p>
          {message.endsAt ? (
            <p className="sm mt1">{t`Expected to be over ${formatDayTime(message.endsAt, ownTimeZone())}.`}</p>
          ) : null}
        </Banner>
      ) : null}
      {slow.map((part) => (
        <Banner key={part} tone="wait" icon="clock-countdown">
          {texts[part]}
        </Banner>
      ))}
    </>
  );
}
