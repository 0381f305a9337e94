import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { formatAgoWithin } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import '../../ui/desk.css';
import { useCalendarFeed, useNewCalendarFeed, useStopCalendarFeed } from './calendar.api.ts';

export function Subscribe() {
  const { t } = useLingui();
  const feed = useCalendarFeed();
  const make = useNewCalendarFeed();
  const stop = useStopCalendarFeed();
  // Shown only until the page is left: anyone with the address can read the calendar (ADR 37).
  const [address, setAddress] = useState<string | null>(null);
  const since = feed.data?.since ?? null;
  const failure = make.error ?? stop.error;

  const create = async () => {
    if (since !== null) {
      const sure = await showAlert({
        title: t`Replace calendar link?`,
        message: t`Calendars that use the old link will stop updating.`,
        buttons: [
          { value: 'yes', label: t`Replace link`, kind: 'ink' },
          { value: 'no', label: t`Keep the old link` },
        ],
      });
      if (sure !== 'yes') return;
    }
    const feed = await make.mutateAsync(undefined).catch(() => null);
    if (feed) setAddress(feed.url);
  };
  const end = async () => {
    const sure = await showAlert({
      tone: 'ask',
      title: t`Turn off the calendar link?`,
      message: t`Calendars that use it will stop updating. A new link would have to be added to each of them.`,
      buttons: [
        { value: 'yes', label: t`Turn off link`, kind: 'bad' },
        { value: 'no', label: t`Keep the link` },
      ],
    });
    if (sure !== 'yes') return;
    const stopped = await stop.mutateAsync(undefined).catch(() => null);
    if (!stopped) return;
    setAddress(null);
    showToast(t`Calendar link turned off`);
  };

  return (
    <section className="cal-subscribe" aria-labelledby="cal-subscribe">
      <h3 className="h-m" id="cal-subscribe">{t`Add to your calendar app`}</h3>
      <p className="sm mute">
        <Trans>
          See your bookings in the calendar app on your phone or computer. It updates automatically. Anyone
          who has the secret link can see your bookings.
        </Trans>
      </p>
      {failure ? (
        <Banner tone="bad" icon="warning-circle" live>
          {errorText(failure)}
        </Banner>
      ) : null}
      {address ? <Address address={address} /> : null}
      {since !== null && !address ? (
        <p className="sm">
          <Trans>You have a calendar link, created {formatAgoWithin(since)}. It can't be shown again.</Trans>
        </p>
      ) : null}
      <div className="row wrap g2">
        <Button kind="out" size="s" icon="link" busy={make.isPending} onClick={() => void create()}>
          {since === null ? t`Create link` : t`Replace link`}
        </Button>
        {since === null ? null : (
          <Button kind="text" size="s" busy={stop.isPending} onClick={() => void end()}>
            {t`Turn off`}
          </Button>
        )}
      </div>
    </section>
  );
}

function Address({ address }: { address: string }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const block = useRef<HTMLDivElement>(null);
  // It appears above the pressed button, on phones below the visible part.
  useEffect(() => block.current?.scrollIntoView?.({ block: 'nearest' }), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      showToast(t`Link copied`);
    } catch {
      // Clipboard access is denied, so select the address for manual copying.
      input.current?.focus();
      input.current?.select();
    }
  };
  return (
    <div ref={block} className="cal-address" role="status">
      <TextInput
        ref={input}
        label={t`Your calendar link, shown only once`}
        readOnly
        value={address}
        onFocus={(event) => event.target.select()}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="row wrap g2">
        <Button kind="ink" size="s" icon="copy" onClick={() => void copy()}>
          {t`Copy link`}
        </Button>
        <ButtonLink kind="out" size="s" icon="calendar-check" to={address.replace(/^https?:/, 'webcal:')}>
          {t`Open in calendar app`}
        </ButtonLink>
      </div>
      <ul className="plain-list sm mute">
        <li>
          <Trans>iPhone and Mac: use the button above, or add a calendar subscription in Settings.</Trans>
        </li>
        <li>
          <Trans>
            Google Calendar: on a computer, go to Other calendars, choose From URL and paste the link.
          </Trans>
        </li>
        <li>
          <Trans>Outlook: add a calendar, choose Subscribe from web and paste the link.</Trans>
        </li>
      </ul>
    </div>
  );
}
