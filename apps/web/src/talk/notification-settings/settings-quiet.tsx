import { Trans, useLingui } from '@lingui/react/macro';
import type { QuietHours } from '@nearhand/contract/talk/notification-settings';
import { useState } from 'react';
import { ownTimeZone } from '../../lib/words/format.ts';
import { zoneOptions } from '../../lib/words/zoned-time.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Switch } from '../../ui/controls/choices.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { Select } from '../../ui/controls/select.tsx';

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

export function SettingsQuiet({
  quiet,
  onChoose,
}: {
  quiet: QuietHours;
  onChoose: (quiet: QuietHours) => void;
}) {
  const { t } = useLingui();
  // Input stays until it is a valid time; server updates apply when nothing is being typed.
  const [typed, setTyped] = useState({ from: quiet.from, to: quiet.to });
  const [lastTyped, setLastTyped] = useState(typed);
  // Not in an effect, which runs again when the page is shown again and would drop what was just typed.
  if (lastTyped.from !== quiet.from || lastTyped.to !== quiet.to) {
    setLastTyped({ from: quiet.from, to: quiet.to });
    setTyped({ from: quiet.from, to: quiet.to });
  }
  const same = typed.from === typed.to;
  const ownZone = ownTimeZone();

  const type = (change: Partial<typeof typed>) => {
    const next = { ...typed, ...change };
    setTyped(next);
    if (clockTime.test(next.from) && clockTime.test(next.to) && next.from !== next.to)
      onChoose({ ...quiet, ...next });
  };
  return (
    <ReasonGroup>
      <section className="card nset-part">
        <Switch
          needsNetwork
          label={<span className="h-s">{t`Quiet hours`}</span>}
          help={t`Push and email wait until they end. Urgent notifications still arrive, such as an interview about to start or a cancelled shift.`}
          checked={quiet.on}
          onChange={() => onChoose({ ...quiet, on: !quiet.on })}
        />
        <SharedReason />
        {quiet.on ? (
          <div className="nset-quiet">
            <TextInput
              label={t`From`}
              type="time"
              needsNetwork
              value={typed.from}
              onChange={(event) => type({ from: event.target.value })}
            />
            <TextInput
              label={t`To`}
              type="time"
              needsNetwork
              value={typed.to}
              error={same ? t`Choose an end time that differs from the start.` : undefined}
              onChange={(event) => type({ to: event.target.value })}
            />
            <div className="nset-zone">
              <Select
                label={t`Time zone`}
                help={t`The daily email waits too.`}
                options={zoneOptions(quiet.timeZone, ownTimeZone(), 'UTC')}
                value={quiet.timeZone}
                needsNetwork
                onChange={(event) => onChoose({ ...quiet, timeZone: event.target.value })}
              />
              {ownZone === quiet.timeZone ? null : (
                <p className="sm mute row wrap g2 mt2">
                  <span>
                    <Trans>This device is in {ownZone.replaceAll('_', ' ')}.</Trans>
                  </span>
                  <Button
                    kind="text"
                    size="s"
                    needsNetwork
                    onClick={() => onChoose({ ...quiet, timeZone: ownZone })}
                  >
                    {t`Use it`}
                  </Button>
                </p>
              )}
            </div>
          </div>
        ) : null}
      </section>
    </ReasonGroup>
  );
}
