import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TextInput } from '../../ui/inputs.tsx';
import { showToast } from '../../ui/toast.tsx';
import '../../ui/desk.css';
import { useCalendarFeed, useNewCalendarFeed, useStopCalendarFeed } from './calendar.api.ts';

/** The address by which the person's own calendar program reads along: made, shown once, replaced, stopped. */
export function Subscribe() {
  const { t } = useLingui();
  const feed = useCalendarFeed();
  const make = useNewCalendarFeed();
  const stop = useStopCalendarFeed();
  // Only here and only until the page is left: whoever has the address reads the calendar (ADR 0037).
  const [address, setAddress] = useState<string | null>(null);
  const since = feed.data?.since ?? null;
  const failure = make.error ?? stop.error;

  const create = async () => {
    if (since !== null) {
      const sure = await showAlert({
        title: t`Replace the address?`,
        message: t`Calendars that read the old one stop being kept up.`,
        buttons: [
          { value: 'yes', label: t`Replace it`, kind: 'ink' },
          { value: 'no', label: t`Keep the old one`, kind: 'quiet' },
        ],
      });
      if (sure !== 'yes') return;
    }
    const made = await make.mutateAsync(undefined).catch(() => null);
    if (made) setAddress(made.url);
  };
  const end = async () => {
    const done = await stop.mutateAsync(undefined).catch(() => null);
    if (!done) return;
    setAddress(null);
    showToast(t`The address works no more`);
  };

  return (
    <section className="cal-subscribe" aria-labelledby="cal-subscribe">
      <h3 className="h-m" id="cal-subscribe">{t`In your own calendar`}</h3>
      <p className="sm mute">
        <Trans>
          The calendar on your phone or computer can read along, and keeps itself up to date. It gets a secret
          address; whoever has it sees what you are booked for.
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
          <Trans>An address is in use. Made: {formatAgo(since)}. It is not shown again.</Trans>
        </p>
      ) : null}
      <div className="row wrap g2">
        <Button kind="out" size="s" icon="link" busy={make.isPending} onClick={() => void create()}>
          {since === null ? t`Make an address` : t`Replace the address`}
        </Button>
        {since === null ? null : (
          <Button kind="text" size="s" busy={stop.isPending} onClick={() => void end()}>
            {t`Stop it`}
          </Button>
        )}
      </div>
    </section>
  );
}

function Address({ address }: { address: string }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      showToast(t`The address is copied`);
    } catch {
      // Not allowed to write it there: it is marked, ready to be copied by hand.
      input.current?.focus();
      input.current?.select();
    }
  };
  return (
    <div className="cal-address" role="status">
      <TextInput
        ref={input}
        label={t`Your address, shown this once`}
        readOnly
        value={address}
        onFocus={(event) => event.target.select()}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="row wrap g2">
        <Button kind="ink" size="s" icon="copy" onClick={() => void copy()}>
          {t`Copy the address`}
        </Button>
        <ButtonLink kind="out" size="s" icon="calendar-check" to={address.replace(/^https?:/, 'webcal:')}>
          {t`Open in a calendar`}
        </ButtonLink>
      </div>
      <ul className="plain-list sm mute">
        <li>
          <Trans>
            iPhone and Mac: open it with the button above, or add a calendar subscription in Settings.
          </Trans>
        </li>
        <li>
          <Trans>Google Calendar: on a computer, under Other calendars, choose From URL and paste it.</Trans>
        </li>
        <li>
          <Trans>Outlook: add a calendar, choose Subscribe from web and paste it.</Trans>
        </li>
      </ul>
    </div>
  );
}
